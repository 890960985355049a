// SPDX-License-Identifier: MIT
// The forms that objects in a scene can take, and the keys of each.
//
// A form's keys are the parameters of its kind (jawari/params.h) and the few keys listed in forms.c
// that stand for something else than a field: names, ports, materials.  The reader, the JSON Schema
// and the manual all go by these tables.
#ifndef JAWARI_SCENE_FORMS_H
#define JAWARI_SCENE_FORMS_H

#include <jawari/scene.h>

typedef enum {
  JW_FORM_SCENE,
  JW_FORM_WORLD,
  JW_FORM_MASS,
  JW_FORM_STRING,
  JW_FORM_PLATE,
  JW_FORM_MODAL,
  JW_FORM_BARRIER,
  JW_FORM_COLLISION,
  JW_FORM_CONNECTION,
  JW_FORM_SPRING,
  JW_FORM_FRICTION,
  JW_FORM_BOW,
  JW_FORM_INITIAL,
  JW_FORM_BOWING, ///< From here to JW_FORM_FRET: events of the score
  JW_FORM_PLUCK,
  JW_FORM_STRIKE,
  JW_FORM_PUSH,
  JW_FORM_THROW,
  JW_FORM_SET,
  JW_FORM_NOTE,
  JW_FORM_FRET,
  JW_FORM_PICKUP,
  JW_FORM_PORT,
  JW_FORM_INCLUDE,
  JW_FORM_RANGE,
  JW_FORM_PLAY,
  JW_FORM_VOICE,
  JW_FORM_CONTROL,
  JW_FORM_HUMANISE,
  JW_FORM_COUNT
} JwForm;

/// What a key of forms.c holds.
typedef enum {
  JW_HOLDS_TEXT,
  JW_HOLDS_NUMBER,
  JW_HOLDS_COUNT,
  JW_HOLDS_LIST,
  JW_HOLDS_OBJECT,
  JW_HOLDS_PORT,
  JW_HOLDS_ANY
} JwHolds;

/// A key that is no parameter.
typedef struct {
  uint32_t forms; ///< Bit (1 << form) for each form that has it
  const char* key;
  JwHolds holds;
  bool required;
  const char* help;
} JwFormKey;

const JwFormKey* jw_form_keys(uint32_t* count);

/// "a string", "a pluck": how a form is called in messages.
const char* jw_form_name(JwForm form);

/// The kind whose parameters a form has; JW_KIND_COUNT: none.
JwKind jw_form_kind(JwForm form);

/// The parameters of a form: those of its kind, or its own.
const JwParam* jw_form_params(JwForm form, uint32_t* count);

/// Fill the structure behind a form that has its own parameters with their defaults; choices
/// without one are -1.
void jw_form_default(JwForm form, void* def);

/// The form of an object, or of a contact by its law, with this kind.
JwForm jw_form_of_kind(JwKind kind);

/// The key that says what an event is: "bow", "pluck" ...; NULL for other forms.
const char* jw_form_verb(JwForm form);

/// The extra key or parameter of this name that the form has, or NULL.
const JwFormKey* jw_form_key(JwForm form, const char* key);
const JwParam* jw_form_param(JwForm form, const char* key);

/// Whether a parameter of the form's kind is a key of the form: some are set in other ways.
bool jw_form_has(JwForm form, const JwParam* param);

/// The control that a parameter follows when it is given as a curve; JW_CONTROL_COUNT: it cannot.
JwControl jw_form_control(JwKind kind, const char* key);

#endif // JAWARI_SCENE_FORMS_H
