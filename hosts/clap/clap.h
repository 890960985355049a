// SPDX-License-Identifier: MIT
// clap.h: inside of the CLAP plug-ins.
#ifndef JAWARI_CLAP_H
#define JAWARI_CLAP_H

#include "abi.h"
#include "plug.h"

#include <stdatomic.h>

#define JW_CLAP_EVENTS 256 ///< Taken in one go; a block with more is run in parts
#define JW_CLAP_NOTES 15   ///< Channels 2 to 16 carry a note each, as in MPE

/// One of the plug-ins: a built-in instrument, or a scene file beside the library.
typedef struct {
  clap_plugin_descriptor_t about;
  char id[96], name[128];
  char* file; ///< NULL: the built-in scene
  const char* builtin;
} JwClapScene;

/// A note of the host's, and the channel that it has in the instrument.
typedef struct {
  int32_t id;
  int16_t port, channel, key;
  bool held;
  uint64_t since;
} JwClapNote;

typedef struct {
  clap_plugin_t plugin;
  const clap_host_t* host;
  const JwClapScene* scene;
  JwFace face;
  clap_id ids[JW_PLAY_MAX_CONTROLS]; ///< Of the face's controls, by their symbols
  char* pack;                        ///< The scene that sounds, or will from the next start
  JwInstrumentInfo info;
  JwPlug* plug; ///< NULL: not active
  _Atomic double base[JW_PLAY_MAX_CONTROLS];
  double shift[JW_PLAY_MAX_CONTROLS]; ///< By modulation
  bool mpe;                           ///< The instrument was told that notes have channels
  JwClapNote notes[JW_CLAP_NOTES];
  uint64_t clock;
  uint32_t part; ///< The frame of the block at which the part begins that is being gathered
  uint32_t event_count;
  JwPlayerEvent events[JW_CLAP_EVENTS];
} JwClap;

static inline JwClap* jw_clap_of(const clap_plugin_t* plugin) {
  return (JwClap*)plugin->plugin_data;
}

/// Tell the host's log.
void jw_clap_say(const JwClap* self, const char* message);

// clap_notes.c: an event of the host's as MIDI messages at a frame of the part that is being run.
void jw_clap_event(JwClap* self, const clap_event_header_t* event, uint32_t frame,
                   const clap_output_events_t* out);
/// As many messages as one event becomes at most must fit.
#define JW_CLAP_MESSAGES 20

// clap_params.c, clap_state.c
void jw_clap_take_param(JwClap* self, const clap_event_header_t* event);
void jw_clap_push_params(JwClap* self);
extern const clap_plugin_params_t jw_clap_params;
extern const clap_plugin_state_t jw_clap_state;

// clap_presets.c
extern const clap_preset_discovery_factory_t jw_clap_preset_factory;
extern const clap_plugin_preset_load_t jw_clap_preset_load;
/// clap_entry.c: the folder beside the library; NULL: there is none.
const char* jw_clap_folder(void);

const clap_plugin_t* jw_clap_create(const JwClapScene* scene, const clap_host_t* host);

#endif // JAWARI_CLAP_H
