// SPDX-License-Identifier: MIT
// jawari play: a scene as an instrument, live.

#include "tool.h"

#include <jawari/play.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef JW_WITH_JACK
#include "live.h"
#endif

typedef struct {
  const char* name;
  const char* scale;
  const char* map;
  double gain, duration;
  bool list, wait, apart, ledger, strict, quiet;
  JwSceneWish wish;
} Options;

#define FIELD(name) offsetof(Options, name)

static const JwOption options[] = {
    {"--list-controls", NULL, NULL, "Show what plays what, and end.", JW_OPTION_FLAG, FIELD(list),
     0, 0, NULL},
    {"--wait", NULL, NULL, "Wait for a JACK server, also when it goes away.", JW_OPTION_FLAG,
     FIELD(wait), 0, 0, NULL},
    {"--apart", NULL, NULL, "Connect to nothing; without it, to the sound card and every keyboard.",
     JW_OPTION_FLAG, FIELD(apart), 0, 0, NULL},
    {"--name", NULL, "NAME", "Of the JACK client; jawari if not given.", JW_OPTION_TEXT,
     FIELD(name), 0, 0, NULL},
    {"--gain", NULL, "GAIN",
     "Factor to the sound; where a scene says \"auto\", a note is tried first.", JW_OPTION_NUMBER,
     FIELD(gain), -1e12, 1e12, NULL},
    {"--scale", NULL, "FILE", "Tune by a Scala scale (.scl).", JW_OPTION_TEXT, FIELD(scale), 0, 0,
     NULL},
    {"--map", NULL, "FILE", "Which key has which degree of the scale (.kbm).", JW_OPTION_TEXT,
     FIELD(map), 0, 0, NULL},
    {"--duration", "-d", "S", "Stop after so many seconds.", JW_OPTION_NUMBER, FIELD(duration), 0,
     1e9, NULL},
    {"--ledger", NULL, NULL,
     "Keep the energy ledger and show its residual: the same sound, slower.", JW_OPTION_FLAG,
     FIELD(ledger), 0, 0, NULL},
    JW_OPTION_WISH(FIELD(wish)),
    JW_OPTION_STRICT(FIELD(strict)),
    {"--quiet", "-q", NULL, "No view while playing.", JW_OPTION_FLAG, FIELD(quiet), 0, 0, NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

// ---------------------------------------------------------------- what plays what

static int list(JwScene* scene) {
  JwInstrumentDef def = jw_instrument_default();
  def.scene = scene;
  def.trial = false;
  JwInstrument* instrument = NULL;
  const JwStatus status = jw_instrument_create(&def, &instrument);
  if (status && jw_scene_diagnostics(scene)) {
    jw_tool_print_errors(scene);
  } else if (status) {
    jw_tool_fail("%s", instrument ? jw_instrument_error(instrument) : jw_status_text(status));
  } else {
    jw_tool_print_warnings(scene, jw_instrument_world(instrument));
    static char text[65536];
    jw_instrument_describe(instrument, text, sizeof text);
    fputs(text, stdout);
  }
  jw_instrument_destroy(instrument);
  return !status ? JW_EXIT_OK : status == JW_STATUS_NO_MEMORY ? JW_EXIT_FAILED : JW_EXIT_SCENE;
}

#ifdef JW_WITH_JACK

// ---------------------------------------------------------------- the view

static volatile sig_atomic_t stop_wanted;

static void on_stop(int number) {
  (void)number;
  stop_wanted = 1;
}

static void show(const JwLiveFigures* f, bool ledger) {
  char lamps[JW_LIVE_LAMPS + 1] = "", bar[21];
  const double decibel = f->peak > 1e-5 ? 20.0 * log10(f->peak) : -99.9; // Below is silence
  const int length = decibel < -60.0 ? 0 : decibel > 0.0 ? 20 : (int)(20.0 + decibel / 3.0);
  for (int i = 0; i < 20; ++i) {
    bar[i] = i < length ? '=' : ' ';
  }
  bar[20] = 0;
  for (uint32_t i = 0; i < f->contacts; ++i) {
    lamps[i] = f->lamps[i] ? '*' : '.';
  }
  fprintf(stderr, "\r[%s] %5.1f dB  load %3.0f %% worst %3.0f %%  xruns %llu  ", bar, decibel,
          100.0 * f->load, 100.0 * f->worst_load, (unsigned long long)f->xruns);
  if (ledger) {
    fprintf(stderr, "residual %.0e  ", f->residual);
  }
  fprintf(stderr, "contacts %s ", lamps);
  fflush(stderr);
}

static void report(const JwLiveFigures* f, bool ledger) {
  printf("rate %.0f Hz, block %u, blocks %llu, notes %llu\n", f->rate, f->block,
         (unsigned long long)f->blocks, (unsigned long long)f->player.notes);
  printf("worst load %.1f %%, late blocks %llu, xruns %llu", 100.0 * f->worst_load,
         (unsigned long long)f->late, (unsigned long long)f->xruns);
  if (ledger) {
    printf(", ledger residual %.1e", f->residual);
  }
  printf("\n");
  if (f->lost_events || f->player.dropped || f->player.refused || f->player.unplayed) {
    printf("messages lost %llu, changes dropped %llu, refused %llu, notes unplayed %llu\n",
           (unsigned long long)f->lost_events, (unsigned long long)f->player.dropped,
           (unsigned long long)f->player.refused, (unsigned long long)f->player.unplayed);
  }
}

// ---------------------------------------------------------------- playing

static void sleep_for(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  nanosleep(&time, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Blocks that come too late while most of the time is spent computing: the scene is too slow, not
// the server too busy.
#define SLOW_LOAD 0.9

static bool is_slow(const JwLiveFigures* f) {
  return f->late > 0 && f->load > SLOW_LOAD;
}

static void warn_of_slow(const JwLiveFigures* f, bool ledger) {
  jw_tool_warn(
      "the scene is too slow to be played: it takes %.0f %% of the time that there is; a lower rate of the server, fewer "
      "points%s make it faster",
      100.0 * f->load, ledger ? " and no --ledger" : "");
}

// Until it is stopped, its time is up, or the server is gone.
static JwLiveFigures play_on(JwLive* live, const Options* o, double end) {
  const bool view = !o->quiet && isatty(2);
  JwLiveFigures f = jw_live_figures(live);
  bool warned = false;
  while (!stop_wanted && !f.gone && !f.failed && now() < end) {
    sleep_for(0.1);
    f = jw_live_figures(live);
    if (!warned && is_slow(&f)) {
      warn_of_slow(&f, o->ledger);
      warned = true;
    }
    if (view) {
      show(&f, o->ledger);
    }
  }
  if (view) {
    fputs("\n", stderr);
  }
  return f;
}

static int no_server(const char* error) {
  jw_tool_fail("%s. Start one, for instance\n"
               "  jackd -d alsa -r 48000 -p 128\n"
               "or, where PipeWire runs, play with\n"
               "  pw-jack jawari play SCENE\n"
               "--wait waits for one",
               error);
  return JW_EXIT_FAILED;
}

static int play(const Options* o, JwScene* scene, const JwTuning* tuning) {
  const JwLiveDef def = {scene,
                         o->name ? o->name : "jawari",
                         tuning,
                         o->gain,
                         o->ledger,
                         !o->apart,
                         {NULL, NULL, NULL}};
  const double end = isnan(o->duration) ? HUGE_VAL : now() + o->duration;
  bool waiting = false;
  for (;;) {
    char error[JW_ERROR_SIZE] = "";
    JwLive* live = NULL;
    const JwStatus status = jw_live_open(&def, &live, error);
    if (status == JW_STATUS_IO && o->wait) {
      if (!waiting && !o->quiet) {
        fprintf(stderr, "jawari: waiting for a JACK server\n");
      }
      waiting = true;
      if (stop_wanted || now() >= end) {
        return JW_EXIT_FAILED;
      }
      sleep_for(0.5);
      continue;
    }
    if (status) {
      jw_tool_print_errors(scene);
      return status == JW_STATUS_IO      ? no_server(error)
             : jw_tool_fail("%s", error) ? 0
                                         : JW_EXIT_SCENE;
    }
    const JwLiveFigures f = play_on(live, o, end);
    jw_live_close(live);
    if (!o->quiet) {
      report(&f, o->ledger);
    }
    if (f.failed) {
      jw_tool_fail("the state stopped being finite");
      return JW_EXIT_FAILED;
    }
    if (!f.gone) {
      return JW_EXIT_OK;
    }
    waiting = false;
    if (!o->wait) {
      jw_tool_fail("the JACK server went away");
      return JW_EXIT_FAILED;
    }
  }
}

static void catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_stop;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
}

#endif

static int run(int argc, char** argv) {
  Options o = {.gain = JW_UNSET, .duration = JW_UNSET};
  const JwParsed parsed = jw_tool_parse(&jw_verb_play, &argc, argv, &o);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc != 2 || (o.map && !o.scale)) {
    jw_tool_fail(argc != 2 ? "play wants one scene: a file, or a name that `jawari scenes` shows"
                           : "--map needs --scale");
    return JW_EXIT_USAGE;
  }
  JwTuning tuning = jw_tuning_equal();
  char error[JW_ERROR_SIZE];
  if (o.scale && jw_tuning_load(o.scale, o.map, &tuning, error)) {
    jw_tool_fail("%s", error);
    return JW_EXIT_FAILED;
  }
  JwScene* scene = NULL;
  int status = jw_tool_open(argv[1], &o.wish, &scene);
  if (!status) {
    jw_scene_mute(scene);
#ifdef JW_WITH_JACK
    catch_signals();
    status = o.list ? list(scene) : play(&o, scene, &tuning);
#else
    status = o.list ? list(scene) : JW_EXIT_FAILED;
    if (!o.list) {
      jw_tool_fail(
          "this jawari was built without JACK; --list-controls and `jawari render --midi` work");
    }
#endif
  }
  jw_scene_destroy(scene);
  return jw_tool_close_warnings(o.strict, status);
}

const JwVerb jw_verb_play = {
    .name = "play",
    .summary = "play a scene live, from a MIDI keyboard",
    .usage = "SCENE",
    .about =
        "A JACK client with stereo output and MIDI input, at the server's rate and block size. Any scene with "
        "a bow, a blow or a thrown mass can be played; its \"play\" section says how, and without one there are sensible defaults (docs/playing.md). The "
        "view shows level, load of a block's time (mean and worst), xruns, with --ledger the energy ledger's residual, "
        "and a lamp for each contact. Ctrl-C ends. When the server goes away it says so and fails, or, with "
        "--wait, waits for the next.",
    .examples = "jawari play tromba # from the keyboard, to the speakers\n"
                "jawari play guitar --list-controls # what plays what\n"
                "jawari play my.json --scale pelog.scl --wait # another tuning; wait for a server\n"
                "pw-jack jawari play my.json # where PipeWire runs\n",
    .options = options,
    .takes_scene = true,
    .run = run,
};
