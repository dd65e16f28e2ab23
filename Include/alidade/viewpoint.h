/**
 * @file
 * Viewpoints that are kept: as JSON, as a map's bookmarks, as a map's initial viewpoint, and a view's own.
 *
 * The JSON form is that of a viewpoint in ArcGIS's web maps, which other programs read and write:
 *
 *     {"rotation": 0, "scale": 72000, "targetGeometry": {"x": 10, "y": 50, "spatialReference": {"wkid": 4326}}}
 *
 * "targetGeometry" is a point (then it is the centre), a box with xmin, ymin, xmax and ymax (the extent), or a
 * multipoint with points, a polyline with paths or a polygon with rings (the geometry). "rotation" is how far north
 * lies clockwise of the top of the screen, which is 360 less rotation_deg. Each of the three members may be missing, as
 * fields may. A spatial reference has a "wkid", which is a code of EPSG's or ESRI's, a "latestWkid", which goes before
 * it, or a "wkt".
 */
#ifndef ALIDADE_VIEWPOINT_H
#define ALIDADE_VIEWPOINT_H

#include "base.h"
#include "geometry.h"
#include "map.h"
#include "runtime.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a viewpoint of a place on earth and a scale.
 *
 * @param latitude_deg WGS 84 latitude of the centre, -90 to 90.
 * @param longitude_deg WGS 84 longitude of the centre, -360 to 360.
 * @param scale The denominator of the nominal scale, 1e-6 to 1e15.
 * @param out_viewpoint Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference is what comes in the next argument.
 * @param out_spatial_reference Receives EPSG:4326; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, out_viewpoint is NULL or its struct_size is none, or out_spatial_reference is NULL.
 */
