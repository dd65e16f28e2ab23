//! What the generated layer is built of.

use crate::{sys, Error, Result};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_void, CStr, CString};
use std::os::raw::c_char;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::rc::Rc;

pub(crate) use std::mem::{size_of, zeroed};

// Calls

pub(crate) fn check(call: impl FnOnce(*mut sys::ald_error) -> sys::ald_status) -> Result<()> {
    let mut error = std::mem::MaybeUninit::<sys::ald_error>::zeroed();
    if call(error.as_mut_ptr()) == sys::ALD_STATUS_OK as sys::ald_status {
        return Ok(());
    }
    // A struct of numbers, for which zeros are right as well.
    Err(Error::from_raw(unsafe { &error.assume_init() }))
}

/// Repeats a call with a larger buffer until everything fits.
fn grown<T: Copy>(
    mut capacity: usize,
    mut call: impl FnMut(*mut T, usize, *mut usize, *mut sys::ald_error) -> sys::ald_status,
) -> Result<Vec<T>> {
    loop {
        let mut buffer: Vec<T> = Vec::with_capacity(capacity);
        let mut size = 0;
        let done = check(|error| call(buffer.as_mut_ptr(), capacity, &mut size, error));
        match done {
            Ok(()) if size <= capacity => {
                // The call has written this many.
                unsafe { buffer.set_len(size) };
                return Ok(buffer);
            }
            Err(error) if error.status != crate::Status::BUFFER_TOO_SMALL || size <= capacity => return Err(error),
            _ => capacity = size,
        }
    }
}

pub(crate) fn copied(
    call: impl FnMut(*mut u8, usize, *mut usize, *mut sys::ald_error) -> sys::ald_status,
) -> Result<Vec<u8>> {
    grown(256, call)
}

pub(crate) fn listed<T: Copy>(
    call: impl FnMut(*mut T, usize, *mut usize, *mut sys::ald_error) -> sys::ald_status,
) -> Result<Vec<T>> {
    grown(16, call)
}

pub(crate) fn limited<T: Copy>(
    most: usize,
    call: impl FnMut(*mut T, usize, *mut usize, *mut sys::ald_error) -> sys::ald_status,
) -> Result<Vec<T>> {
    grown(most, call)
}

pub(crate) fn require(holds: bool, name: &str) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(Error::argument(format!("{} does not have as many elements as the arrays that belong to it", name)))
}

// Texts and arrays that come out

/// The text in an array of characters, such as the name in a [`crate::ProjectionInfo`].
pub fn text(characters: &[c_char]) -> String {
    let bytes: Vec<u8> = characters.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn text_from(mut bytes: Vec<u8>) -> String {
    bytes.pop(); // The NUL is part of the size.
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) unsafe fn text_at(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    Some(CStr::from_ptr(pointer).to_string_lossy().into_owned())
}

pub(crate) fn text_of(pointer: *const c_char) -> String {
    // Only texts that the library has just returned come here.
    unsafe { text_at(pointer) }.unwrap_or_default()
}

pub(crate) unsafe fn array_at<T: Copy>(pointer: *const T, count: usize) -> Vec<T> {
    if pointer.is_null() {
        return Vec::new();
    }
    std::slice::from_raw_parts(pointer, count).to_vec()
}

pub(crate) unsafe fn texts_at(pointer: *const *const c_char, count: usize) -> Vec<String> {
    array_at(pointer, count).into_iter().map(|at| text_at(at).unwrap_or_default()).collect()
}

/// Rows of numbers with a distance between the rows.
pub(crate) unsafe fn strided_at(pointer: *const f64, rows: usize, numbers: usize, stride_bytes: usize) -> Vec<f64> {
    if pointer.is_null() {
        return Vec::new();
    }
    let row = |index: usize| pointer.cast::<u8>().add(index * stride_bytes).cast::<f64>();
    (0..rows).flat_map(|index| array_at(row(index), numbers)).collect()
}

// What goes in

/// A struct that owns its texts and arrays, and how C sees it during a call.
pub(crate) trait Lower {
    type Raw: 'static;
    fn lower(&self, arena: &mut Arena) -> Result<Self::Raw>;
    fn lengths(&self) -> Vec<usize> {
        Vec::new()
    }
}

/// The memory that structs of C point to during a call.
#[derive(Default)]
pub(crate) struct Arena {
    held: Vec<Box<dyn Any>>,
}

impl Arena {
    pub(crate) fn text(&mut self, text: Option<&str>) -> Result<*const c_char> {
        let text = match text {
            Some(text) => text,
            None => return Ok(std::ptr::null()),
        };
        let held = CString::new(text).map_err(|_| Error::argument(format!("the text {:?} contains a NUL", text)))?;
        let pointer = held.as_ptr();
        self.held.push(Box::new(held));
        Ok(pointer)
    }

    pub(crate) fn texts(&mut self, texts: &[String]) -> Result<*const *const c_char> {
        let pointers = texts.iter().map(|text| self.text(Some(text))).collect::<Result<Vec<_>>>()?;
        Ok(self.keep(pointers))
    }

    pub(crate) fn boxed<T: Lower>(&mut self, value: Option<&T>) -> Result<*const T::Raw> {
        value.map_or(Ok(std::ptr::null()), |value| self.all(std::slice::from_ref(value)))
    }

    pub(crate) fn all<T: Lower>(&mut self, values: &[T]) -> Result<*const T::Raw> {
        let raws = values.iter().map(|value| value.lower(self)).collect::<Result<Vec<_>>>()?;
        Ok(self.keep(raws))
    }

    fn keep<T: 'static>(&mut self, values: Vec<T>) -> *const T {
        let pointer = slice_in(&values);
        self.held.push(Box::new(values));
        pointer
    }
}

