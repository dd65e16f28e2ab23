/*
 * The viewer: what its parts know of each other. Only the thread of the window touches this, except for what pictures.c
 * shares with its own thread.
 */
#ifndef VIEWER_H
#define VIEWER_H

#include "canvas.h"

#include <SDL.h>
#include <alidade.h>

#include <stdbool.h>
#include <stdio.h>

#define MAX_LAYERS 9
#define MESSAGE_SIZE 2048
#define STATUS_BAR_DIP 22.0
#define FRAME_S (1.0 / 60)

/* The layers as the map shows them, made by a thread of their own; see pictures.c. */
typedef struct pictures pictures;

/* Whether servers have not returned all that a picture shows; whether some of it is on its way. */
typedef struct picture_gaps {
  bool is_partial;
  bool is_awaited;
} picture_gaps;

/* The range of a raster with one band, and how often its values occur there; see stretch.c. */
enum { STRETCH_BINS = 66 };
typedef struct stretch {
  ald_runtime runtime;
  ald_layer layer;
  SDL_Thread *thread;
  SDL_atomic_t progress;
  SDL_atomic_t is_cancelled;
  /* The rest is the thread's while it runs. */
  bool is_stretched;
  double low;
  double high;
  uint32_t bins[STRETCH_BINS];
} stretch;

/* The pointer over the map: what was asked for last, and what is outlined; kind 0: nothing. */
typedef struct hover {
  bool is_on;
  ald_point point_dip;
  uint64_t view_generation;
  uint64_t layers_generation;
  ald_element_kind kind;
  int64_t id;
} hover;

typedef struct viewer {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_spatial_reference web_mercator;
  ald_map map;
  ald_view view;
  /*
   * Land, drawn below the layers, and what is drawn above them: coasts, pins of the user, what is under the pointer,
   * what was identified, the tap. Only pins have popups, and are identified.
   */
  ald_graphics_overlay land;
  ald_graphics_overlay coasts;
  ald_graphics_overlay pins;
  ald_graphics_overlay hovered;
  ald_graphics_overlay found;
  ald_graphics_overlay marks;
  ald_callout callout;
  uint64_t measured_text;
  ald_magnifier magnifier;
  ald_view lens_view;

  /* The files, the lowest first: each is a layer of the map, which loads it when the view looks at it. */
  uint32_t layer_count;
  const char *paths[MAX_LAYERS];
  char files[MAX_LAYERS][4096];
  /* Owned. What is no raster is a feature layer, or a group of some; see world_take_load. */
  ald_layer layers[MAX_LAYERS];
  /* Borrowed: what a feature layer shows, once it is loaded; null for rasters. */
  ald_feature_source sources[MAX_LAYERS];
  /* Why the file is no raster; empty while nothing was said. */
  char refusals[MAX_LAYERS][1024];
  /* Whether loading has come to an end, and the layer has its colours. */
  bool is_settled[MAX_LAYERS];
  stretch stretches[MAX_LAYERS];
  /* The view is yet to show all data; not after the user has moved it. */
  bool is_fit_due;
  bool is_moved;
  /* Goes up whenever the pictures of the layers become others though the camera stays. */
  uint64_t layers_generation;

  /* How many requests have not ended. */
  int awaited_count;
  hover hover;
  /* Where a finger rests since a long press. */
  bool is_finger_down;
  ald_point finger_point;

  pictures *pictures;
  canvas canvas;
  /* For the magnifier: its picture, and a layer of it. */
  canvas glass;
  canvas scratch;
  picture_gaps lens_gaps;
  /* The mouse's button went down on the layer list; the number of a finger that did, plus 1, or 0. */
  bool is_list_pressed;
  int64_t listed_finger;
  /* Where the mouse is, whether it is over the window without a button down, and what the status line says at its end.
   */
  ald_point pointer_dip;
  bool is_pointer_free;
  char message[MESSAGE_SIZE];

  /* Reports when the engine has something to say, while the loop sleeps. */
  SDL_Thread *waker;
  SDL_sem *drained;
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *texture;
  /* Seconds since the beginning, as reported to the engine. A script has a time of its own: a frame is FRAME_S. */
  double time_s;
  bool is_scripted;
  /* Whether the window shows the last frame; see play_script. */
  bool is_painted;
  bool is_closed;
} viewer;

/* world.c: the engine's objects. Each function returns false after it has said what went wrong. */
bool world_open(viewer *viewer, const char *examples, const char *const *paths, uint32_t path_count);
void world_close(viewer *viewer);
/* Shows the outline of a cell that was found, or nothing for a result that has none. */
bool world_show_cell(viewer *viewer, ald_identify_result result);
/* Shows a feature or a graphic that was found at a point of the map. */
bool world_show_found(viewer *viewer, ald_geometry geometry, ald_point place);
/* Outlines what is under the pointer; null: nothing. */
bool world_show_hover(viewer *viewer, ald_geometry geometry);
/* Puts a pin under a point of the screen. */
void world_add_pin(viewer *viewer, ald_point point_dip);
/*
 * A layer has been loaded, or has failed: it is given its colours, or tried as a file of features, or an error is
 * printed.
 */
