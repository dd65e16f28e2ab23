//! Makes the raw interface of the header with the program bindgen, and finds the library with pkg-config. Both are
//! Debian packages; no crate is needed.
//!
//! PKG_CONFIG_PATH names the lib/pkgconfig of an SDK that is not installed. BINDGEN may name another bindgen.
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn output(command: &mut Command) -> String {
    let shown = format!("{:?}", command);
    let result = command.output().unwrap_or_else(|why| panic!("{} cannot be run: {}", shown, why));
    if !result.status.success() {
        panic!("{} failed: {}", shown, String::from_utf8_lossy(&result.stderr));
    }
    String::from_utf8(result.stdout).expect("its output is not UTF-8")
}

fn main() {
    for name in ["PKG_CONFIG_PATH", "BINDGEN"] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    let include = output(Command::new("pkg-config").args(["--variable=includedir", "alidade"]));
    let header = format!("{}/alidade.h", include.trim());
    println!("cargo:rerun-if-changed={}", header);
    let raw = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("sys.rs");
    let bindgen = env::var("BINDGEN").unwrap_or_else(|_| "bindgen".into());
    let text = output(
        Command::new(bindgen)
            .arg(&header)
            .args(["--allowlist-function", "ald_.*", "--allowlist-type", "ald_.*", "--allowlist-var", "ALD_.*"])
            .args([
                "--default-enum-style",
                "consts",
                "--no-prepend-enum-name",
                "--no-doc-comments",
                "--size_t-is-usize",
            ])
            .args(["--with-derive-partialeq", "--with-derive-eq", "--with-derive-hash", "--no-rustfmt-bindings"]),
    );
    // Without rustfmt, all of it is one line, which would be shown with every error of the compiler.
    fs::write(raw, text.replace(" ; ", " ;\n").replace(" } ", " }\n")).expect("OUT_DIR cannot be written to");
    for flag in output(Command::new("pkg-config").args(["--libs", "alidade"])).split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={}", folder);
        } else if let Some(library) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib=dylib={}", library);
        }
    }
}
