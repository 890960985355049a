// SPDX-License-Identifier: MIT
// The papers, one line each.

#include "ducceschi2019/ducceschi2019.h"
#include "bow/bow.h"
#include "nonlinear/nonlinear.h"
#include "paper.h"
#include "papetti2009/papetti2009.h"
#include "willemsen2019/willemsen2019.h"
#include "study/study.h"

#include <string.h>

static const JwPaper* const papers[] = {
    &jw_papetti2009, &jw_ducceschi2019, &jw_willemsen2019,
    &jw_study,       &jw_bow_paper,     &jw_nonlinear_paper,
};

size_t jw_paper_count(void) {
  return sizeof papers / sizeof *papers;
}

const JwPaper* jw_paper_at(size_t index) {
  return papers[index];
}

const JwPaperExperiment* jw_paper_find(const char* id, const JwPaper** paper) {
  for (size_t p = 0; p < jw_paper_count(); ++p) {
    for (size_t e = 0; e < papers[p]->experiment_count; ++e) {
      if (strcmp(papers[p]->experiments[e].id, id) == 0) {
        *paper = papers[p];
        return &papers[p]->experiments[e];
      }
    }
  }
  return NULL;
}
