// The jawari command.

#include <jawari/jawari.h>

#include <stdio.h>

int main(void)
{
  printf("jawari %s\n", jw_version());
  return 0;
}
