// SPDX-License-Identifier: MIT
// tool_paper.h: the verb `paper`.
#ifndef JAWARI_TOOL_PAPER_H
#define JAWARI_TOOL_PAPER_H

/// argv[0] is the verb; returns the exit status.
int jw_tool_paper(int argc, char** argv);

#endif // JAWARI_TOOL_PAPER_H
