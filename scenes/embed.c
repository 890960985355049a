// SPDX-License-Identifier: MIT
// Write a C table of the files given: embed SCHEMA SCENE.json... > table.c

#include <stdio.h>
#include <string.h>

/// What stands between the quotes after "title":, or another key, on the first line that has it.
static void find_text(const char* path, const char* format, char text[200]) {
  char line[1000];
  FILE* const file = fopen(path, "r");
  text[0] = '\0';
  while (file && !text[0] && fgets(line, sizeof line, file)) {
    sscanf(line, format, text);
  }
  if (file) {
    fclose(file);
  }
}

static int put_bytes(const char* path, int index) {
  FILE* const file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  printf("static const unsigned char text_%d[] = {", index);
  int column = 0;
  for (int c = getc(file); c != EOF; c = getc(file)) {
    printf("%s%d,", column++ % 32 ? "" : "\n", c);
  }
  printf("0};\n");
  fclose(file);
  return 0;
}

int main(int count, char** paths) {
  printf("// Written by embed.c from the files of this folder.\n#include <jawari/builtin.h>\n\n");
  for (int i = 1; i < count; ++i) {
    if (put_bytes(paths[i], i)) {
      return 1;
    }
  }
  printf("\nstatic const JwBuiltinScene scenes[] = {\n");
  for (int i = 2; i < count; ++i) {
    char title[200], group[200];
    const char* const slash = strrchr(paths[i], '/');
    const char* const name = slash ? slash + 1 : paths[i];
    find_text(paths[i], " \"title\": \"%199[^\"]\"", title);
    find_text(paths[i], " \"group\": \"%199[^\"]\"", group);
    if (!title[0]) {
      fprintf(stderr, "%s: a built-in scene needs a line with its \"title\"\n", paths[i]);
      return 1;
    }
    printf("  {\"%.*s\", \"%s\", \"%s\", (const char*)text_%d, sizeof text_%d - 1},\n",
           (int)strcspn(name, "."), name, title, group[0] ? group : "instruments", i, i);
  }
  printf(
      "};\n\nconst JwBuiltinScene* jw_builtin_scenes(uint32_t* count)\n{\n"
      "  if (count) {\n    *count = (uint32_t)(sizeof scenes / sizeof scenes[0]);\n  }\n  return scenes;\n}\n\n"
      "const char* jw_scene_schema(void) { return (const char*)text_1; }\n");
  return 0;
}
