# What Tests/sdk/run, Tests/sdk/prefix and Tests/cpp/run share: counting, and compiling with what pkg-config says.
# Sourced by bash.
# shellcheck shell=bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
strict=(-Wall -Wextra -pedantic -Werror)

# check NAME COMMAND...: counts one check; its output is shown if it fails.
check() {
  local name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    sed 's/^/        /' "$work/output" | tail -n 30
  fi
}

flags() { # flags FOLDER: what the pkg-config file in a folder of libraries says, a word per line
  PKG_CONFIG_PATH=$1/pkgconfig pkg-config --cflags --libs alidade | xargs -n 1
}

compile() { # compile OUTPUT FOLDER COMPILER...: a program linked with pkg-config's flags
  local output=$1 words
  mapfile -t words < <(flags "$2")
  [[ ${#words[@]} -gt 0 ]] || return 1
  "${@:3}" -o "$work/$output" "${words[@]}"
}

says() { # says TEXT COMMAND...: whether a command succeeds and prints exactly that
  local expected=$1 actual
  shift
  actual=$("$@") || return 1
  [[ $actual == "$expected" ]] || {
    echo "expected: $expected, got: $actual"
    return 1
  }
}

fails() { # fails COMMAND...: whether a command fails, as it should
  ! "$@"
}

finish() {
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
}
