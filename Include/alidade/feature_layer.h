/**
 * @file
 * Feature layers: a source of features in a map, drawn through a renderer. The library draws nothing itself: a drawing
 * says what to draw, as for graphics overlays.
 */
#ifndef ALIDADE_FEATURE_LAYER_H
#define ALIDADE_FEATURE_LAYER_H

#include "base.h"
#include "feature_source.h"
#include "graphics_overlay.h"
#include "layer.h"
#include "overlay_drawing.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a layer that shows a source. It has no renderer yet, and draws nothing until it gets one. The index of the
 * source begins to be built, if it has none; without one the layer is drawn all the same.
 *
 * @param feature_source The source; the layer keeps it.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 */
ALD_API ald_status ald_feature_layer_create(ald_feature_source feature_source, ald_layer *out_layer, ald_error *error);

/**
 * Makes a layer of a file, not loaded yet: see alidade/loading.h. Touches no file.
 *
 * @param source_path As for ald_feature_source_open.
 * @param options NULL for all defaults.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if source_path is NULL, empty or not UTF-8, out_layer is NULL or an option is not
 * valid; ALD_STATUS_POLICY_REFUSED if the policy forbids the definition or the statement.
 */
ALD_API ald_status ald_feature_layer_create_from_path(ald_runtime runtime, const char *source_path,
                                                      const ald_feature_source_options *options, ald_layer *out_layer,
                                                      ald_error *error);

/**
 * The source that a layer shows, lent.
 *
 * @param out_source Receives the source. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_source is NULL or the layer is
 * no feature layer; ALD_STATUS_NOT_READY if it is not loaded.
 */
ALD_API ald_status ald_feature_layer_source(ald_layer layer, ald_feature_source *out_source, ald_error *error);

/**
 * Sets the definition expression of a layer: the condition that a feature must meet to be shown.
 *
 * A layer that is loaded shows another source from then on, of the same file, and stays loaded: what is drawn, counted
 * and found near a place follows, and ald_feature_layer_source lends the new source; a handle that was lent of the old
 * one is good as long as the host or a result keeps that. The index is built anew. The file is not opened again; what
 * is read of it is what shows that the expression can be used, which in a database may be all of a table.
 *
 * A layer that is not loaded is loaded with it, also if loading is under way; an expression that the file cannot use
 * lets the loading fail. Loading again keeps the expression.
 *
 * @param definition_expression As ald_feature_source_options.definition_expression, in place of what there was; NULL:
 * all features. Copied.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is no feature layer, or
 * the expression is empty, not UTF-8, or none that can be used: the message says where; ALD_STATUS_POLICY_REFUSED if
 * the policy forbids the expression; ALD_STATUS_READ_FAILED if the file cannot be read any more, or has changed. On
 *   failure nothing changes.
 */
ALD_API ald_status ald_feature_layer_set_definition(ald_layer layer, const char *definition_expression,
                                                    ald_error *error);

/**
 * The definition expression of a layer; "" if it has none.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is no feature layer,
 * buffer is NULL and capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_feature_layer_definition(ald_layer layer, char *buffer, size_t capacity, size_t *out_size,
                                                ald_error *error);

/**
 * Sets how features are drawn. A renderer looks at fields by their names; a field that the source does not have is
 * null, and so are dates, lists and binary values.
 *
 * @param renderer The renderer; NULL: features are not drawn.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is no feature layer, or a
 *   field is out of its range.
 */
ALD_API ald_status ald_feature_layer_set_renderer(ald_layer layer, const ald_graphics_renderer *renderer,
                                                  ald_error *error);

/**
 * Makes the drawing of a feature layer as view and layer are now. Its graphic ids are the ids of features (as their
 * bits), drawn in the file's order; it has one overlay, whose opacity is that of the layer with its groups.
 *
 * Features are read for three times the width and height of what the view shows, and again when it shows more. So the
 * counts are of these features, and of all that the file counts while the layer is hidden. A feature that cannot be
 * read or has no geometry counts as empty.
 *
 * @param layer A feature layer of the view's map.
 * @param options NULL for all defaults.
 * @param out_drawing Receives the drawing; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the view, or the layer); ALD_STATUS_INVALID_ARGUMENT if out_drawing
 *   is NULL, an option is unknown, the layer is no feature layer, or it is not in the view's map;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer is not loaded or has no spatial reference;
 *   ALD_STATUS_READ_FAILED if the file cannot be read any more, or has changed; ALD_STATUS_LIMIT_EXCEEDED if there are
 *   more features or vertices, or they take more memory, than the policy allows.
 */
ALD_API ald_status ald_view_create_feature_drawing(ald_view view, ald_layer layer,
                                                   const ald_overlay_drawing_options *options,
                                                   ald_overlay_drawing *out_drawing, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif
