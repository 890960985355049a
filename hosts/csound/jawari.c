// SPDX-License-Identifier: MIT
// Csound: aleft, aright jawari Sscene, kstatus, kchannel, kdata1, kdata2
//
// One instrument; in every cycle in which kstatus is not 0 the message is played, as opcode midiin
// has it: 144 1 60 100 is a note.

#include "plug.h"

#include <jawari/builtin.h>

#include <csound/csdl.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  OPDS h;
  MYFLT *left, *right;
  STRINGDAT* scene;
  MYFLT *status, *channel, *one, *two;
  JwPlug* plug;
  AUXCH memory; ///< Two channels of floats
} Jawari;

static int jawari_close(CSOUND* csound, void* data) {
  (void)csound;
  Jawari* const p = (Jawari*)data;
  jw_plug_close(p->plug);
  p->plug = NULL;
  return OK;
}

static int jawari_init(CSOUND* csound, void* data) {
  Jawari* const p = (Jawari*)data;
  char error[JW_ERROR_SIZE];
  const JwBuiltinScene* const builtin = jw_builtin_find(p->scene->data);
  JwPlugDef def = {.rate = (double)csound->GetSr(csound), .trial = true};
  if (builtin && access(p->scene->data, R_OK) != 0) {
    def.builtin = builtin->name;
  } else {
    def.file = p->scene->data;
  }
  if (p->plug) { // Csound uses the memory of an instrument again
    jw_plug_close(p->plug);
    p->plug = NULL;
  } else {
    csound->RegisterDeinitCallback(csound, p, jawari_close);
  }
  csound->AuxAlloc(csound, 2 * CS_KSMPS * sizeof(float), &p->memory);
  if (jw_plug_open(&def, &p->plug, error)) {
    return csound->InitError(csound, "jawari: %s", error);
  }
  return OK;
}

static bool is_whole(MYFLT value, int least, int most) {
  return value >= least && value <= most && value == (MYFLT)(int)value;
}

static bool take(const Jawari* p, JwPlayerEvent* event) {
  const MYFLT status = *p->status, channel = *p->channel;
  if (!is_whole(status, 128, 224) || (int)status % 16 || !is_whole(channel, 1, 16)
      || !is_whole(*p->one, 0, 127) || !is_whole(*p->two, 0, 127)) {
    return false;
  }
  event->frame = 0;
  event->data[0] = (uint8_t)((int)status + (int)channel - 1);
  event->data[1] = (uint8_t)*p->one;
  event->data[2] = (uint8_t)*p->two;
  event->size = (int)status == 0xc0 || (int)status == 0xd0 ? 2 : 3;
  return true;
}

static int jawari_perform(CSOUND* csound, void* data) {
  Jawari* const p = (Jawari*)data;
  const uint32_t from = p->h.insdshead->ksmps_offset;
  const uint32_t to = CS_KSMPS - p->h.insdshead->ksmps_no_end;
  const MYFLT full = csound->Get0dBFS(csound);
  float* const memory = (float*)p->memory.auxp;
  float* const out[2] = {memory, memory + CS_KSMPS};
  JwPlayerEvent event;
  const bool any = *p->status != 0;
  if (any && !take(p, &event)) {
    return csound->PerfError(csound, &p->h,
                             "jawari: %g %g %g %g is no message: kstatus is 128, 144, ... 224, "
                             "kchannel 1 to 16, data 0 to 127",
                             (double)*p->status, (double)*p->channel, (double)*p->one,
                             (double)*p->two);
  }
  const JwPlayerBlock block = {out, NULL, to - from, &event, any};
  if (jw_plug_run(p->plug, &block)) {
    return csound->PerfError(csound, &p->h, "jawari: the state stops being finite");
  }
  memset(p->left, 0, CS_KSMPS * sizeof(MYFLT));
  memset(p->right, 0, CS_KSMPS * sizeof(MYFLT));
  for (uint32_t n = from; n < to; ++n) {
    p->left[n] = full * (MYFLT)out[0][n - from];
    p->right[n] = full * (MYFLT)out[1][n - from];
  }
  return OK;
}

static char name[] = "jawari", outputs[] = "aa", inputs[] = "Skkkk";

static OENTRY localops[] = {
    {name, sizeof(Jawari), 0, 3, outputs, inputs, jawari_init, jawari_perform, NULL, NULL}};

LINKAGE
