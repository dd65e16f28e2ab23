/**
 * @file
 * Alidade: a headless, embeddable map interaction engine.
 *
 * This header includes all others. Each of them also compiles alone, as C99 and later and as C++11 and later. The rules
 * for every function (handles, ownership, errors, threads, options) are in alidade/base.h.
 *
 * @code{.c}
 * ald_cell cell;
 * ald_band_value value;
 * ald_point tap = {400, 300};
 * ald_status status = ald_map_add_layer(map, layer, error);
 * if (status != ALD_STATUS_OK)
 *   return status;
 * return ald_view_read_cell(view, layer, tap, &cell, &value, 1, error);
 * @endcode
 */
#ifndef ALIDADE_H
#define ALIDADE_H

#include "alidade/arrow.h"
#include "alidade/base.h"
#include "alidade/buffer.h"
#include "alidade/callout.h"
#include "alidade/engine_frame.h"
#include "alidade/events.h"
#include "alidade/feature_source.h"
#include "alidade/geometry.h"
#include "alidade/geometry_array.h"
#include "alidade/geometry_operations.h"
#include "alidade/geometry_relation.h"
#include "alidade/graphics_overlay.h"
#include "alidade/handles.h"
#include "alidade/identify.h"
#include "alidade/layer.h"
#include "alidade/layer_view_state.h"
#include "alidade/magnifier.h"
#include "alidade/map.h"
#include "alidade/measure.h"
#include "alidade/mesh.h"
#include "alidade/navigation.h"
#include "alidade/overlay_drawing.h"
#include "alidade/popup.h"
#include "alidade/projection.h"
#include "alidade/raster.h"
#include "alidade/raster_analysis.h"
#include "alidade/request.h"
#include "alidade/runtime.h"
#include "alidade/screen_cells.h"
#include "alidade/snap.h"
#include "alidade/spatial_query.h"
#include "alidade/spatial_reference.h"
#include "alidade/symbol.h"
#include "alidade/transformation.h"
#include "alidade/units.h"
#include "alidade/view.h"
#include "alidade/viewpoint.h"

#endif
