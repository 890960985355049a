// SPDX-License-Identifier: MIT
// index.html: every figure, and the paper's numbers beside ours.
//
// One page without network, script or font: figures and sounds lie beside it under relative names,
// colours follow the reader's preference.

#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n"
    "<title>jawari: the papers, reproduced</title>\n<style>\n"
    ":root{color-scheme:light dark;--ink:#1d2329;--soft:#4c555e;--line:#dfe3e7;--page:#f6f7f8;\n"
    "--card:#fff;--link:#1f6fb4;--good:#137a4b;--bad:#b3261e;--known:#8a6500}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#a9b2bb;--line:#2b3238;\n"
    "--page:#0e1114;--card:#14181c;--link:#5fb0f2;--good:#4fcf96;--bad:#ff8a80;--known:#e6bd3d}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);\n"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n"
    "main{max-width:1060px;margin:0 auto;padding:28px 18px 80px}\n"
    "h1{font-size:1.9rem;margin:.2em 0}h2{font-size:1.35rem;margin:2.2em 0 .2em}\n"
    "h3{font-size:1.1rem;margin:0 0 .3em}p{margin:.5em 0;max-width:76ch}\n"
    "a{color:var(--link)}.soft{color:var(--soft)}code{font-size:.88em}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:10px;\n"
    "padding:18px 20px;margin:18px 0}\n"
    "img{display:block;max-width:100%;height:auto;margin:14px auto}\n"
    ".scroll{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:.88rem;margin:12px 0}\n"
    "th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--line)}\n"
    "td{vertical-align:top}th{color:var(--soft);font-weight:600}\n"
    ".num{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".given td{font-variant-numeric:tabular-nums}.given td+td{padding-right:14px}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:700}.known{color:var(--known)}\n"
    "nav p{margin:1em 0 .1em;font-weight:600}\n"
    "nav ul{columns:2;padding-left:1.2em;margin:.2em 0;font-size:.92rem}\n"
    "@media(max-width:700px){nav ul{columns:1}section{padding:14px 12px}\n"
    "img{max-width:none;width:860px}}\n"
    ".sound{margin:10px 0;display:flex;flex-wrap:wrap;align-items:center;gap:4px 14px}\n"
    "figcaption{color:var(--soft);font-size:.92rem}\n"
    "audio{width:100%;max-width:340px}</style>\n</head>\n<body>\n<main>\n";

