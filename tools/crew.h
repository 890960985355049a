// SPDX-License-Identifier: MIT
// crew.h: workers that take one piece of work after the other, with a line that says how far it is.
// Which worker makes a piece, and when, must not be seen in the result.
#ifndef JAWARI_TOOL_CREW_H
#define JAWARI_TOOL_CREW_H

#include <jawari/base.h>

typedef struct {
  const char* what; ///< "points"
  uint64_t count;   ///< Pieces
  uint32_t workers; ///< 0: one a core
  uint64_t room;    ///< Bytes that each worker has for its piece
  bool quiet;
  void* user;
  /// Is it there from an earlier run?
  bool (*has)(void* user, uint64_t piece);
  /// Make a piece in the worker's own room; from several threads at once.
  JwStatus (*make)(void* user, uint64_t piece, void* room);
  /// Keep it; one thread at a time.  False after printing why not ends the work.
  bool (*keep)(void* user, uint64_t piece, const void* room);
  const uint64_t* failed; ///< Pieces that failed so far, which `keep` counts
} JwCrewDef;

typedef enum { JW_CREW_DONE, JW_CREW_STOPPED, JW_CREW_BROKEN } JwCrewEnd;

/// All pieces that are not there yet.  Ctrl-C ends it; `made` is how many there are then.
JwCrewEnd jw_crew_run(const JwCrewDef* def, uint64_t* made);

// ---------------------------------------------------------------- parts of the work

#define JW_SHARDS_MOST 100000u

/// "2/8".  Prints what is wrong.
bool jw_shard_read(const char* text, uint32_t* shard, uint32_t* shards);

/// The first piece of a shard, counted from 1: stretches that differ by one piece at most.
uint64_t jw_shard_first(uint64_t pieces, uint32_t shard, uint32_t shards);

#endif // JAWARI_TOOL_CREW_H
