// SPDX-License-Identifier: MIT
// jawari/play.h: scenes as instruments: what every host does between a scene and a sound card.
//
//   JwInstrumentDef def = jw_instrument_default();
//   def.name = "tromba";                       // or a file's path; or the scene itself: def.text
//   def.rate = 48000.0;
//   JwInstrument* instrument = NULL;
//   if (jw_instrument_create(&def, &instrument)) { ... jw_instrument_error(instrument) ... }
//   const JwPlayerEvent on = {0, {0x90, 60, 100}, 3};
//   const JwPlayerBlock block = {channels, NULL, 64, &on, 1};
//   jw_instrument_run(instrument, &block);     // real-time safe, any number of frames
//   jw_instrument_destroy(instrument);
//
// An instrument is a scene that was read, brought to the host's rate, oversampled and filtered down
// where it asks for that, brought to a good level, and given a player: notes, bends, pressure and
// controllers as MIDI brings them, with MPE.  What plays what: docs/playing.md.  It belongs to one
// thread at a time.
#ifndef JAWARI_PLAY_H
#define JAWARI_PLAY_H

#include <jawari/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- tunings

/// Hz of each of the 128 keys; NaN where the map leaves a key out.
typedef struct {
  double frequency[128];
} JwTuning;

/// Twelve equal steps an octave, A4 = 440 Hz.
JW_API JwTuning jw_tuning_equal(void);

#define JW_TUNING_MAX_STEPS 1024u ///< Most pitches in a scale, most keys in a map

/// Read a Scala scale (.scl) and, if `map` is not NULL, a keyboard map (.kbm).  Without a map,
/// degree 0 is middle C at 261.6256 Hz.  On failure `error` gets one sentence with the line.
JW_API JW_MUST_USE JwStatus jw_tuning_parse(const char* scale, const char* map, JwTuning* tuning,
                                            char error[JW_ERROR_SIZE]);

/// The same from files; `map_path` may be NULL.
JW_API JW_MUST_USE JwStatus jw_tuning_load(const char* scale_path, const char* map_path,
                                           JwTuning* tuning, char error[JW_ERROR_SIZE]);

// ---------------------------------------------------------------- songs

/// A channel message and when it comes.
typedef struct {
  double time; ///< s from the start
  uint8_t data[3];
  uint8_t size;
} JwSongEvent;

/// Channel messages in the order of time; one may be filled by hand.
typedef struct {
  JwSongEvent* events;
  uint32_t count;
  double duration; ///< s, to the end of the longest track
} JwSong;

#define JW_SONG_MAX_EVENTS 1000000u ///< Messages in one file

/// Read a standard MIDI file, format 0 or 1.  On failure `error` gets one sentence with the byte.
JW_API JW_MUST_USE JwStatus jw_song_parse(const uint8_t* data, size_t size, JwSong* song,
                                          char error[JW_ERROR_SIZE]);
JW_API JW_MUST_USE JwStatus jw_song_load(const char* path, JwSong* song, char error[JW_ERROR_SIZE]);
/// Of a song that was parsed or loaded.
JW_API void jw_song_release(JwSong* song);

// ---------------------------------------------------------------- instruments

typedef struct JwInstrument JwInstrument;

/// What the channels of an instrument are.
typedef enum {
  JW_CHANNELS_SCENE, ///< As its scene says; stereo where it does not
  JW_CHANNELS_MONO,
  JW_CHANNELS_STEREO,
  JW_CHANNELS_PICKUPS ///< One a pickup
} JwChannels;

typedef struct {
  // One of these three says which scene
  const char* name; ///< A file, or where there is none of this name, a built-in scene
  const char* text; ///< A scene itself, of `size` bytes; it may include built-in scenes
  size_t size;
  JwScene* scene; ///< One that was read, and muted if it is to be played; it must outlive this

  const JwSceneOptions* options; ///< How `name` and `text` are read; NULL: the defaults
  bool score;                    ///< The scene plays its own score.  Otherwise it waits for notes
  double rate;                   ///< That is heard (Hz); NaN: the scene's own
  uint32_t oversample; ///< The world runs at this many times the rate, to 64; 0: the scene's own
  JwChannels channels;
  double gain; ///< NaN: chosen where the scene says "auto", else 1
  bool trial;  ///< Choose it beforehand: a few notes, or the first seconds, peak at -6 dB
  bool ledger;
  uint32_t voices;        ///< Most notes that sound at once; 0: as many as the scene has voices
  const JwTuning* tuning; ///< NULL: equal steps
  uint32_t threads;       ///< See JwWorldDef
  uint64_t max_points, max_contacts, max_bytes;
  double max_operations;
  /// Puts in what the host needs besides, such as forces of a hand, before the world is prepared;
  /// NULL: nothing.  It may add and look, and its failure is that of the instrument
  JwStatus (*extend)(void* user, JwScene* scene, JwWorld* world);
  void* user; ///< For `extend`
} JwInstrumentDef;

/// Live, at the scene's own rate, with a trial, and the world's own limits.
JW_API JwInstrumentDef jw_instrument_default(void);

/// Read, build, prepare and try it: all memory is taken here.  One that failed is still returned,
/// for the sake of its error; only without memory `*instrument` is NULL.
JW_API JW_MUST_USE JwStatus jw_instrument_create(const JwInstrumentDef* def,
                                                 JwInstrument** instrument);
