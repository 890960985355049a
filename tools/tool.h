// SPDX-License-Identifier: MIT
// tool.h: what the verbs of the command share.
//
// A verb is one file with one JwVerb: its name, its help, its table of options.  The table is the
// only place where an option is described: parsing, --help, the man page and the completions read
// it. To add a verb: write the file, name its JwVerb below, and put one row into main.c.
#ifndef JAWARI_TOOL_H
#define JAWARI_TOOL_H

#include <jawari/scene.h>

#include <stdio.h>

/// Exit statuses, the same for every verb.
enum {
  JW_EXIT_OK = 0,
  JW_EXIT_FAILED = 1,   ///< Could not be done: no memory, not writable, disk full
  JW_EXIT_USAGE = 2,    ///< The command line is wrong
  JW_EXIT_SCENE = 3,    ///< A scene has errors
  JW_EXIT_STOPPED = 130 ///< Stopped by Ctrl-C; what was written is whole, only shorter
};

// ---------------------------------------------------------------- options

typedef enum {
  JW_OPTION_FLAG,   ///< bool
  JW_OPTION_TEXT,   ///< const char*
  JW_OPTION_CHOICE, ///< const char*, one of `choices`
  JW_OPTION_NUMBER, ///< double
  JW_OPTION_COUNT,  ///< uint32_t
  JW_OPTION_LIST    ///< JwToolList; may be given more than once
} JwOptionType;

#define JW_TOOL_LIST_MOST 64

typedef struct {
  const char* items[JW_TOOL_LIST_MOST];
  uint32_t count;
} JwToolList;

/// One option; a row with name NULL ends the table.
typedef struct {
  const char* name;   ///< "--rate"
  const char* letter; ///< "-r", or NULL
  const char* value;  ///< "HZ"; "FILE" is completed as a file name; NULL for a flag
  const char* help;   ///< One sentence
  JwOptionType type;
  size_t offset;                       ///< Of the field in the verb's struct
  double minimum, maximum;             ///< Of numbers and counts, both allowed
  const char* const* (*choices)(void); ///< Ended by NULL
} JwOption;

typedef struct {
  const char* name;
  const char* summary;               ///< One line
  const char* usage;                 ///< What follows the name, without "[options]"
  const char* about;                 ///< Paragraphs
  const char* examples;              ///< Lines "command # what it does"
  const JwOption* options;           ///< NULL: the verb reads its command line itself
  bool takes_scene;                  ///< Its operands are scenes
  int (*run)(int argc, char** argv); ///< argv[0] is the verb
} JwVerb;

extern const JwVerb jw_verb_render, jw_verb_plot, jw_verb_info, jw_verb_check, jw_verb_scenes,
    jw_verb_schema, jw_verb_play, jw_verb_bench, jw_verb_converge, jw_verb_lv2, jw_verb_sweep,
    jw_verb_dataset;

typedef enum { JW_PARSED, JW_PARSED_HELP, JW_PARSED_WRONG } JwParsed;

/// Read the options into `fields`; the operands are moved to the front of argv + 1, and counted.
/// Prints the help, or what is wrong.
JwParsed jw_tool_parse(const JwVerb* verb, int* argc, char** argv, void* fields);

/// The same for a verb with one operand, a scene or a file; `says` is what that file says, NULL for a scene.
JwParsed jw_tool_parse_one(const JwVerb* verb, int argc, char** argv, void* fields,
                           const char* says);

void jw_tool_help(const JwVerb* verb, FILE* file);

/// The man page of the whole command, and the completions: "bash" or "zsh".
void jw_tool_man(const JwVerb* const* verbs, FILE* file);
bool jw_tool_completion(const JwVerb* const* verbs, const char* shell, FILE* file);

// ---------------------------------------------------------------- words

/// Print "jawari: " and a sentence to stderr; always false.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool jw_tool_fail(const char* format, ...);

/// Print "jawari: warning: " and a sentence to stderr, and count it.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void jw_tool_warn(const char* format, ...);

/// Why a file could not be written, by errno, which was 0 before; libraries may say nothing.
const char* jw_tool_cause(void);

void jw_tool_count_warning(void);

/// Warnings given so far; those of scenes count with the rest.
uint32_t jw_tool_warnings(void);

/// Say how many warnings there were, if any; with `strict` they are errors: returns JW_EXIT_SCENE
/// then, else `status`.
int jw_tool_close_warnings(bool strict, int status);

/// The option that every verb with warnings has; its field is a bool.
#define JW_OPTION_STRICT(FIELD)                                                                    \
  {                                                                                                \
    "--strict", NULL, NULL, "Warnings are errors: the exit status is 3, and nothing is written.",  \
        JW_OPTION_FLAG, FIELD, 0, 0, NULL                                                          \
  }

/// The same where the command line is wrong, which only comes out later.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool jw_tool_misuse(const char* format, ...);
/// The exit status of what failed: JW_EXIT_USAGE after a misuse.
int jw_tool_failure(void);

/// How unlike two words are: letters to insert, delete, replace or swap.
uint32_t jw_tool_distance(const char* a, const char* b);

bool jw_tool_ends(const char* path, const char* ending);

/// An output must have one of these endings, divided by blanks; "-" and what is no regular file (a
/// pipe) need none.  Prints what is wrong.
bool jw_tool_ending(const char* option, const char* path, const char* endings);

/// Colours are for terminals, and not wanted where NO_COLOR is set.
bool jw_tool_colors(FILE* file);

// ---------------------------------------------------------------- stopping

/// From now on Ctrl-C and the like are wishes, to be asked for.
void jw_stop_catch(void);
bool jw_stop_wanted(void);

// ---------------------------------------------------------------- scenes

/// What the command line says about a scene beside its name.
typedef struct {
  JwToolList sets;    ///< "name=value"
  const char* folder; ///< What a scene from a stream includes from; NULL: nothing
} JwSceneWish;

/// Their rows in a verb's table; OFFSET of its JwSceneWish.
#define JW_OPTION_WISH(OFFSET)                                                                     \
  {"--set",                                                                                        \
   NULL,                                                                                           \
   "NAME=VALUE",                                                                                   \
   "Another value for a number of the scene, as in string.radius=3e-4, world.sample_rate=96000, "  \
   "score[0].amplitude=2, or for a parameter; may be given again.",                                \
   JW_OPTION_LIST,                                                                                 \
   (OFFSET) + offsetof(JwSceneWish, sets),                                                         \
   0,                                                                                              \
   0,                                                                                              \
   NULL},                                                                                          \
  {                                                                                                \
    "--folder", NULL, "FOLDER", "What a scene from standard input includes from.", JW_OPTION_TEXT, \
        (OFFSET) + offsetof(JwSceneWish, folder), 0, 0, NULL                                       \
  }

/// Read a scene: a file, "-" for stdin, or the name of a built-in one.  On failure prints every
/// error and returns the exit status.
int jw_tool_open(const char* name, const JwSceneWish* wish, JwScene** scene);

/// A small text file, at most a megabyte and a byte, ended by a zero; to be freed.  Prints what is
/// wrong.
bool jw_tool_read(const char* path, char** text, size_t* size);

void jw_tool_print_errors(const JwScene* scene);

/// Print and count what looks wrong in a scene whose world is prepared and has not run.
void jw_tool_print_warnings(JwScene* scene, JwWorld* world);

/// The nearest note and how far it is in cents: "C1 -38"; A4 is 440 Hz.
void jw_tool_note(double frequency, char text[24]);

#endif // JAWARI_TOOL_H
