#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include "CCurses.h"

#include <curses.h>
#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS(each) \
  each(cbreak) each(clearok) each(curs_set) each(def_prog_mode) each(endwin) each(getcury) each(getmouse) each(init_pair) \
  each(keypad) each(mouseinterval) each(mousemask) each(newterm) each(nodelay) each(noecho) each(reset_prog_mode) \
  each(resize_term) each(set_escdelay) each(start_color) each(tigetnum) each(tigetstr) each(use_default_colors) \
  each(waddstr) each(wattr_set) each(wclrtoeol) each(werase) each(wget_wch) each(wmove) each(wrefresh)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } curses;
/* The library's variable stdscr, and its value once the screen is open. */
static WINDOW **standard;
static WINDOW *screen;

static const char *load(void) {
  static char problem[256];
  static int is_loaded;
  if (is_loaded) return NULL;
  void *library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
  const char *words = library ? NULL : dlerror();
#define LOAD(name) \
  if (!words && !(*(void **)&curses.name = dlsym(library, #name))) words = dlerror();
  FUNCTIONS(LOAD)
  if (!words && !(standard = dlsym(library, "stdscr"))) words = dlerror();
  if (!words) {
    is_loaded = 1;
    return NULL;
  }
  strncpy(problem, words, sizeof problem - 1);
  return problem;
}

/* ncursesw decodes text and measures it by the locale; what the program writes is UTF-8, whatever the locale says. */
static void use_unicode(void) {
  const char *names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", ""};
  for (int i = 0; i < 4; i++)
    if (setlocale(LC_CTYPE, names[i])) return;
}

/* Has the terminal mark what is pasted, or not. Terminals that do not know the mode ignore it. */
static void mark_pastes(int is_on) {
  fputs(is_on ? "\033[?2004h" : "\033[?2004l", stdout);
  fflush(stdout);
}

const char *ccurses_open(void) {
  const char *problem = load();
  if (problem) return problem;
  use_unicode();
  if (!curses.newterm(NULL, stdout, stdin)) return "";
  const char *move = curses.tigetstr("cup");
  if (!move || move == (const char *)-1) {
    curses.endwin();
    return "";
  }
  screen = *standard;
  curses.cbreak();
  curses.noecho();
  curses.set_escdelay(ccurses_escape_delay);
  curses.keypad(screen, TRUE);
  curses.nodelay(screen, TRUE);
  curses.start_color();
  curses.use_default_colors();
  curses.mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
  curses.mouseinterval(0);
  mark_pastes(1);
  return NULL;
}

void ccurses_close(void) {
  mark_pastes(0);
  curses.def_prog_mode();
  curses.endwin();
}

void ccurses_resume(void) {
  curses.reset_prog_mode();
  mark_pastes(1);
  ccurses_redraw();
  curses.wrefresh(screen);
}

void ccurses_resize(int rows, int columns) {
  curses.resize_term(rows, columns);
  ccurses_redraw();
}

void ccurses_redraw(void) { curses.clearok(screen, TRUE); }
int ccurses_colors(void) { return curses.tigetnum("colors"); }
void ccurses_pair(int pair, int color) { curses.init_pair((short)pair, (short)color, -1); }
void ccurses_erase(void) { curses.werase(screen); }

void ccurses_write(int row, int column, const char *text, int pair, int is_bold, int is_reversed) {
  curses.wattr_set(screen, (is_bold ? A_BOLD : 0) | (is_reversed ? A_REVERSE : 0), (short)pair, NULL);
  if (curses.wmove(screen, row, column) == OK) curses.waddstr(screen, text);
  /* What did not fit went to the next line, which is written later. */
  int reached = curses.getcury(screen);
  if (reached > row && curses.wmove(screen, reached, 0) == OK) curses.wclrtoeol(screen);
  curses.wattr_set(screen, A_NORMAL, 0, NULL);
}

void ccurses_show(int row, int column) {
  curses.curs_set(row >= 0);
  if (row >= 0) curses.wmove(screen, row, column);
  curses.wrefresh(screen);
}

static struct ccurses_event mouse(void) {
  struct ccurses_event event = {ccurses_other, 0, 0};
  MEVENT seen;
  if (curses.getmouse(&seen) != OK) return event;
  event.row = seen.y;
  if (seen.bstate & BUTTON1_PRESSED) event.kind = ccurses_click;
  if (seen.bstate & BUTTON4_PRESSED) event.kind = ccurses_wheel_up;
  if (seen.bstate & BUTTON5_PRESSED) event.kind = ccurses_wheel_down;
  return event;
}

struct ccurses_event ccurses_next(void) {
  struct ccurses_event event = {ccurses_nothing, 0, 0};
  wint_t key = 0;
  int result = curses.wget_wch(screen, &key);
  if (result == ERR) return event;
  event.kind = ccurses_character;
  event.character = key;
  if (result != KEY_CODE_YES) return event;
  event.kind = ccurses_other;
  switch (key) {
    case KEY_UP: event.kind = ccurses_up; break;
    case KEY_DOWN: event.kind = ccurses_down; break;
    case KEY_LEFT: event.kind = ccurses_left; break;
    case KEY_RIGHT: event.kind = ccurses_right; break;
    case KEY_PPAGE: event.kind = ccurses_page_up; break;
    case KEY_NPAGE: event.kind = ccurses_page_down; break;
    case KEY_HOME: event.kind = ccurses_home; break;
    case KEY_END: event.kind = ccurses_end; break;
    case KEY_ENTER: event.kind = ccurses_enter; break;
    case KEY_BACKSPACE: event.kind = ccurses_backspace; break;
    case KEY_MOUSE: return mouse();
  }
  return event;
}
