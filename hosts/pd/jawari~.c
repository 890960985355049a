// SPDX-License-Identifier: MIT
// Pure Data: [jawari~ scene.json] or [jawari~ tromba], two signals out.
//
//   60 100            a note, key and velocity; velocity 0 lets it go
//   midi 144 60 100   a MIDI message, as [midiin] has its bytes
//   set rattle.gap 1e-5, controls, open other.json, reset

#include "plug.h"

#include <jawari/builtin.h>
#include <m_pd.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_EVENTS 256

static t_class* jawari_class;

typedef struct {
  t_object object;
  t_canvas* canvas;
  t_symbol* scene;
  JwPlug* plug;
  double rate;
  JwPlayerEvent events[MOST_EVENTS]; ///< That came since the last block
  uint32_t count;
} t_jawari;

// ---------------------------------------------------------------- the scene

// Beside the patch, or as it is; else a built-in one.
static void load(t_jawari* x, double rate) {
  char path[MAXPDSTRING], error[JW_ERROR_SIZE];
  JwPlugDef def = {.rate = rate, .trial = true};
  canvas_makefilename(x->canvas, x->scene->s_name, path, (int)sizeof path);
  const JwBuiltinScene* const builtin = jw_builtin_find(x->scene->s_name);
  if (builtin && access(path, R_OK) != 0) {
    def.builtin = builtin->name;
  } else {
    def.file = path;
  }
  JwPlug* plug = NULL;
  x->rate = rate; // Whatever comes of it, it is not tried again in every block
  if (jw_plug_open(&def, &plug, error)) {
    pd_error(x, "jawari~: %s", error);
    return;
  }
  jw_plug_close(x->plug);
  x->plug = plug;
}

static void jawari_open(t_jawari* x, t_symbol* scene) {
  x->scene = scene;
  load(x, sys_getsr());
}

// ---------------------------------------------------------------- messages

static void send(t_jawari* x, int status, int one, int two) {
  if (x->count == MOST_EVENTS) {
    pd_error(x, "jawari~: more than %d messages in a block; this one is lost", MOST_EVENTS);
    return;
  }
  const uint8_t size = (status & 0xf0) == 0xc0 || (status & 0xf0) == 0xd0 ? 2 : 3;
  const JwPlayerEvent event = {0, {(uint8_t)status, (uint8_t)one, (uint8_t)two}, size};
  x->events[x->count++] = event;
}

static bool is_byte(t_float value, int most) {
  return value >= 0 && value <= most && value == (t_float)(int)value;
}

static void jawari_list(t_jawari* x, t_symbol* s, int argc, t_atom* argv) {
  (void)s;
  const t_float key = atom_getfloatarg(0, argc, argv), velocity = atom_getfloatarg(1, argc, argv);
  if (argc != 2 || !is_byte(key, 127) || !is_byte(velocity, 127)) {
    pd_error(x, "jawari~: a note is a key and a velocity, whole numbers from 0 to 127");
    return;
  }
  send(x, velocity > 0 ? 0x90 : 0x80, (int)key, (int)velocity);
}

static void jawari_midi(t_jawari* x, t_symbol* s, int argc, t_atom* argv) {
  (void)s;
  const t_float status = atom_getfloatarg(0, argc, argv);
  const t_float one = atom_getfloatarg(1, argc, argv), two = atom_getfloatarg(2, argc, argv);
  if (argc < 2 || argc > 3 || status < 128 || !is_byte(status, 239) || !is_byte(one, 127)
      || !is_byte(two, 127)) {
    pd_error(x, "jawari~: a MIDI message is a byte from 128 to 239 and one or two from 0 to 127");
    return;
  }
  send(x, (int)status, (int)one, (int)two);
}

