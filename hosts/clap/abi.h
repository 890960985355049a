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

// Some packages carry a part of the headers only; these three are small enough to be said here.
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

#endif // JAWARI_CLAP_ABI_H
