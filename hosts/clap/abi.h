// SPDX-License-Identifier: MIT
// abi.h: CLAP's headers, wherever this version of them keeps what we need.
#ifndef JAWARI_CLAP_ABI_H
#define JAWARI_CLAP_ABI_H

#include <clap/entry.h>
#include <clap/events.h>
#include <clap/ext/audio-ports.h>
#include <clap/ext/latency.h>
#include <clap/ext/note-ports.h>
#include <clap/ext/params.h>
#include <clap/ext/state.h>
#include <clap/plugin-features.h>
#include <clap/plugin.h>
#if __has_include(<clap/factory/plugin-factory.h>)
#include <clap/factory/plugin-factory.h>
#else
#include <clap/plugin-factory.h>
#endif

// Some packages carry a part of the headers only; these are small enough to be said here.
#if __has_include(<clap/ext/tail.h>)
#include <clap/ext/tail.h>
#else
#define CLAP_EXT_TAIL "clap.tail"
typedef struct {
  uint32_t (*get)(const clap_plugin_t* plugin);
} clap_plugin_tail_t;
#endif

#if __has_include(<clap/ext/voice-info.h>)
#include <clap/ext/voice-info.h>
#else
#define CLAP_EXT_VOICE_INFO "clap.voice-info"
typedef struct {
  uint32_t voice_count, voice_capacity;
  uint64_t flags;
} clap_voice_info_t;
typedef struct {
  bool (*get)(const clap_plugin_t* plugin, clap_voice_info_t* info);
} clap_plugin_voice_info_t;
#endif

#if __has_include(<clap/ext/log.h>)
#include <clap/ext/log.h>
#else
#define CLAP_EXT_LOG "clap.log"
enum { CLAP_LOG_ERROR = 3 };
typedef struct {
  void (*log)(const clap_host_t* host, int32_t severity, const char* message);
} clap_host_log_t;
#endif

#if __has_include(<clap/ext/preset-load.h>) && __has_include(<clap/factory/preset-discovery.h>)
#include <clap/ext/preset-load.h>
#include <clap/factory/preset-discovery.h>
#else
#define CLAP_EXT_PRESET_LOAD "clap.preset-load/2"
#define CLAP_EXT_PRESET_LOAD_COMPAT "clap.preset-load.draft/2"
#define CLAP_PRESET_DISCOVERY_FACTORY_ID "clap.preset-discovery-factory/2"
#define CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT "clap.preset-discovery-factory/draft-2"

enum { CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN };
enum { CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT = 1, CLAP_PRESET_DISCOVERY_IS_USER_CONTENT = 2 };

typedef struct {
  bool (*from_location)(const clap_plugin_t* plugin, uint32_t kind, const char* location,
                        const char* load_key);
} clap_plugin_preset_load_t;

typedef struct {
  void (*on_error)(const clap_host_t* host, uint32_t kind, const char* location,
                   const char* load_key, int32_t os_error, const char* message);
  void (*loaded)(const clap_host_t* host, uint32_t kind, const char* location,
                 const char* load_key);
} clap_host_preset_load_t;

typedef struct {
  const char *abi, *id;
} clap_universal_plugin_id_t;

// Takes what is known of presets.
typedef struct clap_preset_discovery_metadata_receiver {
  void* receiver_data;
  void (*on_error)(const struct clap_preset_discovery_metadata_receiver* receiver, int32_t os_error,
                   const char* message);
  bool (*begin_preset)(const struct clap_preset_discovery_metadata_receiver* receiver,
                       const char* name, const char* load_key);
  void (*add_plugin_id)(const struct clap_preset_discovery_metadata_receiver* receiver,
                        const clap_universal_plugin_id_t* plugin_id);
  void (*set_soundpack_id)(const struct clap_preset_discovery_metadata_receiver* receiver,
                           const char* id);
  void (*set_flags)(const struct clap_preset_discovery_metadata_receiver* receiver, uint32_t flags);
  void (*add_creator)(const struct clap_preset_discovery_metadata_receiver* receiver,
                      const char* creator);
  void (*set_description)(const struct clap_preset_discovery_metadata_receiver* receiver,
                          const char* description);
  void (*set_timestamps)(const struct clap_preset_discovery_metadata_receiver* receiver,
                         uint64_t created, uint64_t changed);
  void (*add_feature)(const struct clap_preset_discovery_metadata_receiver* receiver,
                      const char* feature);
  void (*add_extra_info)(const struct clap_preset_discovery_metadata_receiver* receiver,
                         const char* key, const char* value);
} clap_preset_discovery_metadata_receiver_t;

typedef struct {
  const char *name, *description, *file_extension;
} clap_preset_discovery_filetype_t;

typedef struct {
  uint32_t flags;
  const char* name;
  uint32_t kind;
  const char* location;
} clap_preset_discovery_location_t;

typedef struct {
  uint32_t flags;
  const char *id, *name, *description, *homepage_url, *vendor, *image_path;
  uint64_t released;
} clap_preset_discovery_soundpack_t;

typedef struct {
  clap_version_t clap_version;
  const char *id, *name, *vendor;
} clap_preset_discovery_provider_descriptor_t;

typedef struct clap_preset_discovery_provider {
  const clap_preset_discovery_provider_descriptor_t* desc;
  void* provider_data;
  bool (*init)(const struct clap_preset_discovery_provider* provider);
  void (*destroy)(const struct clap_preset_discovery_provider* provider);
  bool (*get_metadata)(const struct clap_preset_discovery_provider* provider, uint32_t kind,
                       const char* location,
                       const clap_preset_discovery_metadata_receiver_t* receiver);
  const void* (*get_extension)(const struct clap_preset_discovery_provider* provider,
                               const char* id);
} clap_preset_discovery_provider_t;

typedef struct clap_preset_discovery_indexer {
  clap_version_t clap_version;
  const char *name, *vendor, *url, *version;
  void* indexer_data;
  bool (*declare_filetype)(const struct clap_preset_discovery_indexer* indexer,
                           const clap_preset_discovery_filetype_t* filetype);
  bool (*declare_location)(const struct clap_preset_discovery_indexer* indexer,
                           const clap_preset_discovery_location_t* location);
  bool (*declare_soundpack)(const struct clap_preset_discovery_indexer* indexer,
                            const clap_preset_discovery_soundpack_t* soundpack);
  const void* (*get_extension)(const struct clap_preset_discovery_indexer* indexer, const char* id);
} clap_preset_discovery_indexer_t;

typedef struct clap_preset_discovery_factory {
  uint32_t (*count)(const struct clap_preset_discovery_factory* factory);
  const clap_preset_discovery_provider_descriptor_t* (*get_descriptor)(
      const struct clap_preset_discovery_factory* factory, uint32_t index);
  const clap_preset_discovery_provider_t* (*create)(
      const struct clap_preset_discovery_factory* factory,
      const clap_preset_discovery_indexer_t* indexer, const char* id);
} clap_preset_discovery_factory_t;
#endif

#endif // JAWARI_CLAP_ABI_H
