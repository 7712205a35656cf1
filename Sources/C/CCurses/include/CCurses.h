#ifndef CCURSES_H
#define CCURSES_H

#include <stdint.h>

/* A full-screen terminal by ncursesw, which is loaded when the first screen is opened, so that no other command pays for
   it. One screen at a time; rows and columns count from 0. */

/* What the user did. */
enum {
  ccurses_nothing,
  /* A character was typed, also a control character. */
  ccurses_character,
  ccurses_up,
  ccurses_down,
  ccurses_left,
  ccurses_right,
  ccurses_page_up,
  ccurses_page_down,
  ccurses_home,
  ccurses_end,
  ccurses_enter,
  ccurses_backspace,
  /* The first button of the mouse was pressed. */
  ccurses_click,
  ccurses_wheel_up,
  ccurses_wheel_down,
  /* Something without a meaning here. */
  ccurses_other
};

/* Milliseconds in which the rest of an escape sequence arrives. */
enum { ccurses_escape_delay = 25 };

struct ccurses_event {
  int kind;
  /* Of ccurses_character. */
  uint32_t character;
  /* Of ccurses_click and the wheel. */
  int row;
};

/* Takes over the terminal at standard input and output. NULL on success, else why it cannot: the words of the dynamic
   linker, or an empty text if the terminal cannot move its cursor or is unknown to terminfo. */
const char *ccurses_open(void);
/* Gives the terminal back as it was; also between ccurses_open and ccurses_resume. endwin(3X) */
void ccurses_close(void);
/* Takes the terminal over again after ccurses_close. */
void ccurses_resume(void);
/* Adopts the size of the terminal. resize_term(3X) */
void ccurses_resize(int rows, int columns);
/* Makes the next ccurses_show draw everything anew. clearok(3X) */
void ccurses_redraw(void);
/* The number of colours of the terminal; 0 or less without any. tigetnum(3X) */
int ccurses_colors(void);
/* Sets the foreground of a colour pair, from 1. init_pair(3X) */
void ccurses_pair(int pair, int color);

void ccurses_erase(void);
/* Writes UTF-8 text without control characters, cut at the right edge; lines are written from the top. Pair 0 is the
   terminal's own colours. */
void ccurses_write(int row, int column, const char *text, int pair, int is_bold, int is_reversed);
/* Shows what was written, with the cursor there; a row below 0 hides it. */
void ccurses_show(int row, int column);
/* The next thing that the user did, without waiting. wget_wch(3X), getmouse(3X) */
struct ccurses_event ccurses_next(void);

#endif