ALD_API ald_status ald_viewpoint_create_from_location(ald_runtime runtime, double latitude_deg, double longitude_deg,
                                                      double scale, ald_viewpoint *out_viewpoint,
                                                      ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * Makes a viewpoint of JSON.
 *
 * @param viewpoint_json UTF-8. Members that the form does not have are left alone.
 * @param out_viewpoint Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference and its geometry are what comes in
 *   the next two arguments.
 * @param out_spatial_reference Receives what the coordinates are in, null if the text does not say it; the host owns
 *   it. Set to null on failure.
 * @param out_geometry Receives the geometry, null if there is none; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if viewpoint_json is NULL or no such
 *   JSON, or a number is out of its range; the message says where; or if out_viewpoint is NULL or its struct_size is
 *   none, or an out handle is NULL; ALD_STATUS_NOT_FOUND if there is no such spatial reference; ALD_STATUS_UNSUPPORTED
 *   if it is one that maps cannot have, or the geometry is made of curves; ALD_STATUS_LIMIT_EXCEEDED if the policy does
 *   not allow a text of this length.
 */
ALD_API ald_status ald_viewpoint_create_from_json(ald_runtime runtime, const char *viewpoint_json,
                                                  ald_viewpoint *out_viewpoint,
                                                  ald_spatial_reference *out_spatial_reference,
                                                  ald_geometry *out_geometry, ald_error *error);

/**
 * Writes a viewpoint as JSON. Numbers are the shortest that read back as the same.
 *
 * @param viewpoint What its fields do not name is left out.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or a handle of the viewpoint's);
 *   ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of its range, more than one of
 *   centre, extent and geometry is named, or a handle is of another runtime, if buffer is NULL and capacity is not 0,
 *   or both buffer and out_size are NULL; ALD_STATUS_UNSUPPORTED if the geometry is a collection, which the form does
 *   not have; ALD_STATUS_LIMIT_EXCEEDED if the policy does not allow the memory for it; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_viewpoint_json(ald_runtime runtime, const ald_viewpoint *viewpoint, char *buffer,
                                      size_t capacity, size_t *out_size, ald_error *error);

/**
 * Where a view looks, as centre, scale and rotation.
 *
 * @param out_viewpoint Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference is the map's, lent.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_viewpoint is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_get_viewpoint(ald_view view, ald_viewpoint *out_viewpoint, ald_error *error);

/**
 * Makes the geometry that bounds what a view shows, or would show after a move: the visible area as a polygon of four
 * corners, in the map's spatial reference. So centre and scale become a bounding geometry; ald_view_plan_move makes
 * centre and scale of one.
 *
 * @param viewpoint What to move to, without moving; NULL: what the view shows now.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if a move of a magnifier's view is asked
 *   about; ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL or as for ald_view_move; ALD_STATUS_NOT_READY;
 *   ALD_STATUS_PROJECTION_FAILED as for ald_view_move.
 */
ALD_API ald_status ald_view_create_visible_area(ald_view view, const ald_viewpoint *viewpoint,
                                                ald_geometry *out_geometry, ald_error *error);

/**
 * Sets where views of a map look at first: see ald_map_set_initial_viewpoint, which is the same for a place on earth.
 * Without one, views look at the full extent of the map's lowest layer.
 *
 * @param viewpoint With a centre and a scale, an extent, or a geometry; NULL: none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the map, or a handle of the viewpoint's);
 *   ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its range, nothing or more than one of centre,
 *   extent and geometry is named, the geometry is empty or says nowhere what it is in, or a handle is of another
 *   runtime; ALD_STATUS_PROJECTION_FAILED if the map has a spatial reference and the place is not in it.
 */
ALD_API ald_status ald_map_set_initial_viewpoint_to(ald_map map, const ald_viewpoint *viewpoint, ald_error *error);

/**
 * Where views of a map look at first.
 *
 * @param out_viewpoint Initialise it with ALD_VIEWPOINT_INIT. Its handles are lent by the map, until it gets another.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_viewpoint is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_FOUND if none was set.
 */
ALD_API ald_status ald_map_get_initial_viewpoint(ald_map map, ald_viewpoint *out_viewpoint, ald_error *error);

/**
 * Adds a bookmark to a map: a viewpoint with a name.
 *
 * @param new_bookmark_name UTF-8, not empty.
 * @param viewpoint The viewpoint; the map keeps it, and its handles.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the map, or a handle of the viewpoint's);
 *   ALD_STATUS_INVALID_ARGUMENT if a pointer is NULL, the name is empty or not UTF-8, a number is not finite or out of
 *   its range, more than one of centre, extent and geometry is named, or a handle is of another runtime;
 *   ALD_STATUS_INVALID_STATE if the map has a bookmark of that name; ALD_STATUS_LIMIT_EXCEEDED if it has 10,000.
 */
ALD_API ald_status ald_map_add_bookmark(ald_map map, const char *new_bookmark_name, const ald_viewpoint *viewpoint,
                                        ald_error *error);

/**
 * Removes a bookmark.
 *
 * @param bookmark_name Its name.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if bookmark_name is NULL or not UTF-8;
 *   ALD_STATUS_NOT_FOUND if there is none of that name.
 */
ALD_API ald_status ald_map_remove_bookmark(ald_map map, const char *bookmark_name, ald_error *error);

/**
 * How many bookmarks a map has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_map_bookmark_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * The name of a bookmark.
 *
 * @param index From 0, in the order in which they were added.
 * @param buffer Receives the name with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or both buffer and out_size are NULL; ALD_STATUS_NOT_FOUND if there is no such bookmark;
 *   ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_map_bookmark_name(ald_map map, uint32_t index, char *buffer, size_t capacity, size_t *out_size,
                                         ald_error *error);

/**
 * The viewpoint of a bookmark.
 *
 * @param bookmark_name Its name.
 * @param out_viewpoint Initialise it with ALD_VIEWPOINT_INIT. Its handles are lent by the map, while the bookmark is
 *   there.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if bookmark_name is NULL or not UTF-8,
 *   or out_viewpoint is NULL or its struct_size is none; ALD_STATUS_NOT_FOUND if there is none of that name.
 */
ALD_API ald_status ald_map_get_bookmark(ald_map map, const char *bookmark_name, ald_viewpoint *out_viewpoint,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif

#endif
