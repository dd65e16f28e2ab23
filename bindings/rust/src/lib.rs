//! Alidade: a headless, embeddable map interaction engine.
//!
//! Everything begins with a [`Runtime`]. Objects release themselves when they are dropped, and the last of them releases
//! the runtime. A function that fails returns an [`Error`] with a message for people. Functions, structs and constants
//! have the words of the header; [`sys`] is the header itself.
//!
//! Objects stay on the thread that created them (they are neither `Send` nor `Sync`): texts and arrays that a call
//! returns are copied from the library before another call can change them. The library does its work on threads of its
//! own; begin it with the functions that end with `_async`.
//!
//! Objects inside structs and events are plain handles, such as `Event::layer`. A handle is a number: using one whose
//! object has gone is an error, never a crash. [`Layer::borrowed`] is the object of a handle. It owns nothing.

/// The C interface, as bindgen reads it from the header.
#[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, deref_nullptr, clippy::all)]
pub mod sys {
    include!(concat!(env!("OUT_DIR"), "/sys.rs"));
}

mod error;
#[allow(clippy::needless_update, clippy::let_and_return)]
#[rustfmt::skip]
mod generated;
mod support;

pub use error::{Error, Result, Status};
pub use generated::*;
pub use support::{text, RequestOptions, Runtime};