pub(crate) fn pointer_to<T>(value: Option<&T>) -> *const T {
    value.map_or(std::ptr::null(), |value| value)
}

pub(crate) fn slice_in<T>(slice: &[T]) -> *const T {
    if slice.is_empty() {
        return std::ptr::null();
    }
    slice.as_ptr()
}

pub(crate) fn slice_out<T>(slice: &mut [T]) -> *mut T {
    if slice.is_empty() {
        return std::ptr::null_mut();
    }
    slice.as_mut_ptr()
}

/// How many elements arrays have that share a count; each is empty or has that many times a factor, and some more.
pub(crate) fn count(name: &str, arrays: &[(usize, usize, usize)], others: Vec<usize>) -> Result<usize> {
    let mut found = None;
    for &(length, factor, more) in
        arrays.iter().chain(others.iter().map(|&length| (length, 1, 0)).collect::<Vec<_>>().iter())
    {
        if length == 0 {
            continue;
        }
        if length < more
            || (length - more) % factor != 0
            || *found.get_or_insert((length - more) / factor) != (length - more) / factor
        {
            return Err(Error::argument(format!("the arrays that {} counts have different sizes", name)));
        }
    }
    Ok(found.unwrap_or(0))
}

// Objects

struct Owner {
    handle: sys::ald_runtime,
}

impl Drop for Owner {
    fn drop(&mut self) {
        unsafe { sys::ald_runtime_release(self.handle) }
    }
}

/// What everything else is created with. A clone is the same runtime. It is released with its last clone and the last
/// object that was created with it.
#[derive(Clone)]
pub struct Runtime {
    owner: Rc<Owner>,
}

impl Runtime {
    pub(crate) fn new(handle: sys::ald_runtime) -> Runtime {
        Runtime { owner: Rc::new(Owner { handle }) }
    }

    pub fn handle(&self) -> sys::ald_runtime {
        self.owner.handle
    }

    pub(crate) fn runtime(&self) -> Option<Runtime> {
        Some(self.clone())
    }

    /// Releases the runtime now. All of its objects become invalid: calls with them fail.
    pub fn release(&self) {
        unsafe { sys::ald_runtime_release(self.owner.handle) }
    }

