// SPDX-License-Identifier: MIT
// The man page and the shells' completions, written from the verbs' tables.

#include "tool.h"

#include <string.h>

// ---------------------------------------------------------------- man page

// roff reads backslashes and leading dots and quotes; a minus in code is \-.
static void put(FILE* file, const char* text, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    const bool starts = i == 0 || text[i - 1] == '\n';
    if (starts && (text[i] == '.' || text[i] == '\'')) {
      fputs("\\&", file);
    }
    if (text[i] == '\\') {
      fputs("\\e", file);
    } else if (text[i] == '-') {
      fputs("\\-", file);
    } else if (text[i] == '\n' && text[i + 1] == '\n' && i + 1 < length) {
      fputs("\n.PP\n", file);
      ++i;
    } else {
      fputc(text[i], file);
    }
  }
}

static void put_text(FILE* file, const char* text) {
  put(file, text, strlen(text));
}

static void put_option(FILE* file, const JwOption* option) {
  fputs(".TP\n.B ", file);
  if (option->letter) {
    put_text(file, option->letter);
    fputs(", ", file);
  }
  put_text(file, option->name);
  if (option->value) {
    fputs(" \\fI", file);
    put_text(file, option->value);
    fputs("\\fR", file);
  }
  fputs("\n", file);
  put_text(file, option->help);
  fputs("\n", file);
}

static void put_examples(FILE* file, const char* line) {
  while (*line) {
    const size_t length = strcspn(line, "#\n");
    const char* const end = strchr(line, '\n');
    fputs(".TP\n.B ", file);
    put(file, line, length && line[length] == '#' ? length - 1 : length);
    fputs("\n", file);
    if (line[length] == '#') {
      put(file, line + length + 2, (size_t)(end - line) - length - 2);
    }
    fputs("\n", file);
    line = end + 1;
  }
}

static void put_verb(FILE* file, const JwVerb* verb) {
  fputs(".SS jawari ", file);
  put_text(file, verb->name);
  fputs(" ", file);
  put_text(file, verb->usage);
  fputs("\n", file);
  put_text(file, verb->about ? verb->about : verb->summary);
  fputs("\n", file);
  for (const JwOption* option = verb->options; option && option->name; ++option) {
    put_option(file, option);
  }
  if (verb->examples) {
    fputs(".PP\nExamples:\n", file);
    put_examples(file, verb->examples);
  }
}

void jw_tool_man(const JwVerb* const* verbs, FILE* file) {
  fprintf(
      file,
      ".TH JAWARI 1 \"\" \"jawari %s\" \"User Commands\"\n"
      ".SH NAME\njawari \\- things that vibrate and collide, and sound\n"
      ".SH SYNOPSIS\n.B jawari\n.I verb\n.RI [ arguments ]\n"
      ".SH DESCRIPTION\n"
      "jawari computes scenes: strings, plates, masses and bars that touch, rattle and are bowed, described in a "
      "text file.  It writes sounds, tables and pictures, and keeps an energy ledger of everything.\n"
      ".SH VERBS\n",
      jw_version());
  for (uint32_t i = 0; verbs[i]; ++i) {
    put_verb(file, verbs[i]);
  }
  fputs(
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\nDone.\n"
      ".TP\n.B 1\nFailed: no memory, a file that cannot be read or written, a full disk.\n"
      ".TP\n.B 2\nThe command line is wrong.\n"
      ".TP\n.B 3\nA scene has errors.\n"
      ".TP\n.B 130\nStopped by Ctrl\\-C; what was written is whole, only shorter.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B NO_COLOR\nWhen set and not empty, messages on a terminal have no colours.\n"
      ".TP\n.B TMPDIR\nWhere output for a pipe or device is gathered; /tmp without it.\n"
      ".SH NOTES\n"
      "The same scene gives the same bytes each time and on every machine; only Ogg files differ, in a serial "
      "number that the format wants to be random.\n",
      file);
}

// ---------------------------------------------------------------- completions

static void put_words(FILE* file, const JwVerb* verb) {
  for (const JwOption* option = verb->options; option && option->name; ++option) {
    fprintf(file, "%s ", option->name);
  }
  fputs("--help", file);
}

static void put_choices(FILE* file, const JwOption* option) {
  const char* const* const choices = option->choices();
  for (uint32_t i = 0; choices[i]; ++i) {
    fprintf(file, "%s%s", i ? " " : "", choices[i]);
  }
}

static void bash(const JwVerb* const* verbs, FILE* file) {
  fputs("# bash completion for jawari\n_jawari()\n{\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='",
        file);
  for (uint32_t i = 0; verbs[i]; ++i) {
    fprintf(file, "%s ", verbs[i]->name);
  }
  fputs("--help --version'\n  else\n    case ${COMP_WORDS[1]}:$before in\n", file);
  for (uint32_t i = 0; verbs[i]; ++i) {
    for (const JwOption* option = verbs[i]->options; option && option->name; ++option) {
      if (option->choices) {
        fprintf(file, "      %s:%s) words='", verbs[i]->name, option->name);
        put_choices(file, option);
        fputs("' ;;\n", file);
      } else if (option->value && strstr(option->value, "FILE")) {
        fprintf(file, "      %s:%s|%s:%s) compopt -o default; COMPREPLY=(); return ;;\n",
                verbs[i]->name, option->name, verbs[i]->name,
                option->letter ? option->letter : option->name);
      } else if (option->value && strcmp(option->value, "NAME") == 0) {
        fprintf(file, "      %s:%s) words=$(jawari scenes --names 2>/dev/null) ;;\n",
                verbs[i]->name, option->name);
      }
    }
    fprintf(file, "      %s:*)\n        words='", verbs[i]->name);
    put_words(file, verbs[i]);
    fputs("'\n", file);
    if (verbs[i]->takes_scene) {
      fputs(
          "        case $word in -*) ;; *) compopt -o default; words=$(jawari scenes --names 2>/dev/null) ;; esac\n",
          file);
    }
    fputs("        ;;\n", file);
  }
  fputs(
      "    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -F _jawari jawari\n",
      file);
}

// In zsh's specifications, brackets, colons and quotes are special.
static void put_quoted(FILE* file, const char* text) {
  for (; *text; ++text) {
    if (*text == '\'') {
      fputs("'\\''", file);
    } else {
      fprintf(file, strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
    }
  }
}

static void zsh_option(FILE* file, const JwOption* option) {
  fprintf(file, " \\\n        '%s%s[", option->type == JW_OPTION_LIST ? "*" : "", option->name);
  put_quoted(file, option->help);
  fputs("]", file);
  if (option->value) {
    fprintf(file, ":%s:", option->value);
    if (option->choices) {
      fputs("(", file);
      put_choices(file, option);
      fputs(")", file);
    } else if (strcmp(option->value, "FILE") == 0) {
      fputs("_files", file);
    }
  }
  fputs("'", file);
}

static void zsh(const JwVerb* const* verbs, FILE* file) {
  fputs(
      "#compdef jawari\n_jawari_scenes() {\n  local -a names\n  names=(${(f)\"$(jawari scenes --names 2>/dev/null)\"})\n"
      "  _alternative 'scenes:built-in scene:compadd -a names' 'files:scene file:_files'\n}\n"
      "_jawari() {\n  local -a verbs\n  verbs=(\n",
      file);
  for (uint32_t i = 0; verbs[i]; ++i) {
    fprintf(file, "    '%s:", verbs[i]->name);
    put_quoted(file, verbs[i]->summary);
    fputs("'\n", file);
  }
  fputs("  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
        "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n",
        file);
  for (uint32_t i = 0; verbs[i]; ++i) {
    fprintf(file, "    %s)\n      _arguments '--help[Show what it can do.]'", verbs[i]->name);
    for (const JwOption* option = verbs[i]->options; option && option->name; ++option) {
      zsh_option(file, option);
    }
    fprintf(file, " \\\n        '*:%s' ;;\n",
            verbs[i]->takes_scene ? "scene:_jawari_scenes" : "file:_files");
  }
  fputs("  esac\n}\n_jawari \"$@\"\n", file);
}

bool jw_tool_completion(const JwVerb* const* verbs, const char* shell, FILE* file) {
  if (strcmp(shell, "bash") == 0) {
    bash(verbs, file);
  } else if (strcmp(shell, "zsh") == 0) {
    zsh(verbs, file);
  } else {
    return jw_tool_fail("--completion wants bash or zsh, not \"%s\"", shell);
  }
  return true;
}
