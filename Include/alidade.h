/**
 * Alidade: a headless, embeddable map interaction engine.
 *
 * This header includes all others. Each of them also compiles alone, as C99 and later and as C++11 and later.
 * Rules that hold for every function (handles, ownership, errors, threads, options) are in alidade/base.h.
 */
#ifndef ALIDADE_H
#define ALIDADE_H

#include "alidade/base.h"
#include "alidade/callout.h"
#include "alidade/camera.h"
#include "alidade/doctor.h"
#include "alidade/engine_frame.h"
#include "alidade/engine_geometry.h"
#include "alidade/envelope.h"
#include "alidade/events.h"
#include "alidade/geodesic.h"
#include "alidade/geodesic_buffer.h"
#include "alidade/geodesic_shapes.h"
#include "alidade/geometry.h"
#include "alidade/geometry_array.h"
#include "alidade/geometry_distance.h"
#include "alidade/geometry_gathering.h"
#include "alidade/geometry_measure.h"
#include "alidade/geometry_overlay.h"
#include "alidade/geometry_projection.h"
#include "alidade/geometry_relation.h"
#include "alidade/geometry_shape.h"
#include "alidade/geometry_vertices.h"
#include "alidade/gesture.h"
#include "alidade/graphics.h"
#include "alidade/graphics_overlay.h"
#include "alidade/identify.h"
#include "alidade/layer.h"
#include "alidade/magnifier.h"
#include "alidade/map.h"
#include "alidade/navigation.h"
#include "alidade/overlay_drawing.h"
#include "alidade/planar_buffer.h"
#include "alidade/planar_buffer_error.h"
#include "alidade/projection.h"
#include "alidade/raster.h"
#include "alidade/raster_heights.h"
#include "alidade/raster_sampling.h"
#include "alidade/raster_statistics.h"
#include "alidade/request.h"
#include "alidade/runtime.h"
#include "alidade/screen_cells.h"
#include "alidade/spatial_reference.h"
#include "alidade/symbol.h"
#include "alidade/transformation.h"
#include "alidade/transformation_displacement.h"
#include "alidade/units.h"
#include "alidade/view.h"
#include "alidade/view_reading.h"
#include "alidade/viewpoint.h"

#endif