    /// Calls the functions of requests that have ended. See `ald_runtime_pump`. A panic in one of them goes on when all
    /// have been called.
    pub fn pump(&self, budget_ms: u32) -> Result<crate::PumpReport> {
        let mut report = crate::PumpReport::default();
        let done = check(|error| unsafe { sys::ald_runtime_pump(self.handle(), budget_ms, &mut report, error) });
        if let Some(panic) = COMPLETIONS.with(|all| all.borrow_mut().panic.take()) {
            resume_unwind(panic);
        }
        done.map(|()| report)
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Runtime({:#x})", self.owner.handle.id)
    }
}

macro_rules! object {
    ($name:ident, $handle:ident, $release:ident, $doc:expr) => {
        #[doc = $doc]
        pub struct $name {
            handle: sys::$handle,
            is_owned: bool,
            // Released after this object.
            runtime: Option<Runtime>,
        }

        impl $name {
            pub(crate) fn new(handle: sys::$handle, runtime: Option<Runtime>, is_owned: bool) -> Self {
                $name { handle, is_owned, runtime }
            }

            #[allow(dead_code)]
            pub(crate) fn given(handle: sys::$handle, runtime: Option<Runtime>, is_owned: bool) -> Option<Self> {
                (handle.id != 0).then(|| Self::new(handle, runtime, is_owned))
            }

            /// An object for a handle, such as one in a struct or an event. It owns nothing: dropping it releases
            /// nothing. None for the handle 0.
            pub fn borrowed(runtime: &Runtime, handle: sys::$handle) -> Option<Self> {
                Self::given(handle, Some(runtime.clone()), false)
            }

            pub fn handle(&self) -> sys::$handle {
                self.handle
            }

            #[allow(dead_code)]
            pub(crate) fn runtime(&self) -> Option<Runtime> {
                self.runtime.clone()
            }

            /// Releases the object now, if this is the one that owns it; later calls with it fail.
            pub fn release(&self) {
                if self.is_owned {
                    unsafe { sys::$release(self.handle) }
                }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.release();
            }
        }

        /// Whether both are the same object.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.handle.id == other.handle.id
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, concat!(stringify!($name), "({:#x})"), self.handle.id)
            }
        }
    };
}
pub(crate) use object;

// Requests

/// How a request runs.
#[derive(Default)]
pub struct RequestOptions {
    /// Constants of [`crate::request_flags`].
    pub flags: u32,
    /// Newer requests with the same key replace older ones. 0: none.
    pub replace_key: u64,
    /// Called once by [`Runtime::pump`] when the request has ended.
    pub on_done: Option<Box<dyn FnOnce(sys::ald_request)>>,
}

/// The functions that wait for requests, by number. Runtimes stay on their thread, so each thread has its own.
#[derive(Default)]
struct Completions {
    waiting: HashMap<usize, Box<dyn FnOnce(sys::ald_request)>>,
    count: usize,
    panic: Option<Box<dyn Any + Send>>,
}

thread_local! {
    static COMPLETIONS: RefCell<Completions> = RefCell::default();
}

extern "C" fn complete(request: sys::ald_request, user_data: *mut c_void) {
    let function = COMPLETIONS.with(|all| all.borrow_mut().waiting.remove(&(user_data as usize)));
    if let Some(function) = function {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| function(request))) {
            COMPLETIONS.with(|all| {
                all.borrow_mut().panic.get_or_insert(panic);
            });
        }
    }
}

/// A request that is about to begin.
pub(crate) struct Pending {
    raw: sys::ald_request_options,
    key: usize,
}

impl Pending {
    pub(crate) fn new(options: RequestOptions) -> Pending {
        let mut raw = sys::ald_request_options { flags: options.flags, ..Default::default() };
        raw.replace_key = options.replace_key;
        let function = match options.on_done {
            Some(function) => function,
            None => return Pending { raw, key: 0 },
        };
        let key = COMPLETIONS.with(|all| {
            let mut all = all.borrow_mut();
            all.count += 1;
            let key = all.count;
            all.waiting.insert(key, function);
            key
        });
        raw.completion = Some(complete);
        raw.user_data = key as *mut c_void;
        Pending { raw, key }
    }

    pub(crate) fn options(&self) -> *const sys::ald_request_options {
        &self.raw
    }

    /// Forgets the function of a request that has not begun.
    pub(crate) fn begun(&self, result: Result<()>) -> Result<()> {
        if result.is_err() && self.key != 0 {
            COMPLETIONS.with(|all| all.borrow_mut().waiting.remove(&self.key));
        }
        result
    }
}
