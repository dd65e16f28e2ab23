/**
 * @file
 * The basis of the C++ interface: errors, views of arrays, text arguments, handles and completion functions.
 * Include alidade.hpp, not this file.
 */
#ifndef ALIDADE_CPP_BASE_HPP
#define ALIDADE_CPP_BASE_HPP

#include <alidade.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace alidade {
// Its own names for each version: a process may have modules that were compiled with different ones.
static_assert(ALD_VERSION_MAJOR == 0 && ALD_VERSION_MINOR == 1, "Name the namespace after the new version.");
inline namespace v0_1 {

/** The statuses as an error code. Compare a std::error_code with them: `code == alidade::errc::not_found`. */
enum class errc : ald_status {
  invalid_argument = ALD_STATUS_INVALID_ARGUMENT,
  invalid_handle = ALD_STATUS_INVALID_HANDLE,
  not_ready = ALD_STATUS_NOT_READY,
  not_found = ALD_STATUS_NOT_FOUND,
  unsupported = ALD_STATUS_UNSUPPORTED,
  read_failed = ALD_STATUS_READ_FAILED,
  projection_failed = ALD_STATUS_PROJECTION_FAILED,
  policy_refused = ALD_STATUS_POLICY_REFUSED,
  limit_exceeded = ALD_STATUS_LIMIT_EXCEEDED,
  buffer_too_small = ALD_STATUS_BUFFER_TOO_SMALL,
  invalid_state = ALD_STATUS_INVALID_STATE,
  forked = ALD_STATUS_FORKED,
  shutting_down = ALD_STATUS_SHUTTING_DOWN,
  out_of_memory = ALD_STATUS_OUT_OF_MEMORY,
  internal = ALD_STATUS_INTERNAL,
  cancelled = ALD_STATUS_CANCELLED,
  missing_grid = ALD_STATUS_MISSING_GRID
};

/** The category of statuses. The message of a code is the name of its status. */
inline const std::error_category &category() noexcept {
  class statuses final : public std::error_category {
    const char *name() const noexcept override {
      return "alidade";
    }
    std::string message(int status) const override {
      return ald_status_get_name(status);
    }
    std::error_condition default_error_condition(int status) const noexcept override {
      switch (status) {
      case ALD_STATUS_INVALID_ARGUMENT:
        return std::errc::invalid_argument;
      case ALD_STATUS_UNSUPPORTED:
        return std::errc::not_supported;
      case ALD_STATUS_POLICY_REFUSED:
        return std::errc::permission_denied;
      case ALD_STATUS_BUFFER_TOO_SMALL:
        return std::errc::no_buffer_space;
      case ALD_STATUS_OUT_OF_MEMORY:
        return std::errc::not_enough_memory;
      case ALD_STATUS_CANCELLED:
        return std::errc::operation_canceled;
      default:
        return {status, *this};
      }
    }
  };
  static const statuses instance;
  return instance;
}

inline std::error_code make_error_code(errc status) noexcept {
  return {static_cast<int>(status), category()};
}

/** A call failed. what() is the message of the library: what is wrong, with which value, and what helps. */
class error : public std::runtime_error {
public:
  explicit error(const ald_error &why)
      : std::runtime_error(why.message), status_(why.status), argument_(why.argument), domain_(why.domain),
        domain_code_(why.domain_code) {
  }
  ald_status status() const noexcept {
    return status_;
  }
  /** The status as a std::error_code. */
  std::error_code code() const noexcept {
    return {status_, category()};
  }
  /** The position of the parameter of the C function at fault; the object is 1. 0 if no parameter is at fault. */
  int32_t argument() const noexcept {
    return argument_;
  }
  /** The library that defines domain_code(). */
  ald_error_domain domain() const noexcept {
    return domain_;
  }
  /** The code of GDAL, PROJ, the system or a server; 0 without a code. */
  int32_t domain_code() const noexcept {
    return domain_code_;
  }

private:
  ald_status status_;
  int32_t argument_;
  ald_error_domain domain_;
  int32_t domain_code_;
};

/** Elements that lie one after the other in memory of the caller, as std::span in C++20. */
template <class T> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {
  }
  template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {
  }
  /** The elements of a vector, an array, a std::span or another container with data() and size(). */
  template <class Container, class Pointer = decltype(std::declval<Container &>().data()),
            class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<Pointer> (*)[], T (*)[]>>>
  constexpr span(Container &&container) noexcept : data_(container.data()), size_(container.size()) {
  }
  /** Valid until the end of the call. */
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  constexpr span(std::initializer_list<std::remove_const_t<T>> list) noexcept : span(list.begin(), list.size()) {
  }
  constexpr T *data() const noexcept {
    return data_;
  }
  constexpr std::size_t size() const noexcept {
    return size_;
  }
  constexpr bool empty() const noexcept {
    return size_ == 0;
  }
  constexpr T *begin() const noexcept {
    return data_;
  }
  constexpr T *end() const noexcept {
    return data_ + size_;
  }
  constexpr T &operator[](std::size_t index) const noexcept {
    return data_[index];
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/**
 * Tuples of N numbers at equal distances in memory of the caller: points, or vertices of a game engine. Made of one
 * tuple, a container of tuples (ald_point, std::array), or of an address, a distance in bytes and a count.
 */
template <class T, std::size_t N> class strided_span {
  using number = std::remove_const_t<T>;
  template <class E> struct is_tuple : std::bool_constant<N == 2 && std::is_same_v<E, ald_point>> {};
  template <std::size_t M> struct is_tuple<std::array<number, M>> : std::bool_constant<(M >= N)> {};
  template <class E>
  static constexpr bool
      fits = is_tuple<std::remove_const_t<E>>::value &&
             (std::is_const_v<T> || !std::is_const_v<E>)&&std::is_same_v<
                 number, std::conditional_t<std::is_same_v<std::remove_const_t<E>, ald_point>, double, number>>;
  static T *first(const ald_point &tuple) noexcept {
    return const_cast<T *>(&tuple.x);
  }
  template <std::size_t M> static T *first(const std::array<number, M> &tuple) noexcept {
    return const_cast<T *>(tuple.data());
  }

public:
  constexpr strided_span() noexcept = default;
  constexpr strided_span(T *data, std::size_t stride_bytes, std::size_t size) noexcept
      : data_(data), stride_bytes_(stride_bytes), size_(size) {
  }
  /** One tuple. */
  template <class E, class = std::enable_if_t<fits<std::remove_reference_t<E>>>>
  strided_span(E &&tuple) noexcept : strided_span(first(tuple), sizeof(tuple), 1) {
  }
  template <class E, std::size_t M, class = std::enable_if_t<fits<E>>>
  strided_span(E (&tuples)[M]) noexcept : strided_span(first(tuples[0]), sizeof(E), M) {
  }
  template <class Container, class E = std::remove_pointer_t<decltype(std::declval<Container &>().data())>,
            class = std::enable_if_t<fits<E> && !fits<std::remove_reference_t<Container>>>, class = void>
  strided_span(Container &&tuples) noexcept
      : strided_span(tuples.size() == 0 ? nullptr : first(*tuples.data()), sizeof(E), tuples.size()) {
  }
  /** Valid until the end of the call. */
  template <class U = T, class = std::enable_if_t<std::is_const_v<U> && N == 2>>
  strided_span(std::initializer_list<ald_point> points) noexcept
      : strided_span(points.size() == 0 ? nullptr : first(*points.begin()), sizeof(ald_point), points.size()) {
  }
  constexpr T *data() const noexcept {
    return data_;
  }
  constexpr std::size_t stride_bytes() const noexcept {
    return stride_bytes_;
  }
  constexpr std::size_t size() const noexcept {
    return size_;
  }
  constexpr bool empty() const noexcept {
    return size_ == 0;
  }

private:
  T *data_ = nullptr;
  std::size_t stride_bytes_ = N * sizeof(T);
  std::size_t size_ = 0;
};

/** Points that a function reads. */
using points = strided_span<const double, 2>;
/** Points that a function writes. */
using point_buffer = strided_span<double, 2>;

/** A text argument: UTF-8. A std::string_view is copied, because C needs the final NUL. nullptr is NULL. */
class cstring {
public:
  cstring(std::nullptr_t) noexcept {
  }
  cstring(const char *text) noexcept : text_(text) {
  }
  cstring(const std::string &text) noexcept : text_(text.c_str()) {
  }
  cstring(std::string_view text) : copy_(text), text_(copy_.c_str()) {
  }
  cstring(const cstring &) = delete;
  cstring &operator=(const cstring &) = delete;
  const char *get() const noexcept {
    return text_;
  }

private:
  std::string copy_;
  const char *text_ = nullptr;
};

/** A borrowed handle: a value without ownership, as a pointer or a std::string_view. It never releases anything. */
template <class Handle> class reference {
public:
  using handle_type = Handle;
  constexpr reference() noexcept = default;
  constexpr reference(Handle handle) noexcept : handle_(handle) {
  }
  /** The handle for functions and structs of C. */
  constexpr Handle get() const noexcept {
    return handle_;
  }
  constexpr operator Handle() const noexcept {
    return handle_;
  }
  /** Whether it is not the null handle. */
  constexpr explicit operator bool() const noexcept {
    return handle_.id != 0;
  }
  friend constexpr bool operator==(const reference &a, const reference &b) noexcept {
    return a.handle_.id == b.handle_.id;
  }
  friend constexpr bool operator!=(const reference &a, const reference &b) noexcept {
    return a.handle_.id != b.handle_.id;
  }

protected:
  Handle handle_{};
};

namespace detail {
template <class Handle> void release(Handle handle) noexcept;
} // namespace detail

/**
 * An object that the program owns: releases it in the destructor, can be moved and not copied. A moved-from object is
 * null. It converts to its reference, so it can be passed wherever a reference is expected.
 */
template <class Ref> class owned : public Ref {
public:
  using handle_type = typename Ref::handle_type;
  owned() noexcept = default;
  /** Takes over a handle that a C function gave to the host. A reference is refused: it owns nothing. */
  template <class Handle, class = std::enable_if_t<std::is_same_v<Handle, handle_type>>>
  explicit owned(Handle handle) noexcept : Ref(handle) {
  }
  owned(owned &&other) noexcept : Ref(other.detach()) {
  }
  /** A raster_layer becomes a layer, for example. */
  template <class Derived, class = std::enable_if_t<std::is_base_of_v<Ref, Derived> && !std::is_same_v<Ref, Derived>>>
  owned(owned<Derived> &&other) noexcept : Ref(other.detach()) {
  }
  owned &operator=(owned &&other) noexcept {
    const handle_type handle = other.detach();
    reset();
    this->handle_ = handle;
    return *this;
  }
  ~owned() {
    reset();
  }
  /** Releases the object now. */
  void reset() noexcept {
    const handle_type handle = detach();
    if (handle.id != 0)
      detail::release(handle);
  }
  /** Gives the handle to the caller, who releases it with the C function. */
  handle_type detach() noexcept {
    return std::exchange(this->handle_, handle_type{});
  }
};

/** Handles for a function that takes several objects: {a, b}, or a container of objects or references. */
template <class Ref> class handle_list {
public:
  handle_list(std::initializer_list<Ref> list) : handles_(list.begin(), list.end()) {
  }
  template <class Container, class = decltype(std::begin(std::declval<const Container &>()))>
  handle_list(const Container &objects) {
    for (const Ref &object : objects)
      handles_.push_back(object.get());
  }
  const typename Ref::handle_type *data() const noexcept {
    return handles_.data();
  }
  std::size_t size() const noexcept {
    return handles_.size();
  }

private:
  std::vector<typename Ref::handle_type> handles_;
};

/** The position in a list. It reads its element when it is dereferenced. */
template <class Owner, class Item> class list_iterator {
public:
  using getter = Item (Owner::*)(uint32_t) const;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using value_type = Item;
  using difference_type = std::ptrdiff_t;
  using reference = Item;
  using pointer = void;
  list_iterator() = default;
  list_iterator(const Owner &owner, getter get, uint32_t index) : owner_(owner), get_(get), index_(index) {
  }
  Item operator*() const {
    return (owner_.*get_)(index_);
  }
  list_iterator &operator++() {
    ++index_;
    return *this;
  }
  list_iterator operator++(int) {
    return {owner_, get_, index_++};
  }
  friend bool operator==(const list_iterator &a, const list_iterator &b) {
    return a.index_ == b.index_;
  }
  friend bool operator!=(const list_iterator &a, const list_iterator &b) {
    return a.index_ != b.index_;
  }

private:
  Owner owner_{};
  getter get_ = nullptr;
  uint32_t index_ = 0;
};

/** A list inside an object: for (auto layer : map.layers()). */
template <class Owner, class Item> class list {
public:
  using iterator = list_iterator<Owner, Item>;
  list(const Owner &owner, typename iterator::getter get, uint32_t size) : owner_(owner), get_(get), size_(size) {
  }
  /** The number of elements when the list was asked for. */
  uint32_t size() const noexcept {
    return size_;
  }
  bool empty() const noexcept {
    return size_ == 0;
  }
  /** Throws if the object has no such element. */
  Item operator[](uint32_t index) const {
    return (owner_.*get_)(index);
  }
  iterator begin() const {
    return {owner_, get_, 0};
  }
  iterator end() const {
    return {owner_, get_, size_};
  }

private:
  Owner owner_;
  typename iterator::getter get_;
  uint32_t size_;
};

/** Samples of a screen or a window, line by line from the top, and a verdict (ald_cell_verdict) per sample. */
template <class T> struct samples {
  int32_t columns = 0;
  int32_t rows = 0;
  std::vector<T> values;
  std::vector<uint8_t> verdicts;
};

namespace detail {

/** Throws; in a program without exceptions, ends it as the standard library does. Use the forms with a code there. */
[[noreturn]] inline void raise(const ald_error &why) {
#ifdef __cpp_exceptions
  throw error(why);
#else
  (void)why;
  std::abort();
#endif
}

/** Turns statuses into exceptions. */
class thrown {
public:
  ald_error *out() noexcept {
    return &error_;
  }
  bool failed(ald_status status) {
    if (status != ALD_STATUS_OK)
      raise(error_);
    return false;
  }
  template <class Undo> bool failed_after(ald_status status, Undo undo) {
    if (status != ALD_STATUS_OK)
      undo();
    return failed(status);
  }
  /** Refuses an array that is too small before the library writes to it. */
  bool refused(bool wrong, int32_t argument, const char *message) {
    if (!wrong)
      return false;
    std::memset(&error_, 0, sizeof error_);
    error_.status = ALD_STATUS_INVALID_ARGUMENT;
    error_.argument = argument;
    std::strncpy(error_.message, message, sizeof error_.message - 1);
    raise(error_);
  }

private:
  ald_error error_;
};

/** Turns statuses into a std::error_code. */
class noted {
public:
  explicit noted(std::error_code &code) noexcept : code_(code) {
    code.clear();
  }
  ald_error *out() noexcept {
    return nullptr;
  }
  bool failed(ald_status status) noexcept {
    if (status != ALD_STATUS_OK)
      code_.assign(status, category());
    return status != ALD_STATUS_OK;
  }
  template <class Undo> bool failed_after(ald_status status, Undo undo) {
    if (status != ALD_STATUS_OK)
      undo();
    return failed(status);
  }
  bool refused(bool wrong, int32_t, const char *) noexcept {
    return wrong && failed(ALD_STATUS_INVALID_ARGUMENT);
  }

private:
  std::error_code &code_;
};

/** Calls a function that copies a text or a list out, and again with a larger buffer if the first was too small. */
template <class Items, class Failure, class Call> Items copied(Failure &failure, Call call) {
  constexpr std::size_t nul = std::is_same_v<Items, std::string> ? 1 : 0;
  Items items;
  std::size_t size = sizeof(typename Items::value_type) == 1 ? 256 : 16;
  ald_status status;
  do {
    items.resize(size - nul);
    status = call(items.data(), items.size() + nul, &size);
  } while (status == ALD_STATUS_BUFFER_TOO_SMALL && size > items.size() + nul);
  items.resize(failure.failed(status) ? 0 : size - nul);
  return items;
}

/** Takes all events that wait. */
template <class Failure, class Call> std::vector<ald_event> polled(Failure &failure, Call call) {
  std::vector<ald_event> events;
  ald_event taken[32];
  std::size_t count = 0;
  do {
    count = 0;
    if (failure.failed(call(taken, 32, &count)))
      break;
    events.insert(events.end(), taken, taken + count);
  } while (count == 32);
  return events;
}

/** Asks for the size of a picture and reads it. */
template <class T, std::size_t Values, class Failure, class Size, class Read>
samples<T> pictured(Failure &failure, Size size, Read read) {
  samples<T> picture;
  int32_t columns = 0, rows = 0;
  if (failure.failed(size(&columns, &rows)))
    return picture;
  picture.verdicts.resize(std::size_t(columns) * std::size_t(rows));
  picture.values.resize(picture.verdicts.size() * Values);
  if (failure.failed(read(picture.values.data(), picture.values.size() * sizeof(T), picture.verdicts.data())))
    return {};
  picture.columns = columns;
  picture.rows = rows;
  return picture;
}

/** Whether the caller's array for verdicts is empty or large enough. */
template <class Failure, class Size> bool fits(Failure &failure, span<uint8_t> verdicts, int32_t argument, Size size) {
  int32_t columns = 0, rows = 0;
  if (verdicts.empty())
    return true;
  if (failure.failed(size(&columns, &rows)))
    return false;
  return !failure.refused(verdicts.size() < std::size_t(columns) * std::size_t(rows), argument,
                          "out_verdicts must hold columns * rows entries, or be empty.");
}

/** NULL for an empty array that the caller does not want. */
template <class T> T *wanted(span<T> array) noexcept {
  return array.empty() ? nullptr : array.data();
}

/** Hands an object that a function creates to the caller's variable, if there is one. */
template <class Owner> class receiver {
public:
  explicit receiver(Owner *to) noexcept : to_(to) {
  }
  receiver(const receiver &) = delete;
  receiver &operator=(const receiver &) = delete;
  ~receiver() {
    if (to_ != nullptr)
      *to_ = Owner(handle_);
  }
  typename Owner::handle_type *out() noexcept {
    return to_ == nullptr ? nullptr : &handle_;
  }

private:
  Owner *to_;
  typename Owner::handle_type handle_{};
};

inline std::string_view text(const char *text) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/**
 * The completion functions of the process. C gets a number as user_data, which is looked up here, so that a number
 * whose runtime has ended means nothing. It is never destroyed: a runtime may outlive the static objects.
 */
class completions {
public:
  using function = std::function<void(ald_request)>;

  static completions &all() {
    static completions *const instance = new completions;
    return *instance;
  }
  void *add(ald_runtime runtime, function call) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[++last_] = {runtime.id, 0, true, std::make_shared<function>(std::move(call))};
    return reinterpret_cast<void *>(last_);
  }
  /** A request uses the function. */
  void use(void *token) {
    change(token, [](record &entry) { ++entry.uses; });
  }
  /** A request that used the function has ended, or could not be made. */
  void unuse(void *token) {
    change(token, [](record &entry) { --entry.uses; });
  }
  /** No further request will use the function. */
  void drop(void *token) {
    change(token, [](record &entry) { entry.is_held = false; });
  }
  void forget(ald_runtime runtime) {
    std::vector<std::shared_ptr<function>> dying; // Their destructors run without the lock.
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto at = entries_.begin(); at != entries_.end();) {
      if (at->second.runtime != runtime.id) {
        ++at;
        continue;
      }
      dying.push_back(std::move(at->second.call));
      at = entries_.erase(at);
    }
    thrown_.erase(runtime.id);
  }
  /** Throws the oldest exception that left a completion function of the runtime. */
  void rethrow(ald_runtime runtime) {
    std::exception_ptr oldest;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = thrown_.find(runtime.id);
      if (found == thrown_.end())
        return;
      oldest = found->second.front();
      found->second.pop_front();
      if (found->second.empty())
        thrown_.erase(found);
    }
    std::rethrow_exception(oldest);
  }
  /** What the library calls. No exception leaves it. */
  static void run(ald_request request, void *token) noexcept {
    all().call(request, token);
  }

private:
  struct record {
    std::uint64_t runtime;
    std::size_t uses;
    bool is_held;
    std::shared_ptr<function> call;
  };

  template <class Change> void change(void *token, Change change) {
    std::shared_ptr<function> dying;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(reinterpret_cast<std::uintptr_t>(token));
    if (found == entries_.end())
      return;
    change(found->second);
    if (found->second.uses > 0 || found->second.is_held)
      return;
    dying = std::move(found->second.call);
    entries_.erase(found);
  }
  void call(ald_request request, void *token) noexcept {
    std::shared_ptr<function> completion;
    [[maybe_unused]] std::uint64_t runtime = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto found = entries_.find(reinterpret_cast<std::uintptr_t>(token));
      if (found == entries_.end())
        return;
      completion = found->second.call;
      runtime = found->second.runtime;
    }
#ifdef __cpp_exceptions
    try {
      (*completion)(request);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      thrown_[runtime].push_back(std::current_exception());
    }
#else
    (*completion)(request);
#endif
    unuse(token);
  }

  std::mutex mutex_;
  std::uintptr_t last_ = 0;
  std::map<std::uintptr_t, record> entries_;
  std::map<std::uint64_t, std::deque<std::exception_ptr>> thrown_;
};

class settings;

} // namespace detail

/**
 * The settings of a new request. runtime.when_done(function) gives settings with a completion function: the runtime
 * keeps the function alive until the last request with these settings has called it, or until the runtime ends.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
struct request_options : ald_request_options {
  request_options() noexcept : ald_request_options ALD_REQUEST_OPTIONS_INIT {
  }
  request_options(const ald_request_options &other) noexcept : ald_request_options(other) {
  }

private:
  friend class runtime_ref;
  friend class detail::settings;
  std::shared_ptr<void> held_;
};
#pragma GCC diagnostic pop

namespace detail {

/** Counts the requests that will call a completion function. */
class settings {
public:
  /** A request is about to begin: its function may be called before the call of C returns. */
  static void begin(const request_options &options) {
    if (options.held_)
      completions::all().use(options.user_data);
  }
  /** The request could not be made. */
  static void fail(const request_options &options) {
    if (options.held_)
      completions::all().unuse(options.user_data);
  }
};

} // namespace detail

} // namespace v0_1
} // namespace alidade

template <> struct std::is_error_code_enum<alidade::errc> : std::true_type {};

#endif
