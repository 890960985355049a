// SPDX-License-Identifier: MIT
// jawari/params.h: the one table behind defaults, checks, scene keys, sliders and the manual.
#ifndef JAWARI_PARAMS_H
#define JAWARI_PARAMS_H

#include <jawari/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a definition is of.
typedef enum {
  JW_KIND_WORLD,
  JW_KIND_MASS,
  JW_KIND_STRING,
  JW_KIND_PLATE,
  JW_KIND_MODAL,
  JW_KIND_BARRIER,
  JW_KIND_COLLISION,
  JW_KIND_CONNECTION,
  JW_KIND_SPRING,
  JW_KIND_FRICTION,
  JW_KIND_BOW,
  JW_KIND_FORCE,
  JW_KIND_INITIAL,
  JW_KIND_PICKUP,
  JW_KIND_COUNT
} JwKind;

/// The C type of a field.
typedef enum {
  JW_TYPE_NUMBER,  ///< double
  JW_TYPE_NUMBERS, ///< double[count]
  JW_TYPE_COUNT,   ///< uint32_t
  JW_TYPE_COUNTS,  ///< uint32_t[count]
  JW_TYPE_LARGE,   ///< uint64_t
  JW_TYPE_FLAG,    ///< bool
  JW_TYPE_CHOICE,  ///< enum
  JW_TYPE_CHOICES  ///< enum[count]
} JwType;

/// One field of one definition.
typedef struct {
  const char* key;  ///< Field name in C, key in a scene
  const char* unit; ///< "m"; "" without unit
  const char* help; ///< One sentence
  JwType type;
  size_t offset;              ///< Of the field in the definition struct
  uint32_t count;             ///< Elements; 1 for a single value
  double minimum, maximum;    ///< Both allowed.  Not used for flags and choices
  double initial;             ///< Default; NaN: may be left unset
  bool required;              ///< Has no default that makes sense: must be given
  const char* const* choices; ///< Names in the order of the enum, ended by NULL
} JwParam;

/// The table of a kind; `*count` gets its length.  NULL and 0 for what is no kind.
JW_API const JwParam* jw_params(JwKind kind, uint32_t* count);

/// "string", "collision" ...: the kind's name in scenes and messages; "unknown kind" for what is
/// none.
JW_API const char* jw_kind_name(JwKind kind);

/// Fill a definition with its defaults.  Nothing for what is no kind.
JW_API void jw_params_default(JwKind kind, void* def);

/// Check every field of a definition against its range.  On failure `error` gets one sentence with
/// the key, the value and the limit; NULL: not wanted.
JW_API JW_MUST_USE JwStatus jw_params_check(JwKind kind, const void* def,
                                            char error[JW_ERROR_SIZE]);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_PARAMS_H
