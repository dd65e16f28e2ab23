/**
 * @file
 * Alidade for C++17: the C interface as classes, without anything to link but the library.
 *
 * Objects. Each kind of handle has two types. alidade::view owns its object: it can be moved, not copied, and its
 * destructor releases the object. alidade::view_ref borrows one: it is a value, and an owner converts to it. Both have
 * the functions of the kind, named as in C without the prefix: ald_view_set_scale is view.set_scale. A function that
 * creates an object gives an owner (alidade::view::create); any other gives a reference. Release the runtime last.
 *
 * Errors. Each function has two forms. One throws alidade::error, which has the status, the library that reported the
 * cause and its code. The other takes a std::error_code last and sets it instead. It returns an empty value on failure.
 *
 * Arguments. Options have their defaults when they are created and may be left out. Text is a const char *, a
 * std::string or a std::string_view. Arrays are alidade::span and alidade::points, which a vector converts to. A
 * std::vector or a std::string comes back where C takes a buffer and its size.
 *
 * Lists are ranges: for (auto layer : map.layers()), for (auto hit : view.identify(tap)), for (auto &event :
 * runtime.poll_events()).
 *
 * Functions of C take these objects too: ald_view_set_scale(view, 72000, nullptr).
 */
#ifndef ALIDADE_HPP
#define ALIDADE_HPP

#include "alidade/cpp/base.hpp"
#include "alidade/cpp/interface.hpp"
#include "alidade/cpp/ranges.hpp"

#endif
