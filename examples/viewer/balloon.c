/*
 * The callout: the engine says where the box and its leader go, and keeps the text; here the text is measured and all
 * of it is painted.
 */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>

#define PADDING_DIP 8.0
/* Wider lines have an ellipsis. */
#define MAX_WIDTH_DIP 340.0

static const ald_rgba paper = {255, 255, 250, 255}, edge = {60, 64, 70, 255}, ink = {38, 42, 48, 255};

/* The callout's text, to be freed; NULL if there is none. */
static char *text_of(ald_callout callout) {
  size_t size = 0;
  char *text = NULL;
  if (ald_callout_get_text(callout, NULL, 0, &size, NULL) == ALD_STATUS_OK)
    text = malloc(size);
  if (text != NULL && ald_callout_get_text(callout, text, size, NULL, NULL) != ALD_STATUS_OK) {
    free(text);
    text = NULL;
  }
  return text;
}

static void measure(viewer *viewer, const char *text) {
  const ald_point size = canvas_text(&viewer->canvas, (ald_point){0, 0}, MAX_WIDTH_DIP, text, (ald_rgba){0, 0, 0, 0});
  ald_callout_set_size(viewer->callout, ceil(size.x) + 2 * PADDING_DIP, ceil(size.y) + 2 * PADDING_DIP, NULL);
}

/* The box with its leader, as one shape. */
static void paint(viewer *viewer, const ald_callout_layout *layout, const char *text) {
  cairo_t *const cairo = viewer->canvas.cairo;
  /* The edge is a pixel wide and lies inside of the box. */
  const ald_envelope box = layout->box_dip;
  const ald_point first = layout->leader_base_dip[0], second = layout->leader_base_dip[1], tip = layout->leader_tip_dip;
  const double x_min = box.x_min + 0.5, y_min = box.y_min + 0.5, x_max = box.x_max - 0.5, y_max = box.y_max - 0.5;
  canvas_add_box(cairo, (ald_envelope){x_min, y_min, x_max, y_max});
  canvas_color(cairo, paper);
  cairo_fill_preserve(cairo);
  canvas_stroke(cairo, 1, edge);
  /* Under a finger the glass, which the box keeps clear of, shows the point; a leader would lie across it. */
  if (!viewer->is_finger_down) {
    const bool is_beside =
        layout->placement == ALD_CALLOUT_PLACEMENT_LEFT || layout->placement == ALD_CALLOUT_PLACEMENT_RIGHT;
    /* Its foot reaches over the box's edge, which is open there. */
    const double x = is_beside ? copysign(1.5, box.x_min + box.x_max - 2 * tip.x) : 0;
    const double y = is_beside ? 0 : copysign(1.5, box.y_min + box.y_max - 2 * tip.y);
    cairo_move_to(cairo, first.x + x, first.y + y);
    cairo_line_to(cairo, first.x, first.y);
    cairo_line_to(cairo, tip.x, tip.y);
    cairo_line_to(cairo, second.x, second.y);
    cairo_line_to(cairo, second.x + x, second.y + y);
    canvas_fill(cairo, paper);
    canvas_add_line(cairo, first, tip);
    cairo_line_to(cairo, second.x, second.y);
    canvas_stroke(cairo, 1, edge);
  }
  canvas_text(&viewer->canvas, (ald_point){box.x_min + PADDING_DIP, box.y_min + PADDING_DIP}, MAX_WIDTH_DIP, text, ink);
}

void balloon_paint(viewer *viewer) {
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  if (ald_callout_get_layout(viewer->callout, &layout, NULL) != ALD_STATUS_OK)
    return;
  char *text = text_of(viewer->callout);
  if (text != NULL && layout.text_generation != viewer->measured_text) {
    measure(viewer, text);
    viewer->measured_text = layout.text_generation;
    ald_callout_get_layout(viewer->callout, &layout, NULL);
  }
  if (text != NULL && (layout.state == ALD_CALLOUT_STATE_VISIBLE || layout.state == ALD_CALLOUT_STATE_ANCHOR_COVERED))
    paint(viewer, &layout, text);
  free(text);
}
