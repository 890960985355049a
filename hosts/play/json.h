// json.h: the "play" section of a scene, as a tree.
//
// The scene's own reader has already checked the text; this one only takes it apart, and refuses what it
// does not understand.
#ifndef JAWARI_PLAY_JSON_H
#define JAWARI_PLAY_JSON_H

#include <jawari/base.h>

typedef enum { JW_NODE_NULL, JW_NODE_FLAG, JW_NODE_NUMBER, JW_NODE_TEXT, JW_NODE_LIST, JW_NODE_OBJECT } JwNodeType;

typedef struct JwNode JwNode;

struct JwNode {
  JwNodeType type;
  double number;   ///< Of a number or flag
  char text[64];   ///< Of a text
  char key[32];    ///< Inside of an object
  uint32_t line;   ///< From the start of the section, from 1
  JwNode* first;   ///< Child
  JwNode* next;    ///< Sibling
};

/// Take a text apart; NULL with a sentence in `error`.  Free it with jw_node_release().
JwNode* jw_node_parse(const char* text, size_t size, char error[JW_ERROR_SIZE]);
void jw_node_release(JwNode* node);

/// The member with this key, or NULL.
const JwNode* jw_node_member(const JwNode* object, const char* key);

#endif // JAWARI_PLAY_JSON_H
