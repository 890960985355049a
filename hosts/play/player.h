// SPDX-License-Identifier: MIT
// player.h: inside of the player.
#ifndef JAWARI_PLAYER_H
#define JAWARI_PLAYER_H

#include "play.h"

#define JW_PLAYER_VOICES JW_PLAY_MAX_VOICES
#define JW_PLAYER_CONTROLS JW_PLAY_MAX_CONTROLS
#define JW_PLAYER_HELD 128
#define JW_PLAYER_CHANNELS 17
#define JW_PLAYER_SCORE 16 ///< The channel of notes that the scene's own score plays

typedef enum { JW_VOICE_BOW, JW_VOICE_BLOW, JW_VOICE_THROW } JwVoiceKind;

/// What sounds a note.
typedef struct {
  JwVoiceKind kind;
  char name[64];
  char object[64]; ///< What it sounds
  uint32_t group;  ///< The instrument that it belongs to, of several in one scene
  int mode;        ///< Of that instrument: 0 poly, 1 mono; -1: not said
  JwContactId bow;
  JwExciterId blow;
  JwObjectId mass, string;
  double frequency;     ///< Of the open string; NaN: none (a drum)
  double fundamental;   ///< Of the string itself
  double tension, bend; ///< Of the string, as it is; the most that it may rise
  JwPlayPitch pitch;
  double strength[2];     ///< Force, amplitude or velocity at MIDI velocity 1 and 127
  double speed;           ///< Of the bow
  double pace;            ///< The speed that `strength` is meant for: a slower bow bears less
  double swell[2];        ///< Shares of `speed` for the softest note and the loudest
  double share;           ///< Of them, now
  double x;               ///< Place of the bow
  double from;            ///< Where a mass is thrown from
  double attack, release; ///< s
  bool alternate;         ///< The bow turns with every note that is not legato
  // Finger
  JwContactId touch; ///< Its contact with the string
  JwControl touch_x; ///< Which of the contact's ports is on the string
  JwObjectId finger;
  double up, down; ///< Positions of the finger
  double sounding; ///< The part of the string that sounds, as a fraction, from x = 0
  double
      bow_share; ///< Harmonics: place of the bow as a share of the part before the finger; 0: it stays
  int most;      ///< Highest harmonic
  double lighter; ///< Harmonics: the bow's force falls as n to the minus this
  double reach;   ///< By a finger: the highest pitch over that of the open string
  double behind;  ///< By a finger: of the part that sounds, so much behind the fret
  JwContactId damper[JW_PLAY_MAX_DAMPERS];
  double damping[2]; ///< Its loss: lifted, and on the string
  // Now
  int note, channel; ///< -1: silent
  uint64_t used;     ///< When it was last started, for taking the oldest
  double wanted;     ///< Hz, of the note without bend
  double cents;      ///< By which the score bends it
  double force;      ///< Of the bow, at its pace
  bool up_bow;
} JwVoice;

/// What a controller moves.
typedef struct {
  int source;
  char name[96]; ///< "bow.force"
  bool voice;    ///< Of the voice that the message's channel plays
  JwTarget target;
  double range[2];
  bool square; ///< Finer at the low end
  double over; ///< s
} JwPlayerControl;

typedef struct {
  double bend; ///< -1 to 1
  uint8_t cc[128];
  uint8_t pressure;
  uint8_t rpn[2];
  double bend_range; ///< Semitones
} JwPlayerChannel;

typedef struct {
  uint32_t note; ///< A key; of the score, 128 and more
  uint8_t channel;
  double frequency; ///< Hz
  double strength;  ///< 0 to 1
  const char* on;   ///< Voices of this name only; NULL: any
  bool down;        ///< The key itself; otherwise held by the pedal
  uint32_t group;   ///< Of the voice that sounds it
} JwHeld;

typedef struct JwScore JwScore;

struct JwPlayer {
  JwWorld* world;
  JwTuning tuning;
  bool mono, mpe; ///< All its groups are mono
  bool mono_group[JW_PLAYER_VOICES];
  JwScore* score; ///< The notes of the scene's own score; NULL: none
  uint32_t most;  ///< Notes that sound at once; 0: as many as there are voices
  JwVoice voices[JW_PLAYER_VOICES];
  uint32_t voice_count;
  JwPlayerControl controls[JW_PLAYER_CONTROLS];
  uint32_t control_count;
  JwPlayerChannel channels[JW_PLAYER_CHANNELS];
  JwHeld held[JW_PLAYER_HELD]; ///< In the order they were pressed
  uint32_t held_count;
  uint64_t clock;
  uint32_t channel_count; ///< Of the world's output
  JwPlayerFigures figures;
};

// setup.c: from the scene
JwStatus jw_player_defaults(JwPlayer* player, const JwScene* scene, char error[JW_ERROR_SIZE]);
// section.c: from its "play" section
JwStatus jw_player_section(JwPlayer* player, const JwScene* scene, char error[JW_ERROR_SIZE]);

/// A voice on what this part is; false if it cannot sound.
bool jw_voice_of(const JwPlayer* player, const JwScenePart* part, JwVoice* voice);

// voice.c
void jw_voice_start(JwPlayer* player, JwVoice* voice, const JwHeld* note, bool legato);
void jw_voice_stop(JwPlayer* player, JwVoice* voice);
/// Put its dampers down, or lift them.
void jw_voice_damp(JwPlayer* player, const JwVoice* voice, bool down);
/// The highest pitch that it reaches (Hz); NaN: it has none.
double jw_voice_highest(const JwVoice* voice);
/// Force, amplitude or velocity of a note as strong as this, 0 to 1.
double jw_voice_strength(const JwVoice* voice, double strength);
/// Move the bow at its speed, and, as strong as this, 0 to 1, at the speed and force of that.
void jw_voice_draw(JwPlayer* player, const JwVoice* voice, double seconds);
void jw_voice_swell(JwPlayer* player, JwVoice* voice, double strength, double seconds);
/// Bear on the string with `force` at the bow's pace, for the harmonic that sounds, over so many
/// seconds.
void jw_voice_press(JwPlayer* player, JwVoice* voice, double force, double seconds);
/// Move the bow: along the string, or, where a finger is on a node, as a share of the part before
/// it.
void jw_voice_place(JwPlayer* player, JwVoice* voice, double x, double seconds);
void jw_voice_tune(JwPlayer* player, JwVoice* voice, double seconds);
void jw_player_set(JwPlayer* player, JwTarget target, double value, double seconds);

/// Run the world by `count` frames, with the notes of its own score.
JW_REALTIME JwStatus jw_player_advance(JwPlayer* player, double* const* out, uint32_t count);

// midi.c
/// A note starts, and is let go.
void jw_player_press(JwPlayer* player, const JwHeld* note);
void jw_player_release(JwPlayer* player, uint8_t channel, uint32_t note);
/// The voice that sounds a note; NULL: none.
JwVoice* jw_player_sounding(JwPlayer* player, uint32_t note, int channel);
/// Whether some voice that may sound a note comes within a quarter tone of it.
bool jw_player_reaches(const JwPlayer* player, double frequency, const char* on);
bool jw_voice_is_called(const JwVoice* voice, const char* name);

// score.c
/// Notes of the scene for a player; on failure `error` gets one sentence with the note's place.
JwStatus jw_score_create(const JwScene* scene, JwPlayer* player, char error[JW_ERROR_SIZE]);
void jw_score_destroy(JwScore* score);
void jw_score_reset(JwScore* score);
/// Play what is due, and say how many frames of the world to run until there is something again.
uint64_t jw_score_play(JwPlayer* player);

void jw_player_message(JwPlayer* player, const uint8_t* data, uint32_t size);
/// Move what a control of voices moves, in all of them, to a value.
void jw_player_move(JwPlayer* player, const JwPlayerControl* control, double value);

#endif // JAWARI_PLAYER_H