static void add_tagged(JwText* page, const char* tag, const char* words) {
  jw_text_add(page, "<%s>", tag);
  jw_text_escaped(page, words);
  jw_text_add(page, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

static void add_number(JwText* page, double value, const char* unit) {
  jw_text_add(page, isfinite(value) ? "<td class=\"num\">%.7g" : "<td class=\"num\">%g", value);
  if (*unit) {
    jw_text_add(page, "\u202f");
    jw_text_escaped(page, unit);
  }
  jw_text_add(page, "</td>");
}

static void add_agreement(JwText* page, const JwPaperAgreement* a) {
  const bool holds = jw_paper_holds(a);
  jw_text_add(page, "<tr>");
  add_tagged(page, "td", a->quantity);
  add_number(page, a->theirs, a->unit);
  add_number(page, a->ours, a->unit);
  jw_text_add(page,
              "<td class=\"num\">%.3g</td><td class=\"num\">%.2g</td><td class=\"%s\">%s</td>",
              a->ours - a->theirs, a->tolerance,
              !holds       ? "bad"
              : a->differs ? "known"
                           : "good",
              !holds       ? "broken"
              : a->differs ? "differs"
                           : "agrees");
  jw_text_add(page, "<td>%s", a->own ? "(derived) " : "");
  jw_text_escaped(page, a->why);
  jw_text_add(page, "</td></tr>\n");
}

static void add_agreements(JwText* page, const JwPaperRun* run) {
  if (!run->agreement_count) {
    return;
  }
  jw_text_add(
      page,
      "<div class=\"scroll\"><table><thead><tr><th>quantity</th><th>paper</th><th>here</th>"
      "<th>difference</th><th>allowed</th><th>verdict</th><th>why</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < run->agreement_count; ++i) {
    add_agreement(page, &run->agreements[i]);
  }
  jw_text_add(page, "</tbody></table></div>\n");
}

static void add_table(JwText* page, const char* rows) {
  jw_text_add(page, "<div class=\"scroll\"><table class=\"given\">\n");
  for (bool first = true; *rows; first = false) {
    const char* const tag = first ? "th" : "td";
    jw_text_add(page, "<tr>");
    for (bool more = true; more;) {
      char cell[200];
      const size_t length = strcspn(rows, "\t\n");
      snprintf(cell, sizeof cell, "%.*s", (int)length, rows);
      add_tagged(page, tag, cell);
      more = rows[length] == '\t';
      rows += length + (rows[length] != '\0');
    }
    jw_text_add(page, "</tr>\n");
  }
  jw_text_add(page, "</table></div>\n");
}

static void add_sound(JwText* page, const char* text) {
  const int length = (int)strcspn(text, "\t");
  jw_text_add(page,
              "<figure class=\"sound\"><audio controls preload=\"metadata\" src=\"%.*s\"></audio>"
              "<figcaption>",
              length, text);
  jw_text_escaped(page, text + length + (text[length] != '\0'));
  jw_text_add(page, "</figcaption></figure>\n");
}

static void add_item(JwText* page, const JwPaperRun* run, const JwPaperItem* item) {
  switch (item->kind) {
  case JW_PAPER_FIGURE:
    jw_text_add(page, "<div class=\"scroll\"><a href=\"%s\"><img src=\"%s\" alt=\"", item->text,
                item->text);
    jw_text_escaped(page, run->experiment->title);
    jw_text_add(page, "\"></a></div>\n");
    break;
  case JW_PAPER_SOUND: add_sound(page, item->text); break;
  case JW_PAPER_REMARK: add_tagged(page, "p", item->text); break;
  case JW_PAPER_TABLE: add_table(page, item->text); break;
  case JW_PAPER_DATA: break; // Listed below
  }
}

static void add_data(JwText* page, const JwPaperRun* run) {
  jw_text_add(page, "<p class=\"soft\"><code>jawari paper run %s --out DIR</code>",
              run->experiment->id);
  for (size_t i = 0; i < run->item_count; ++i) {
    if (run->items[i].kind == JW_PAPER_DATA) {
      jw_text_add(page, " \u00b7 <a href=\"%s\">%s</a>", run->items[i].text, run->items[i].text);
    }
  }
  jw_text_add(page, "</p>\n");
}

static void add_paragraphs(JwText* page, const char* text) {
  while (text && *text) {
    const size_t length = strcspn(text, "\n");
    char paragraph[2000];
    snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
    add_tagged(page, "p", paragraph);
    text += length + (text[length] != '\0');
  }
}

static void add_run(JwText* page, const JwPaperRun* run) {
  jw_text_add(page, "<section id=\"%s\">\n", run->experiment->id);
  add_tagged(page, "h3", run->experiment->title);
  add_tagged(page, "p", run->experiment->description);
  if (run->error[0]) {
    add_tagged(page, "p class=\"bad\"", run->error);
  }
  for (size_t i = 0; i < run->item_count; ++i) {
    add_item(page, run, &run->items[i]);
  }
  add_agreements(page, run);
  add_data(page, run);
  jw_text_add(page, "</section>\n");
}

static void add_summary(JwText* page, JwPaperRun* const* runs, size_t count) {
  size_t agree = 0, differ = 0, broken = 0;
  for (size_t r = 0; r < count; ++r) {
    for (size_t i = 0; i < runs[r]->agreement_count; ++i) {
      const bool holds = jw_paper_holds(&runs[r]->agreements[i]);
      broken += !holds;
      agree += holds && !runs[r]->agreements[i].differs;
      differ += holds && runs[r]->agreements[i].differs;
    }
  }
  jw_text_add(
      page,
      "<p>%zu experiments. Of %zu numbers compared, <span class=\"good\">%zu agree</span> within "
      "the tolerance given beside them, <span class=\"known\">%zu differ</span> for a reason given "
      "beside them, and <span class=\"%s\">%zu are broken</span>.</p>\n",
      count, agree + differ + broken, agree, differ, broken ? "bad" : "soft", broken);
}

static void add_contents(JwText* page, JwPaperRun* const* runs, size_t count) {
  jw_text_add(page, "<nav>\n");
  for (size_t r = 0; r < count; ++r) {
    if (r == 0 || runs[r]->paper != runs[r - 1]->paper) {
      add_tagged(page, "p", runs[r]->paper->title);
      jw_text_add(page, "<ul>\n");
    }
    jw_text_add(page, "<li><a href=\"#%s\">", runs[r]->experiment->id);
    jw_text_escaped(page, runs[r]->experiment->title);
    jw_text_add(page, "</a></li>\n");
    if (r + 1 == count || runs[r + 1]->paper != runs[r]->paper) {
      jw_text_add(page, "</ul>\n");
    }
  }
  jw_text_add(page, "</nav>\n");
}

bool jw_paper_page(JwPaperRun* const* runs, size_t count, const char* folder) {
  JwText page = {0};
  jw_text_add(&page, "%s<h1>The papers, reproduced</h1>\n", head);
  add_summary(&page, runs, count);
  add_contents(&page, runs, count);
  for (size_t r = 0; r < count; ++r) {
    if (r == 0 || runs[r]->paper != runs[r - 1]->paper) {
      add_tagged(&page, "h2", runs[r]->paper->title);
      jw_text_add(&page, "<p class=\"soft\">");
      jw_text_escaped(&page, runs[r]->paper->authors);
      jw_text_add(&page, ". ");
      jw_text_escaped(&page, runs[r]->paper->source);
      jw_text_add(&page, "</p>\n");
      add_paragraphs(&page, runs[r]->paper->introduction);
    }
    add_run(&page, runs[r]);
    if (r + 1 == count || runs[r + 1]->paper != runs[r]->paper) {
      add_paragraphs(&page, runs[r]->paper->discussion);
    }
  }
  jw_text_add(&page, "</main>\n</body>\n</html>\n");
  char path[1024];
  const int length = snprintf(path, sizeof path, "%s/index.html", folder);
  const bool good = length > 0 && (size_t)length < sizeof path && jw_text_save(&page, path);
  jw_text_release(&page);
  return good;
}
