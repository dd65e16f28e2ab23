/**
 * @file
 * What is written by hand on top of the generated classes. Include alidade.hpp, not this file.
 */
#ifndef ALIDADE_CPP_RANGES_HPP
#define ALIDADE_CPP_RANGES_HPP

#include "interface.hpp"

namespace alidade {
inline namespace v0_1 {

/** An element of an identify result, with what the result knows about it. Its texts live as long as the result. */
struct identified : identify_element {
  identify_result_ref result;
  uint32_t index = 0;

  /** The cell of a raster layer. */
  identify_cell cell() const {
    return result.get_cell_at(index);
  }
  /** How a feature or a graphic was hit. */
  identify_evidence evidence() const {
    return result.get_evidence_at(index);
  }
  geometry create_geometry() const {
    return result.create_geometry(index);
  }
  alidade::attribute attribute_at(uint32_t attribute_index) const {
    return result.get_attribute_at(index, attribute_index);
  }
  /** The attribute of a name; throws errc::not_found without one. */
  alidade::attribute attribute(const cstring &name) const {
    return result.find_attribute(index, name);
  }
  list<identified, alidade::attribute> attributes() const {
    return {*this, &identified::attribute_at, attribute_count};
  }
  alidade::popup popup() const {
    return result.get_popup_at(index);
  }
  popup_row popup_row_at(uint32_t row_index) const {
    return result.get_popup_row_at(index, row_index);
  }
  list<identified, popup_row> popup_rows() const {
    return {*this, &identified::popup_row_at, popup().row_count};
  }
};

inline identified identify_result_ref::item_at(uint32_t index) const {
  identified item;
  static_cast<identify_element &>(item) = get_element_at(index);
  item.result = *this;
  item.index = index;
  return item;
}

/** A feature of a feature set. Its texts and arrays live as long as the set. */
struct feature_row {
  feature_set_ref set;
  uint32_t index = 0;
  int64_t id = 0;
  /** Bits of ald_feature_flags. */
  uint8_t flags = 0;

  attribute_value attribute_at(uint32_t field_index) const {
    return set.get_attribute(index, field_index);
  }
  list<feature_row, attribute_value> attributes() const {
    return {*this, &feature_row::attribute_at, set.get_info().field_count};
  }
  geometry create_geometry() const {
    return set.get_geometries().create_geometry(index);
  }
};

inline feature_row feature_set_ref::row_at(uint32_t index) const {
  const feature_columns columns = get_columns();
  if (index >= columns.feature_count)
    get_attribute(index, 0); // throws
  return {*this, index, columns.ids[index], columns.feature_flags[index]};
}

inline list<feature_set_ref, feature_row> feature_set_ref::features() const {
  return {*this, &feature_set_ref::row_at, get_info().feature_count};
}

inline request_options runtime_ref::when_done(std::function<void(request_ref)> function) const {
  return when_done(std::move(function), request_options());
}

inline request_options runtime_ref::when_done(std::function<void(request_ref)> function,
                                              const ald_request_options &options) const {
  request_options settings(options);
  settings.user_data = detail::completions::all().add(get(), std::move(function));
  settings.completion = &detail::completions::run;
  settings.held_ =
      std::shared_ptr<void>(settings.user_data, [](void *token) { detail::completions::all().drop(token); });
  return settings;
}

} // namespace v0_1
} // namespace alidade

#endif
