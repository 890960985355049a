// The jawari command.

#include <jawari/jawari.h>

#include "tool_paper.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv)
{
  if (argc > 1 && strcmp(argv[1], "paper") == 0) {
    return jw_tool_paper(argc - 1, argv + 1);
  }
  printf("jawari %s\n", jw_version());
  return 0;
}
