// SPDX-License-Identifier: MIT
// Figures 1 and 2 of the note: the positive part, and a drawing of the tromba marina's parts.

#include "../build.h"
#include "../recording.h"
#include "note.h"
#include "willemsen2019.h"

#include <math.h>

// The engine's force on a mass that starts at rest this deep in a barrier, K = 1 N/m: -[eta]+ of
// the figure.  The mass is so heavy that it stays: one sample moves it by less than (k^2/m) eta,
// 1e-11 of it.
static bool agree_on_force(JwPaperRun* run, double eta) {
  JwBuild b = jw_build_begin(44100.0, false);
  JwMassDef mass = jw_mass_default();
  mass.mass = 100.0, mass.position = -eta;
  const JwObjectId barrier = jw_build_barrier(&b, 0.0), heavy = jw_build_mass(&b, mass);
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(barrier, 0.0), hit.above = jw_port(heavy, 0.0), hit.stiffness = 1.0,
  hit.exponent = 1.0;
  const JwContactId contact = jw_build_hit(&b, hit);
  jw_build_force_ear(&b, contact);
  JwWorld* const world = jw_build_end(run, &b);
  double force = NAN, *out[1] = {&force};
  const bool good = world && jw_world_run_double(world, out, 1) == JW_STATUS_OK;
  jw_world_destroy(world);
  return good
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = eta > 0.0 ? "force at eta = 1 mm, K = 1 N/m"
                                                           : "force at eta = -1 mm",
                                     .unit = "N",
                                     .theirs = 0.5 * (eta + fabs(eta)),
                                     .ours = force,
                                     .tolerance = 1e-9 * fabs(eta),
                                     .why = "a heavy mass does not move in one sample"});
}

bool jw_willemsen_fig1(JwPaperRun* run) {
  enum { POINTS = 101 };
  double eta[POINTS], part[POINTS];
  for (int i = 0; i < POINTS; ++i) {
    eta[i] = -1.0 + 2.0 * i / (POINTS - 1);
    part[i] = 0.5 * (eta[i] + fabs(eta[i]));
  }
  const JwPlotSeries line = jw_paper_line(eta, part, POINTS, NULL);
  const JwPlotMark words[2] = {{JW_PLOT_TEXT, -0.9, 0.12, "apart", 0},
                               {JW_PLOT_TEXT, 0.45, 0.12, "in contact", 0}};
  JwPlotPanel panel = jw_plot_panel_default();
  panel.x = (JwPlotAxis){.label = "\u03b7"};
  panel.y = (JwPlotAxis){.label = "[\u03b7]_{+}"};
  panel.series = &line, panel.series_count = 1;
  panel.marks = words, panel.mark_count = 2;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "The positive part of \u03b7";
  figure.caption =
      "[\u03b7]_{+} = (\u03b7 + |\u03b7|)/2: a collision's force and energy are functions of it";
  figure.panels = &panel, figure.panel_count = 1;
  figure.width = 480.0, figure.height = 200.0;
  return jw_paper_figure(run, "willemsen2019-fig1", &figure) && agree_on_force(run, -1e-3)
         && agree_on_force(run, 1e-3);
}

#define I(LETTER) "<tspan class=\"i\">" LETTER "</tspan>"
#define SUB(LETTERS)                                                                               \
  "<tspan dy=\"4\" font-size=\"10px\">" LETTERS "</tspan><tspan dy=\"-4\">\u200b</tspan>"
#define SUP(LETTERS)                                                                               \
  "<tspan dy=\"-5\" font-size=\"10px\">" LETTERS "</tspan><tspan dy=\"5\">\u200b</tspan>"

// Coordinates in pixels.  The string hangs between two supports; the bridge, a mass, hangs on it by
// a spring and stands above the plate by a gap.
static const char* const system_drawing =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 340\" width=\"760\" height=\"340\" role=\"img\" "
    "aria-label=\"The tromba marina system: a bowed string, a bridge as a mass, and the body as a plate\">\n"
    "<style>text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:13px;fill:#1d2329}"
    ".i{font-style:italic}.q{fill:#4c555e;font-size:12px}.bg{fill:#fff}.s{fill:none;stroke:#1f6fb4;stroke-width:2.5}"
    ".m{fill:#d0541b;fill-opacity:.25;stroke:#d0541b;stroke-width:2}.p{fill:#178a58;fill-opacity:.25;stroke:#178a58;stroke-width:2}"
    ".z{fill:none;stroke:#1d2329;stroke-width:1.6}.d{fill:none;stroke:#8a939c;stroke-dasharray:4 3}.h{fill:#1d2329}"
    "@media(prefers-color-scheme:dark){text{fill:#e4e8ec}.q{fill:#a9b2bb}.bg{fill:#14181c}.s{stroke:#5fb0f2}"
    ".m{fill:#ff8a55;stroke:#ff8a55}.p{fill:#4fcf96;stroke:#4fcf96}.z{stroke:#e4e8ec}.h{fill:#e4e8ec}}</style>\n"
    "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">"
    "<path class=\"h\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    "<path class=\"bg\" d=\"M0 0h760v340H0z\"/>\n"
    "<path class=\"z\" d=\"M40 70v32M32 102h16M720 70v32M712 102h16\"/>\n"
    "<path class=\"s\" d=\"M40 70C150 40 250 46 420 70S640 74 720 70\"/>\n"
    "<text x=\"230\" y=\"36\">string " I("u") "(" I("x") ", " I(
        "t") ")</text>\n"
             "<path class=\"z\" d=\"M128 20v64M122 20h12M122 84h12\"/>\n"
             "<path class=\"z\" marker-end=\"url(#a)\" d=\"M146 30v40\"/>\n"
             "<text x=\"142\" y=\"24\" class=\"q\">bow</text>\n"
             "<path class=\"z\" d=\"M420 70v14l-8 5 16 8-16 8 16 8-16 8 16 8-8 5v14\"/>\n"
             "<text x=\"442\" y=\"108\">" I("F") SUB("\u03b1") " = " I("K") SUB("1") " \u03b7" SUB(
                 "s") " + " I("K") SUB("3") " \u03b7" SUB("s")
                 SUP("3") " + 2\u03c3" SUB("\u00d7") " d\u03b7" SUB("s") "/d" I(
                     "t") "</text>\n"
                          "<text x=\"442\" y=\"130\" class=\"q\">\u03b7" SUB("s") " = " I("u") "(" I("x") SUB("br") ") \u2212 " I(
                              "w") "</text>\n"
                                   "<path class=\"m\" d=\"M390 148h60v50h-60z\"/>\n"
                                   "<text x=\"412\" y=\"178\" class=\"i\">M</text>\n"
                                   "<text x=\"130\" y=\"168\">bridge " I("w") "(" I(
                                       "t") "), a mass</text>\n"
                                            "<text x=\"130\" y=\"188\" class=\"q\">on a spring of its own, \u03c9" SUB("0") ", with loss " I(
                                                "R") "</text>\n"
                                                     "<path class=\"z\" marker-end=\"url(#a)\" d=\"M374 198v-46\"/>\n"
                                                     "<path class=\"d\" d=\"M450 198h44\"/>\n"
                                                     "<path class=\"z\" marker-start=\"url(#a)\" marker-end=\"url(#a)\" d=\"M482 200v36\"/>\n"
                                                     "<text x=\"496\" y=\"222\">\u03b7" SUB("c") " = " I(
                                                         "v") "(" I("x") SUB("br") ", " I("y")
                                                         SUB("br") ") \u2212 " I("w") ", force " I(
                                                             "K") "["
                                                                  "\u03b7" SUB("c") "]" SUB("+") SUP(
                                                                      "\u03b1") "</text>\n"
                                                                                "<path class=\"p\" d=\"M150 238h520l-60 52H90z\"/>\n"
                                                                                "<path class=\"z\" d=\"M90 290v14M610 290v14M670 238v14\"/>\n"
                                                                                "<text x=\"230\" y=\"270\">body " I("v") "(" I(
                                                                                    "x") ", " I("y") ", " I("t") "), a plate</text>\n"
                                                                                                                 "<text x=\"90\" y=\"328\" class=\"q\">Up is positive. The bridge hangs on the string and hits the body from above.</text>\n"
                                                                                                                 "</svg>\n";

bool jw_willemsen_fig2(JwPaperRun* run) {
  JwText text = {0};
  jw_text_add(&text, "%s", system_drawing);
  const bool good = jw_paper_drawing(run, "willemsen2019-fig2", &text);
  jw_text_release(&text);
  const JwNoteSystem* const system = jw_note_find("tromba-spring");
  const double parts =
      (double)(system->strings + system->masses + system->plates + system->contacts);
  return good
         && jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity =
                     "parts of the system that section 7 computes: string, bridge, body, two contacts",
                 .theirs = 5.0,
                 .ours = parts,
                 .why = "drawn is what is computed"});
}
