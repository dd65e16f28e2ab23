use crate::sys;
use std::fmt;

/// The status of a failed call, such as `Status::NOT_FOUND`. Later versions of the library may know more of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Status(pub sys::ald_status);

impl Status {
    /// The name in C, such as `ALD_STATUS_NOT_FOUND`.
    pub fn name(self) -> String {
        crate::status_get_name(self.0)
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name())
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub status: Status,
    /// The position of the argument at fault in the function of C, counted from 1; 0 if no argument is at fault.
    pub argument: i32,
    /// Whose code `domain_code` is: a constant of [`crate::error_domain`].
    pub domain: i32,
    pub domain_code: i32,
    /// For people: what went wrong with which value, and what helps.
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An argument that the library never sees, because Rust cannot pass it.
    pub(crate) fn argument(message: String) -> Error {
        Error { status: Status::INVALID_ARGUMENT, argument: 0, domain: 0, domain_code: 0, message }
    }

    pub(crate) fn from_raw(raw: &sys::ald_error) -> Error {
        Error {
            status: Status(raw.status),
            argument: raw.argument,
            domain: raw.domain,
            domain_code: raw.domain_code,
            message: crate::text(&raw.message),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
