/*
 * What a script's `state` prints: numbers that a test can hold against the pixels.
 */
#include "viewer.h"

#include <stdlib.h>
#include <string.h>

static void report_callout(viewer *viewer) {
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  char text[4096] = "";
  if (ald_callout_get_layout(viewer->callout, &layout, NULL) != ALD_STATUS_OK ||
      layout.state == ALD_CALLOUT_STATE_HIDDEN ||
      ald_callout_get_text(viewer->callout, text, sizeof text, NULL, NULL) != ALD_STATUS_OK) {
    printf("callout none\n");
    return;
  }
  for (char *end = strchr(text, '\n'); end != NULL; end = strchr(end, '\n'))
    *end = '|';
  const ald_envelope box = layout.box_dip;
  printf("callout %.3f %.3f %.3f %.3f tip %.3f %.3f text %s\n", box.x_min, box.y_min, box.x_max, box.y_max,
         layout.leader_tip_dip.x, layout.leader_tip_dip.y, text);
}

static void report_magnifier(viewer *viewer) {
  ald_magnifier_state state = ALD_MAGNIFIER_STATE_INIT;
  if (ald_magnifier_get_state(viewer->magnifier, &state, NULL) != ALD_STATUS_OK || !state.is_shown) {
    printf("magnifier none\n");
    return;
  }
  const ald_envelope box = state.box_dip;
  printf("magnifier %.3f %.3f %.3f %.3f target %.3f %.3f\n", box.x_min, box.y_min, box.x_max, box.y_max,
         state.target_point.x, state.target_point.y);
}

static void report_hover(const viewer *viewer) {
  const ald_element_kind kind = viewer->hover.kind;
  if (kind == 0)
    printf("hover none\n");
  else
    printf("hover %s %lld\n", kind == ALD_ELEMENT_KIND_GRAPHIC ? "graphic" : "feature", (long long)viewer->hover.id);
}

void report(viewer *viewer) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  char status[MESSAGE_SIZE + 256];
  if (ald_view_get_state(viewer->view, &state, NULL) != ALD_STATUS_OK)
    return;
  printf("camera %.6f %.6f %.9g %.9g size %g %g density %g\n", state.center.x, state.center.y, state.scale,
         state.rotation_deg, state.width_dip, state.height_dip, state.pixel_density);
  if (panel_scale_bar(viewer, &state, &bar))
    printf("bar %.9g %.3f %.3f %.3f\n", bar.length_m, bar.start_dip.x, bar.end_dip.x, bar.start_dip.y);
  report_callout(viewer);
  report_magnifier(viewer);
  report_hover(viewer);
  panel_status(viewer, &state, status, sizeof status);
  list_report(viewer);
  printf("status %s\n", status);
}
