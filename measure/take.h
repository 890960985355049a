// SPDX-License-Identifier: MIT
// take.h: a scene, computed into memory: the samples that `jawari render` writes, or numbers.
//
//   JwTakeDef def = jw_take_default();
//   def.seconds = 2.0;
//   JwTake* take = NULL;
//   if (jw_take_open(scene, &def, &take)) { ... jw_take_error(take), or the scene's errors ... }
//   float* samples = malloc(jw_take_info(take).frames * jw_take_info(take).channels * 4);
//   jw_take_run(take, samples);
//   jw_take_close(take);
#ifndef JAWARI_TAKE_H
#define JAWARI_TAKE_H

#include <jawari/play.h>

/// What the channels are.
typedef enum {
  JW_TAKE_SCENE, ///< As the scene says; stereo where it does not
  JW_TAKE_MONO,
  JW_TAKE_STEREO,
  JW_TAKE_PICKUPS, ///< One a pickup, with its gain
  JW_TAKE_NUMBERS  ///< One a pickup, in SI units: no gain has a part in it
} JwTakeChannels;

/// Called between two frames of the world, at frame 0 and every `every` frames that are heard.
typedef struct {
  void (*look)(void* user, JwWorld* world);
  void* user;
  uint32_t every; ///< 0: never
} JwTakeWatch;

typedef struct {
  double rate;         ///< That is heard (Hz); NaN: the scene's own
  double seconds;      ///< NaN: the scene's own; of a song, until 3 s after its end
  uint32_t oversample; ///< 0: the scene's own
  JwTakeChannels channels;
  double gain; ///< NaN: the scene's own, where "auto" brings the peak to -1 dB
  bool ledger;
  uint32_t threads;
  JwTakeWatch watch;
  const JwSong* song; ///< Played instead of the score, which is muted; NULL: none
} JwTakeDef;

JW_API JwTakeDef jw_take_default(void);

typedef struct JwTake JwTake;

/// Build and prepare.  A take that failed is still returned, for the sake of its error; `*take` is
/// NULL only without memory.  The scene must outlive it.
JW_API JW_MUST_USE JwStatus jw_take_open(JwScene* scene, const JwTakeDef* def, JwTake** take);
JW_API void jw_take_close(JwTake* take);

/// Why the last call failed; of a scene, its errors are there too.  Never NULL.
JW_API const char* jw_take_error(const JwTake* take);

typedef struct {
  uint64_t frames;
  uint32_t channels;
  double rate; ///< That is heard
  uint32_t oversample;
  double peak; ///< Before the gain; after the run
  double gain; ///< Put on the samples; after the run
} JwTakeInfo;

JW_API JwTakeInfo jw_take_info(const JwTake* take);

/// All of it, once: `samples` gets frames times channels, interleaved.
JW_API JW_MUST_USE JwStatus jw_take_run(JwTake* take, float* samples);

/// End a run from another thread, with JW_STATUS_CANCELLED.
JW_API void jw_take_cancel(JwTake* take);

/// The world of the take, to be looked at.
JW_API JwWorld* jw_take_world(JwTake* take);

#endif // JAWARI_TAKE_H
