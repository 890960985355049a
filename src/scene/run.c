// Run a world with the throws of its scene, to the frame.
//
// A throw is a command, and commands are taken at the start of a block: blocks are cut at the throws.
// Nothing is kept between calls but the world's own frame, so that snapshots need no more than that.

#include "scene/scene.h"

#include <math.h>

/// The first frame at or after a time.
static uint64_t frame_of(double time, double rate) { return (uint64_t)ceil(time * rate - 1e-6); }

/// Throw what is due at this frame; returns how many frames may run before the next throw.
static JwStatus throw_due(const JwScene* scene, JwWorld* world, uint32_t* count)
{
  const uint64_t now = jw_world_frame(world);
  const double rate = jw_world_info(world).sample_rate;
  for (const JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    const uint64_t frame = frame_of(thrown->at, rate);
    if (frame == now) {
      const JwStatus status = jw_world_throw(world, thrown->mass->object, thrown->position, thrown->velocity);
      if (status) {
        return status;
      }
    } else if (frame > now && frame - now < *count) {
      *count = (uint32_t)(frame - now);
    }
  }
  return JW_STATUS_OK;
}

#define MOST_CHANNELS JW_SCENE_MAX_PICKUPS

JwStatus jw_scene_run(const JwScene* scene, JwWorld* world, float* const* out, uint32_t count)
{
  float* at[MOST_CHANNELS];
  const uint32_t channels = jw_world_channels(world);
  for (uint32_t done = 0; done < count;) {
    uint32_t frames = count - done;
    JwStatus status = throw_due(scene, world, &frames);
    for (uint32_t c = 0; c < channels; ++c) {
      at[c] = out[c] + done;
    }
    status = status ? status : jw_world_run(world, at, frames);
    if (status) {
      return status;
    }
    done += frames;
  }
  return JW_STATUS_OK;
}

JwStatus jw_scene_run_double(const JwScene* scene, JwWorld* world, double* const* out, uint32_t count)
{
  double* at[MOST_CHANNELS];
  const uint32_t channels = jw_world_channels(world);
  for (uint32_t done = 0; done < count;) {
    uint32_t frames = count - done;
    JwStatus status = throw_due(scene, world, &frames);
    for (uint32_t c = 0; c < channels; ++c) {
      at[c] = out[c] + done;
    }
    status = status ? status : jw_world_run_double(world, at, frames);
    if (status) {
      return status;
    }
    done += frames;
  }
  return JW_STATUS_OK;
}