void world_take_load(viewer *viewer, const ald_event *event);
/* Takes what has been found out about the layers, and shows all of them until the user has moved the view. */
void world_follow(viewer *viewer);
/* Whether a layer is being loaded. */
bool world_is_loading(const viewer *viewer);
/* Flies to a layer, from 1, or to the world: 0. */
void world_fly_to(viewer *viewer, uint32_t number);
/* Flies to where the viewer opens. */
void world_fly_to_data(viewer *viewer);
/* Prints an error, and keeps it for the status line. True if there is none. */
bool succeeded(viewer *viewer, ald_status status, const ald_error *error);

/* Shows or hides a layer, from 1. */
void world_toggle(viewer *viewer, uint32_t number);
/* Increases a layer's opacity, or reduces it. */
void world_fade(viewer *viewer, uint32_t number, double more);
/* A point of the screen on the map; where the world repeats itself, on its middle copy. */
bool world_place(viewer *viewer, ald_point point_dip, ald_point *place);
ald_point world_once_around(ald_point place);

/* features.c: feature layers. Layers are counted from 1. */
/* Replaces a layer by a feature layer of the same file. */
ald_status features_try(viewer *viewer, uint32_t number, ald_error *error);
/* Gives a layer that has been loaded its symbols. */
ald_status features_style(viewer *viewer, uint32_t number, ald_error *error);

/* input.c: what the window reports goes to the engine. */
void input_take(viewer *viewer, const SDL_Event *event);

/* answers.c: what the engine reports: taps, long presses, requests, movements. */
void answers_drain(viewer *viewer);
bool answers_are_awaited(const viewer *viewer);

/* stretch.c: colours. Begins to look for a raster's range; takes what was found, once; stops looking. */
bool stretch_begin(stretch *stretch, ald_runtime runtime, ald_layer layer);
bool stretch_take(stretch *stretch);
void stretch_cancel(stretch *stretch);
/* The colour at a share of the way from the lowest to the highest value. */
ald_rgba stretch_color(double share);

/* pictures.c: the layers. */
pictures *pictures_start(ald_map map, bool says_times);
void pictures_stop(pictures *pictures);
/* Says which frame is on the screen now: a new picture is begun if the last one is another. */
void pictures_want(pictures *pictures, const ald_view_state *state, uint64_t layers_generation);
/* Paints the newest picture, placed where the camera of now shows it. */
void pictures_paint(pictures *pictures, canvas *canvas, const ald_view_state *state);
/* Whether the newest picture is not that of the frame that is wanted. */
bool pictures_are_behind(pictures *pictures);
/* Paints the layers at once, as a view shows them, with a canvas of the same size for one layer. */
picture_gaps pictures_add_layers(ald_map map, ald_view view, canvas *canvas, struct canvas *scratch);

/* graphics.c: paints a drawing, or a graphics overlay as a view shows it. */
ald_status graphics_paint_drawing(canvas *canvas, ald_overlay_drawing drawing, ald_error *error);
void graphics_paint(viewer *viewer, canvas *canvas, ald_view view, ald_graphics_overlay overlay);

/* panel.c: what lies on the glass: scale bar, compass, status line. */
void panel_paint(viewer *viewer, const ald_view_state *state);
void panel_status(viewer *viewer, const ald_view_state *state, char *text, size_t size);
bool panel_scale_bar(viewer *viewer, const ald_view_state *state, ald_scale_bar *bar);

/* list.c: the layer list, with a sign for each layer's state in the view. */
void list_paint(viewer *viewer);
/* A click: true if it was on the list, which takes it. */
bool list_click(viewer *viewer, ald_point place);
/* Whether a point is on the list. */
bool list_contains(const viewer *viewer, ald_point place);
/* The wheel: as a click. */
bool list_wheel(viewer *viewer, ald_point place, double notches);
/* Prints a line for each row: its box, its flags in the view, and their text; and for the histogram. */
void list_report(const viewer *viewer);

/* balloon.c: the callout. */
void balloon_paint(viewer *viewer);

/* lens.c: the magnifier. */
bool lens_open(viewer *viewer);
void lens_move(viewer *viewer, bool is_shown, ald_point finger_point);
/* Whether the map moves because the finger is near the edge. */
bool lens_is_panning(const viewer *viewer);
bool lens_paint(viewer *viewer);

/* frame.c: a frame. */
void frame_paint_below(viewer *viewer, canvas *canvas, ald_view view);
void frame_paint_above(viewer *viewer, canvas *canvas, ald_view view);
bool frame_resize(viewer *viewer);
bool frame_paint(viewer *viewer);
bool frame_save(viewer *viewer, const char *path);

/* report.c: prints what a script's `state` asks for: numbers that a test can hold against the pixels. */
void report(viewer *viewer);

/* script.c: plays a file of inputs, a frame at a time. */
typedef struct script {
  FILE *file;
  const char *path;
  int line;
  int waiting_frames;
  bool is_resting;
  bool is_failed;
  /* The mouse: which button is down (0: none), where it is, and where it glides to in how many frames. */
  uint8_t button;
  double x, y;
  double glide_x, glide_y;
  int glide_frames;
} script;

bool script_open(script *script, const char *path);
/* Sends what comes before the next frame. False after the last line, or a wrong one. */
bool script_step(script *script, viewer *viewer);
/* Whether nothing moves and nothing is awaited. */
bool viewer_is_at_rest(viewer *viewer);

#endif
