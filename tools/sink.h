// SPDX-License-Identifier: MIT
// sink.h: where pickups are written; the file's ending says how.
//
//   .wav .w64   32-bit float, or 16 or 24 bit      sound: scaled by a gain chosen at the end
//   .flac       24 or 16 bit
//   .ogg        Vorbis
//   .csv        time and every pickup, 17 digits          numbers: never scaled
//   .h5         one dataset a pickup, with its unit
#ifndef JAWARI_TOOL_SINK_H
#define JAWARI_TOOL_SINK_H

#include "h5.h"
#include "outfile.h"

#include <jawari/scene.h>

/// One column of output.
typedef struct {
  char name[64];
  const char* unit;     ///< "m/s"
  const char* quantity; ///< "velocity"
} JwChannel;

typedef struct {
  const JwOrigin* origin; ///< Kept in the file
  double rate;
  uint32_t channel_count;
  const JwChannel* channels;
  uint32_t bits;   ///< 16 or 24; 0: as the format has it
  uint64_t frames; ///< That will come, if nobody stops it
  bool fixed;      ///< The gain is known from the start
  double gain;
} JwSound;

typedef struct JwSink JwSink;

/// One format.
typedef struct {
  const char* ending; ///< ".wav"
  const char* what;   ///< "WAV, 32-bit float"
  bool is_sound;      ///< Channels are mixed as the scene says, and the gain is used
  bool has_top;       ///< Nothing above 1 can be kept
  const char* needs;  ///< The library it is written with, when this build has none; else NULL
  bool (*open)(JwSink* sink);
  bool (*write)(JwSink* sink, const double* frames, uint32_t count); ///< Interleaved
  bool (*close)(JwSink* sink, double gain, bool keep);               ///< keep false: only release
  int subtype;                                                       ///< For libsndfile
} JwFormat;

struct JwSink {
  const JwFormat* format;
  JwOutFile out;
  JwSound sound;
  uint64_t frames;
  FILE* file; ///< Scratch of sounds, text of tables
  void* inside;
};

const JwFormat* jw_formats(uint32_t* count);

/// The format of an output; prints why there is none, or that this build `needs` something for it.
/// `format` is "wav" and the like, or NULL: by the ending; "-" is then a WAV file.
const JwFormat* jw_format_of(const char* path, const char* format);

bool jw_sink_open(JwSink* sink, const JwFormat* format, const char* path, const JwSound* sound);
/// Nothing above 1 can be kept.
bool jw_sink_has_top(const JwSink* sink);
bool jw_sink_write(JwSink* sink, const double* frames, uint32_t count);

/// Finish: scale sounds by `gain`, give the file its name.
bool jw_sink_close(JwSink* sink, double gain);
void jw_sink_cancel(JwSink* sink);

// The formats: sound.c, stream.c, csv.c, h5_pickups.c
bool jw_stream_open(JwSink* sink);
bool jw_stream_write(JwSink* sink, const double* frames, uint32_t count);
bool jw_stream_close(JwSink* sink, double gain, bool keep);
bool jw_sound_open(JwSink* sink);
bool jw_sound_write(JwSink* sink, const double* frames, uint32_t count);
bool jw_sound_close(JwSink* sink, double gain, bool keep);
bool jw_csv_open(JwSink* sink);
bool jw_csv_write(JwSink* sink, const double* frames, uint32_t count);
bool jw_csv_close(JwSink* sink, double gain, bool keep);
bool jw_hdf5_open(JwSink* sink);
bool jw_hdf5_write(JwSink* sink, const double* frames, uint32_t count);
bool jw_hdf5_close(JwSink* sink, double gain, bool keep);
/// The file of a sink that is HDF5; what all contacts did, into one.
JwH5File* jw_hdf5_file(const JwSink* sink);
bool jw_hdf5_contacts(JwH5File* file, const JwWorld* world, const char* const* names,
                      uint32_t count);

#endif // JAWARI_TOOL_SINK_H