static void jawari_set(t_jawari* x, t_symbol* name, t_floatarg value) {
  const JwFace* const face = x->plug ? jw_plug_face(x->plug) : NULL;
  for (uint32_t i = 0; face && i < face->count; ++i) {
    const JwFaceControl* const control = &face->controls[i];
    if (strcmp(control->name, name->s_name) != 0 && strcmp(control->symbol, name->s_name) != 0) {
      continue;
    }
    if ((float)value < (float)control->minimum || (float)value > (float)control->maximum) {
      pd_error(x, "jawari~: %s is %g, must be from %g to %g %s", control->name, (double)value,
               control->minimum, control->maximum, control->unit);
    } else {
      jw_plug_set(x->plug, i, (double)value);
    }
    return;
  }
  pd_error(x, "jawari~: there is no control %s; send \"controls\" to see them", name->s_name);
}

static void jawari_controls(t_jawari* x) {
  const JwFace* const face = x->plug ? jw_plug_face(x->plug) : NULL;
  for (uint32_t i = 0; face && i < face->count; ++i) {
    const JwFaceControl* const control = &face->controls[i];
    post("%s: %g to %g %s, starts at %g", control->symbol, control->minimum, control->maximum,
         control->unit, control->initial);
  }
}

static void jawari_reset(t_jawari* x) {
  if (x->plug) {
    jw_plug_start(x->plug);
  }
  x->count = 0;
}

// ---------------------------------------------------------------- blocks

static t_int* jawari_perform(t_int* w) {
  t_jawari* const x = (t_jawari*)w[1];
  t_sample* const out[2] = {(t_sample*)w[2], (t_sample*)w[3]};
  const uint32_t count = (uint32_t)w[4];
  if (x->plug) {
    const JwPlayerBlock block = {out, NULL, count, x->events, x->count};
    (void)jw_plug_run(x->plug, &block);
    x->count = 0;
  } else {
    memset(out[0], 0, count * sizeof(t_sample));
    memset(out[1], 0, count * sizeof(t_sample));
  }
  return w + 5;
}

// Pd calls this when sound is switched on, and not from where it is computed.
static void jawari_dsp(t_jawari* x, t_signal** sp) {
  const double rate = (double)sp[0]->s_sr;
  if (rate != x->rate) {
    load(x, rate);
  }
  dsp_add(jawari_perform, 4, x, sp[0]->s_vec, sp[1]->s_vec, (t_int)sp[0]->s_n);
}

// ---------------------------------------------------------------- life

static void* jawari_new(t_symbol* scene) {
  t_jawari* const x = (t_jawari*)pd_new(jawari_class);
  x->canvas = canvas_getcurrent();
  x->scene = scene;
  x->plug = NULL;
  x->count = 0;
  x->rate = 0.0;
  outlet_new(&x->object, &s_signal);
  outlet_new(&x->object, &s_signal);
  if (!scene->s_name[0]) {
    pd_error(x, "jawari~: wants a scene: a file beside the patch, or a built-in one");
    return NULL;
  }
  load(x, sys_getsr());
  return x;
}

static void jawari_free(t_jawari* x) {
  jw_plug_close(x->plug);
}

#pragma GCC visibility push(default)
void jawari_tilde_setup(void);
#pragma GCC visibility pop

#define METHOD(FUNCTION) ((t_method)(void (*)(void))(FUNCTION))

void jawari_tilde_setup(void) {
  jawari_class = class_new(gensym("jawari~"), (t_newmethod)(void (*)(void))jawari_new,
                           METHOD(jawari_free), sizeof(t_jawari), CLASS_DEFAULT, A_DEFSYM, 0);
  class_addlist(jawari_class, jawari_list);
  class_addmethod(jawari_class, METHOD(jawari_midi), gensym("midi"), A_GIMME, 0);
  class_addmethod(jawari_class, METHOD(jawari_set), gensym("set"), A_SYMBOL, A_FLOAT, 0);
  class_addmethod(jawari_class, METHOD(jawari_open), gensym("open"), A_SYMBOL, 0);
  class_addmethod(jawari_class, METHOD(jawari_controls), gensym("controls"), 0);
  class_addmethod(jawari_class, METHOD(jawari_reset), gensym("reset"), 0);
  class_addmethod(jawari_class, METHOD(jawari_dsp), gensym("dsp"), A_CANT, 0);
}
