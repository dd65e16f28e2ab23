/*
 * The callout: the engine says where the box and its leader go, and keeps the text; here the text is measured and all
 * of it is painted.
 */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PADDING_DIP 8.0

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
  double width = 0;
  int lines = 0;
  for (const char *line = text; *line != '\0'; lines++) {
    const size_t length = strcspn(line, "\n");
    width = fmax(width, text_width(line, length));
    line += length + (line[length] == '\n');
  }
  ald_callout_set_size(viewer->callout, width + 2 * PADDING_DIP, lines * TEXT_LINE_DIP + 2 * PADDING_DIP, NULL);
}

static void paint_leader(canvas *canvas, const ald_callout_layout *layout) {
  const ald_envelope box = layout->box_dip;
  const ald_point first = layout->leader_base_dip[0], second = layout->leader_base_dip[1], tip = layout->leader_tip_dip;
  /* Its foot reaches over the box's edge by the edge's width, so that the two are one shape. */
  const bool is_beside =
      layout->placement == ALD_CALLOUT_PLACEMENT_LEFT || layout->placement == ALD_CALLOUT_PLACEMENT_RIGHT;
  const double x = is_beside ? copysign(1, box.x_min + box.x_max - 2 * tip.x) : 0;
  const double y = is_beside ? 0 : copysign(1, box.y_min + box.y_max - 2 * tip.y);
  const double leader[10] = {tip.x,       tip.y,        first.x,      first.y,  first.x + x,
                             first.y + y, second.x + x, second.y + y, second.x, second.y};
  canvas_add_ring(canvas, leader, 5);
  canvas_fill(canvas, CANVAS_NON_ZERO, paper);
  const double sides[6] = {first.x, first.y, tip.x, tip.y, second.x, second.y};
  canvas_add_line(canvas, sides, 3, 1);
  canvas_fill(canvas, CANVAS_NON_ZERO, edge);
}

static void paint(canvas *canvas, ald_envelope box, const char *text) {
  canvas_box(canvas, box, paper);
  canvas_frame(canvas, box, 1, edge);
  double top = box.y_min + PADDING_DIP;
  for (const char *line = text; *line != '\0'; top += TEXT_LINE_DIP) {
    const size_t length = strcspn(line, "\n");
    canvas_text(canvas, (ald_point){box.x_min + PADDING_DIP, top}, line, length, ink);
    line += length + (line[length] == '\n');
  }
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
  if (text != NULL && (layout.state == ALD_CALLOUT_STATE_VISIBLE || layout.state == ALD_CALLOUT_STATE_ANCHOR_COVERED)) {
    paint(&viewer->canvas, layout.box_dip, text);
    /* Under a finger the glass, which the box keeps clear of, shows the point; a leader would lie across it. */
    if (!viewer->is_finger_down)
      paint_leader(&viewer->canvas, &layout);
  }
  free(text);
}