JW_API void jw_instrument_destroy(JwInstrument* instrument);

/// Why the last call failed, in one sentence; of a scene, the first error with its place.  Never
/// NULL.
JW_API const char* jw_instrument_error(const JwInstrument* instrument);

/// The scene, with its diagnostics and parts, and the world, to look at and to move by hand between
/// two blocks; both belong to the instrument, and are NULL where it did not come that far.
JW_API JwScene* jw_instrument_scene(const JwInstrument* instrument);
JW_API JwWorld* jw_instrument_world(const JwInstrument* instrument);

/// What an instrument came out as.
typedef struct {
  const char* title;      ///< "" without one
  double rate;            ///< That is heard (Hz)
  uint32_t oversample;    ///< Of the world
  uint32_t channels;      ///< Of a block
  uint32_t latency;       ///< Frames from an event to its sound: 40 with oversampling, else 0
  double gain;            ///< Put on blocks
  double duration;        ///< Of the scene (s)
  uint32_t voices;        ///< What a note can sound; 0: it plays its score
  bool mono;              ///< The last key sounds
  bool mpe;               ///< Each note has a channel
  double lowest, highest; ///< Pitches that its voices reach (Hz); NaN: they have none
  bool chromatic;         ///< Every key between them can be had, within a quarter tone
  uint32_t controls;      ///< See jw_instrument_control()
} JwInstrumentInfo;

JW_API JwInstrumentInfo jw_instrument_info(const JwInstrument* instrument);

// ---------------------------------------------------------------- run

/// A MIDI message at a frame of the block.
typedef struct {
  uint32_t frame;
  uint8_t data[3];
  uint8_t size;
} JwPlayerEvent;

/// What to run: `count` frames into `out`, or into `out_double` where that is given, with events
/// that do not go back in time.  Events at or after `count` come right after the last frame.
typedef struct {
  float* const* out;
  double* const* out_double;
  uint32_t count;
  const JwPlayerEvent* events;
  uint32_t event_count;
} JwPlayerBlock;

/// JW_STATUS_NOT_FINITE, with silence, if the state stops being finite.  Events of an instrument
/// that plays its score are left out.
JW_API JW_REALTIME JwStatus jw_instrument_run(JwInstrument* instrument, const JwPlayerBlock* block);

/// What it counted so far.
typedef struct {
  uint64_t notes;       ///< Started
  uint64_t unplayed;    ///< Notes that the tuning leaves out or no voice can sound
  uint64_t astray;      ///< Notes that the nearest voice misses by more than a quarter tone
  uint8_t first_astray; ///< The first of them
  uint64_t dropped;     ///< Changes that did not fit into the world's queue
  uint64_t refused;     ///< Changes that the world refused
} JwPlayerFigures;

JW_API JW_REALTIME JwPlayerFigures jw_instrument_figures(const JwInstrument* instrument);

/// Nothing moves, no key is held, and the last sound has left the filter: what follows is silence
/// until something comes in, and need not be run.  Noticed within some hundred frames.  An
/// instrument that plays its score rests after its end only.
JW_API JW_REALTIME bool jw_instrument_rests(const JwInstrument* instrument);

/// Back to the start: nothing moves, no key is held, controls are where they were.
JW_API void jw_instrument_reset(JwInstrument* instrument);

/// Tune the notes that follow; NULL: equal steps.
JW_API void jw_instrument_tune(JwInstrument* instrument, const JwTuning* tuning);

/// A whole sound at once: `frames` into one array a channel, from the start.
typedef struct {
  double* const* out;
  uint64_t frames;
  const JwSong* song; ///< What is played; NULL: nothing, or the score
} JwRendering;

/// The samples of `jawari render`, and of `jawari render --midi`, in a WAV file of floats: without
/// latency, each event at its own frame of the world, faded out at its end as the scene says, the
/// peak at -1 dB where the gain is to be chosen.  `gain` gets what was put on them; NULL: not
/// wanted.
JW_API JW_MUST_USE JwStatus jw_instrument_render(JwInstrument* instrument,
                                                 const JwRendering* rendering, double* gain);

/// The gain that brings a peak to -1 dB; 1 for silence.
JW_API double jw_level_gain(double peak);

// ---------------------------------------------------------------- controls

/// What can be moved while it sounds: each target once, whatever controllers move it.
typedef struct {
  const char* name;        ///< "rattle.gap"; "voice.force" is that of the bows that play
  const char* unit;        ///< "" without one
  char source[16];         ///< The controller that moves it: "mod", "cc16"
  double minimum, maximum; ///< Both allowed
  double initial;          ///< Where it starts; within them
} JwInstrumentControl;

/// Beyond the last: one without a name.
JW_API JwInstrumentControl jw_instrument_control(const JwInstrument* instrument, uint32_t index);

/// Move a control to a value in its range, in a straight line over `seconds`.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_instrument_set(JwInstrument* instrument, uint32_t index,
                                                          double value, double seconds);

/// Where it is, or, of a voice, where it was last set to.
JW_API JW_REALTIME JW_MUST_USE JwStatus jw_instrument_get(const JwInstrument* instrument,
                                                          uint32_t index, double* value);

/// Write what plays what, a line each, as `jawari play --list-controls` shows it.  Returns the
/// bytes that it wants, without the closing zero, like snprintf.
JW_API size_t jw_instrument_describe(const JwInstrument* instrument, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_PLAY_H
