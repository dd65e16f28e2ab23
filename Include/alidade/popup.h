/**
 * @file
 * Popups: titles, texts and rows that describe the elements of a layer or an overlay to people.
 *
 * A popup definition has a title, a text, and a row for each field. In the title and in the text, {NAME} stands for the
 * attribute of that name; {{ and }} stand for braces. Each element that an identify function finds in a layer or an
 * overlay with a definition has a popup, which is filled in with the element's attributes. The case of ASCII letters in
 * names does not matter. A name that the element does not have stays in the text as it is written, with its braces. An
 * attribute without a value becomes an empty text.
 *
 * @code{.c}
 * ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
 * ald_popup popup = ALD_POPUP_INIT;
 * ald_identify_result result;
 * const ald_point tap = {400, 300};
 * definition.title = "{NAME} has {POPULATION} inhabitants.";
 * ald_status status = ald_layer_set_popup_definition(layer, &definition, error);
 * if (status == ALD_STATUS_OK) status = ald_view_identify(view, tap, 22, 0, NULL, &result, error);
 * if (status != ALD_STATUS_OK) return status;
 * if (ald_identify_result_get_popup_at(result, 0, &popup, NULL) == ALD_STATUS_OK) printf("%s\n", popup.title);
 * ald_identify_result_release(result);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_POPUP_H
#define ALIDADE_POPUP_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_popup_field.flags. */
typedef uint32_t ald_popup_field_flags;
enum ald_popup_field_flags_values {
  /** decimals is set. */
  ALD_POPUP_FIELD_HAS_DECIMALS = 1
};

/** A row of a popup definition, and the format of its attribute in the row, title and text. All texts are copied. */
typedef struct ald_popup_field {
  ald_popup_field_flags flags;
  /**
   * The number of digits after the decimal separator, 0 to 17. Without ALD_POPUP_FIELD_HAS_DECIMALS: as many digits as
   * the number needs. The shortest decimal number that stands for the value is rounded half to even: 2.675 becomes
   * 2.68.
   */
  uint32_t decimals;
  /** The name of the attribute, not empty. */
  const char *name;
  /** The label of the row. NULL means the attribute's alias, or its name if it has no alias. */
  const char *label;
  /** The text before the decimals. NULL means ".". */
  const char *decimal_separator;
  /** The text between groups of three digits before the decimal separator. NULL means no text. */
  const char *digit_separator;
  /**
   * The format of dates and times: a text with %Y (year), %m (month), %d (day), %H (hour, 00 to 23), %I (hour, 01 to
   * 12), %M (minute), %S (second), %p (AM or PM), %B and %b (the English name of the month, whole and abbreviated), %z
   * (the offset from UTC, such as +0130) and %% (a percent sign). Parts that the value does not have, such as the year
   * of a time, are left out. NULL means ISO 8601.
   */
  const char *date_format;
} ald_popup_field;

/** The contents of the popups of a layer or an overlay. All texts are copied. */
typedef struct ald_popup_definition {
  uint32_t struct_size;
  /** The number of fields, at most 10,000. 0 means one row for each attribute, with its own text. */
  uint32_t field_count;
  /** NULL means an empty title. */
  const char *title;
  /** NULL means an empty text. */
  const char *text;
  /** field_count fields, in the order of the rows. Copied. */
  const ald_popup_field *fields;
} ald_popup_definition;

/** Initialises an ald_popup_definition with a row per attribute. */
#define ALD_POPUP_DEFINITION_INIT                                                                                      \
  { (uint32_t)sizeof(ald_popup_definition), 0, NULL, NULL, NULL }

/** The popup of an element. Strings are valid until the result is released. */
typedef struct ald_popup {
  uint32_t struct_size;
  /** The number of rows. */
  uint32_t row_count;
  const char *title;
  const char *text;
} ald_popup;

/** Initialises an ald_popup. */
#define ALD_POPUP_INIT                                                                                                 \
  { (uint32_t)sizeof(ald_popup), 0, NULL, NULL }

/** A row of a popup. Strings are valid until the result is released. */
typedef struct ald_popup_row {
  uint32_t struct_size;
  uint32_t reserved;
  const char *label;
  /** The attribute's value; empty if it has none, or the element has no such attribute. */
  const char *text;
} ald_popup_row;

/** Initialises an ald_popup_row. */
#define ALD_POPUP_ROW_INIT                                                                                             \
  { (uint32_t)sizeof(ald_popup_row), 0, NULL, NULL }

/**
 * Sets the popup definition of a layer, or removes it. A new layer has none. The definition of a group has no effect on
 * the layers inside it, and groups have no elements of their own.
 *
 * @param definition NULL to remove the definition.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a template, a field or a format in definition is not valid, or a text is not
 *     UTF-8. The message says which.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_set_popup_definition(ald_layer layer, const ald_popup_definition *definition,
                                                  ald_error *error);

/**
 * Sets the popup definition of an overlay, or removes it. A new overlay has none.
 *
 * @param definition NULL to remove the definition.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a template, a field or a format in definition is not valid, or a text is not
 *     UTF-8. The message says which.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_set_popup_definition(ald_graphics_overlay overlay,
                                                             const ald_popup_definition *definition, ald_error *error);

/**
 * Gets the popup of an element.
 *
 * @param element_index The index of the element, from 0.
 * @param out_popup Receives the popup. Initialise it with ALD_POPUP_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_popup is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element, or its layer or overlay had no popup definition at the moment
 *     of the identify call.
 */
ALD_API ald_status ald_identify_result_get_popup_at(ald_identify_result result, uint32_t element_index,
                                                    ald_popup *out_popup, ald_error *error);

/**
 * Gets a row of an element's popup.
 *
 * @param element_index The index of the element, from 0.
 * @param index The index of the row, from 0 to row_count - 1.
 * @param out_row Receives the row. Initialise it with ALD_POPUP_ROW_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_row is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element, popup or row.
 */
ALD_API ald_status ald_identify_result_get_popup_row_at(ald_identify_result result, uint32_t element_index,
                                                        uint32_t index, ald_popup_row *out_row, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif
