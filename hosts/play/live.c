// SPDX-License-Identifier: MIT
// A player as a JACK client.
//
// The process callback reads MIDI, runs the player into JACK's own buffers and leaves figures in
// atomic numbers; it takes no memory, no lock, and makes no system call (jack_get_time reads a page
// of the kernel's). Everything else happens in the thread that opened it.

#include "live.h"

#include <jack/jack.h>
#include <jack/midiport.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_EVENTS 512

struct JwLive {
  jack_client_t* client;
  jack_port_t* out[2];
  jack_port_t* midi;
  JwWorld* world; ///< Of the instrument
  JwInstrument* instrument;
  uint32_t channels; ///< That it fills; 0: there is nothing to hear
  JwLiveWatch watch;
  double rate;
  bool ledger;
  uint32_t contacts;
  uint64_t since_look; ///< Frames since contacts were looked at
  uint64_t closures[JW_LIVE_LAMPS];
  JwPlayerEvent events[MOST_EVENTS];
  // Written by the process thread, read by others
  _Atomic double peak, worst_load, residual, busy; ///< `busy`: seconds, since asked last
  _Atomic uint64_t blocks, frames, xruns, late, lost_events;
  _Atomic uint32_t block, lamps;
  _Atomic bool gone, failed;
  uint64_t asked_frames;
  clockid_t clock; ///< Of the process thread's own time
  bool has_clock;
};

// ---------------------------------------------------------------- in the process thread

static uint32_t read_events(JwLive* live, jack_nframes_t frames) {
  void* const buffer = jack_port_get_buffer(live->midi, frames);
  const uint32_t there = jack_midi_get_event_count(buffer);
  uint32_t count = 0;
  for (uint32_t i = 0; i < there; ++i) {
    jack_midi_event_t event;
    if (jack_midi_event_get(&event, buffer, i) != 0 || event.size == 0 || event.size > 3) {
      continue; // System messages are not for the player
    }
    if (count == MOST_EVENTS) {
      atomic_fetch_add(&live->lost_events, there - i);
      break;
    }
    JwPlayerEvent* const own = &live->events[count++];
    memset(own, 0, sizeof *own);
    own->frame = event.time;
    own->size = (uint8_t)event.size;
    memcpy(own->data, event.buffer, event.size);
  }
  return count;
}

static void look_at_contacts(JwLive* live, jack_nframes_t frames) {
  live->since_look += frames;
  if ((double)live->since_look < 0.02 * live->rate) {
    return;
  }
  live->since_look = 0;
  uint32_t lamps = 0;
  for (uint32_t i = 0; i < live->contacts; ++i) {
    const JwContactFigures figures = jw_world_contact_figures(live->world, (JwContactId){i + 1});
    lamps |= (uint32_t)(figures.closed || figures.closures != live->closures[i]) << i;
    live->closures[i] = figures.closures;
  }
  atomic_fetch_or(&live->lamps, lamps);
  if (live->ledger) {
    atomic_store(&live->residual, jw_world_energy(live->world).worst_residual);
  }
}

static void level(JwLive* live, float* const* out, jack_nframes_t frames) {
  double peak = atomic_load(&live->peak);
  for (uint32_t c = 0; c < 2; ++c) {
    for (jack_nframes_t n = 0; n < frames; ++n) {
      out[c][n] = c < live->channels ? out[c][n] : 0.0f;
      peak = fmax(peak, fabs((double)out[c][n]));
    }
  }
  atomic_store(&live->peak, peak);
}

static void make_block(JwLive* live, jack_nframes_t frames) {
  float* const out[2] = {(float*)jack_port_get_buffer(live->out[0], frames),
                         (float*)jack_port_get_buffer(live->out[1], frames)};
  if (live->watch.before) {
    live->watch.before(live->watch.user);
  }
  const JwPlayerBlock block = {out, NULL, frames, live->events, read_events(live, frames)};
  if (jw_instrument_run(live->instrument, &block)) {
    atomic_store(&live->failed, true);
  }
  level(live, out, frames);
  look_at_contacts(live, frames);
  if (live->watch.after) {
    live->watch.after(live->watch.user, &block);
  }
}

static int process(jack_nframes_t frames, void* user) {
  JwLive* const live = (JwLive*)user;
  const jack_time_t start = jack_get_time();
  make_block(live, frames);
  const double busy = 1e-6 * (double)(jack_get_time() - start), share = busy * live->rate / frames;
  atomic_store(&live->busy, atomic_load(&live->busy) + busy);
  atomic_store(&live->worst_load, fmax(atomic_load(&live->worst_load), share));
  atomic_store(&live->block, frames);
  atomic_fetch_add(&live->late, share > 1.0);
  atomic_fetch_add(&live->blocks, 1);
  atomic_fetch_add(&live->frames, frames);
  return 0;
}

static int xrun(void* user) {
  atomic_fetch_add(&((JwLive*)user)->xruns, 1);
  return 0;
}

static void server_gone(void* user) {
  atomic_store(&((JwLive*)user)->gone, true);
}

// ---------------------------------------------------------------- open

static JwStatus build(JwLive* live, const JwLiveDef* def, char error[JW_ERROR_SIZE]) {
  JwInstrumentDef instrument = jw_instrument_default();
  instrument.scene = def->scene;
  instrument.rate = live->rate = jack_get_sample_rate(live->client);
  instrument.channels = JW_CHANNELS_STEREO;
  instrument.gain = def->gain;
  instrument.ledger = live->ledger = def->ledger;
  instrument.tuning = def->tuning;
  const JwStatus status = jw_instrument_create(&instrument, &live->instrument);
  if (status) {
    snprintf(error, JW_ERROR_SIZE, "%s", jw_instrument_error(live->instrument));
    return status;
  }
  live->world = jw_instrument_world(live->instrument);
  live->channels = jw_instrument_info(live->instrument).channels;
  const uint32_t contacts = jw_world_info(live->world).contacts;
  live->contacts = contacts < JW_LIVE_LAMPS ? contacts : JW_LIVE_LAMPS;
  return JW_STATUS_OK;
}

static bool register_ports(JwLive* live) {
  live->out[0] =
      jack_port_register(live->client, "left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
  live->out[1] =
      jack_port_register(live->client, "right", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
  live->midi = jack_port_register(live->client, "midi", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
  return live->out[0] && live->out[1] && live->midi;
}

// To the first two inputs of the sound card, and from every hardware keyboard.  A port that is not
// there or is refused is no error: the user connects as they like.
static void connect_hardware(JwLive* live) {
  const char** const speakers = jack_get_ports(live->client, NULL, JACK_DEFAULT_AUDIO_TYPE,
                                               JackPortIsPhysical | JackPortIsInput);
  for (int i = 0; speakers && i < 2 && speakers[i]; ++i) {
    (void)jack_connect(live->client, jack_port_name(live->out[i]), speakers[i]);
  }
  const char** const keys = jack_get_ports(live->client, NULL, JACK_DEFAULT_MIDI_TYPE,
                                           JackPortIsPhysical | JackPortIsOutput);
  for (int i = 0; keys && keys[i]; ++i) {
    (void)jack_connect(live->client, keys[i], jack_port_name(live->midi));
  }
  jack_free(speakers);
  jack_free(keys);
}

static void silence(const char* message) {
  (void)message;
} // JACK's own complaints; ours say more

static JwStatus open_client(JwLive* live, const JwLiveDef* def, char error[JW_ERROR_SIZE]) {
  jack_set_error_function(silence);
  jack_set_info_function(silence);
  live->client = jack_client_open(def->name, JackNoStartServer, NULL);
  if (!live->client) {
    snprintf(error, JW_ERROR_SIZE, "no JACK server is running");
    return JW_STATUS_IO;
  }
  const JwStatus status = build(live, def, error);
  if (status) {
    return status;
  }
  jack_set_process_callback(live->client, process, live);
  jack_set_xrun_callback(live->client, xrun, live);
  jack_on_shutdown(live->client, server_gone, live);
  if (!register_ports(live) || jack_activate(live->client) != 0) {
    snprintf(error, JW_ERROR_SIZE, "the JACK server refuses the client");
    return JW_STATUS_IO;
  }
  live->has_clock = pthread_getcpuclockid(jack_client_thread_id(live->client), &live->clock) == 0;
  if (def->connect) {
    connect_hardware(live);
  }
  return JW_STATUS_OK;
}

JwStatus jw_live_open(const JwLiveDef* def, JwLive** live, char error[JW_ERROR_SIZE]) {
  *live = (JwLive*)calloc(1, sizeof **live);
  if (!*live) {
    snprintf(error, JW_ERROR_SIZE, "no memory");
    return JW_STATUS_NO_MEMORY;
  }
  (*live)->watch = def->watch;
  const JwStatus status = open_client(*live, def, error);
  if (status) {
    jw_live_close(*live);
    *live = NULL;
  }
  return status;
}

void jw_live_close(JwLive* live) {
  if (!live) {
    return;
  }
  if (live->client) {
    jack_client_close(live->client); // Waits for the process thread to end
  }
  jw_instrument_destroy(live->instrument);
  free(live);
}

// ---------------------------------------------------------------- look

static double processor_time(const JwLive* live) {
  struct timespec time;
  return live->has_clock && clock_gettime(live->clock, &time) == 0
             ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec
             : NAN;
}

JwLiveFigures jw_live_figures(JwLive* live) {
  JwLiveFigures figures = {.rate = live->rate, .contacts = live->contacts};
  const uint64_t frames = atomic_load(&live->frames);
  const double busy = atomic_exchange(&live->busy, 0.0),
               time = (double)(frames - live->asked_frames) / live->rate;
  const uint32_t lamps = atomic_exchange(&live->lamps, 0);
  live->asked_frames = frames;
  figures.processor = frames ? processor_time(live) * live->rate / (double)frames : NAN;
  figures.load = time > 0.0 ? busy / time : 0.0;
  figures.worst_load = atomic_load(&live->worst_load);
  figures.peak = atomic_exchange(&live->peak, 0.0);
  figures.residual = atomic_load(&live->residual);
  figures.block = atomic_load(&live->block);
  figures.blocks = atomic_load(&live->blocks);
  figures.xruns = atomic_load(&live->xruns);
  figures.late = atomic_load(&live->late);
  figures.lost_events = atomic_load(&live->lost_events);
  figures.gone = atomic_load(&live->gone);
  figures.failed = atomic_load(&live->failed);
  figures.player = jw_instrument_figures(live->instrument);
  for (uint32_t i = 0; i < live->contacts; ++i) {
    figures.lamps[i] = lamps >> i & 1;
  }
  return figures;
}
