#!/usr/bin/env bash
# Compiles the package's C for Apple's systems, and links it, on a Linux machine.
#
# The toolchain's clang reads Darwin's headers, which Python's package ziglang carries with a stub of
# libSystem. Debian's ld64.lld-14 links, since the toolchain's linker refuses Mach-O. What this cannot
# show: that Swift compiles there, and that anything runs.
set -euo pipefail
cd "$(dirname "$0")/.."

headers=$(echo "$PWD"/.build/python/lib/python3*/site-packages/ziglang/lib/libc)
[ -f "$headers/darwin/libSystem.tbd" ] ||
  { echo "skipped: no headers of Darwin in .build/python" && [ "${CI:-}" != true ] && exit; }
linker=$(command -v ld64.lld-14 || true)

work=.build/apple
rm -rf "$work"
mkdir -p "$work"
sources=(Sources/C*/*.c Tests/CHooks/*.c Tests/CHostile/*.c)
folders=()
for folder in Sources/C*/include Tests/C*/include; do folders+=(-I "$folder"); done
# What the C takes from Swift's runtime. Mach-O refuses a weak symbol that no library has, so each
# other one fails at the link.
symbols=(
  _swift_concurrency_debug_asyncTaskSize _swift_concurrency_debug_internal_layout_version
  swift_task_cancel swift_task_enqueueGlobal_hook swift_task_enqueueMainExecutor swift_task_getCurrent
  swift_task_getJobTaskId swift_task_getMainExecutor_hook swift_task_isCancelled
  swift_task_localValueGet)

compile() { # triple, source, object
  clang -target "$1" -std=gnu11 -O1 -Wall -Wextra -Werror -nostdlibinc \
    -isystem "$headers/include/any-darwin-any" "${folders[@]}" -c "$2" -o "$3"
}

link() { # architecture, platform, version, library, objects
  "$linker" -dylib -arch "$1" -platform_version "$2" "$3" "$3" -o "$4" "${@:5}" \
    "$work/system.tbd" "$work/swift.tbd"
}

stubs() { # architecture, platform
  # The stub names its targets for Macs alone; libSystem has the same calls on the other systems, and
  # what one of them lacks the headers mark as unavailable.
  sed -E ":a;/targets: *\[[^]]*$/{N;ba};s/targets: *\[[^]]*\]/targets: [ $1-$2 ]/" \
    "$headers/darwin/libSystem.tbd" > "$work/system.tbd"
  cat > "$work/swift.tbd" << END
--- !tapi-tbd
tbd-version: 4
targets: [ $1-$2 ]
install-name: /usr/lib/swift/libswift_Concurrency.dylib
exports:
  - targets: [ $1-$2 ]
    symbols: [ $(printf '_%s, ' "${symbols[@]}" | sed 's/, $//') ]
...
END
}

build() { # architecture, platform as clang has it, as the linker has it or -, version
  local objects=() source
  for source in "${sources[@]}"; do
    local object
    object="$work/$2-$(basename "$source").o"
    compile "$1-apple-$2$4" "$source" "$object"
    objects+=("$object")
  done
  if [ "$3" = - ] || [ -z "$linker" ]; then
    echo "$1-apple-$2$4: ${#sources[@]} files compiled, not linked"
    return
  fi
  stubs "$1" "$3"
  link "$1" "$3" "$4.0" "$work/$2.dylib" "${objects[@]}"
  echo "$1-apple-$2$4: ${#sources[@]} files compiled and linked"
}

build arm64 macos macos 15
build x86_64 macos macos 15
build arm64 ios ios 18
build arm64 tvos tvos 18
# This linker is older than visionOS.
build arm64 xros - 2

# Other systems are refused by name, before anything else goes wrong: a header that they lack, say.
refused() { # triple
  local source
  for source in Sources/CAmbient/*.c; do
    if compile "$1" "$source" "$work/other.o" 2> "$work/other.txt" \
      || ! grep -m 1 "error: " "$work/other.txt" | grep -q 'error: "Ambient'; then
      echo "$1: $source is not refused by the #error in CPlatform.h first:" && head -3 "$work/other.txt"
      exit 1
    fi
  done
  echo "$1: refused, as it is to be"
}

refused arm64_32-apple-watchos11
refused arm64-apple-watchos26
refused aarch64-unknown-linux-android28
refused wasm32-unknown-wasip1
refused x86_64-unknown-windows-msvc

if [ -n "$linker" ]; then
  # The link would notice: a weak symbol that no library has.
  printf 'extern int nowhere(void) __attribute__((weak));\nint f(void) { return nowhere ? nowhere() : 0; }\n' \
    > "$work/nowhere.c"
  compile arm64-apple-macos15 "$work/nowhere.c" "$work/nowhere.o"
  stubs arm64 macos
  if link arm64 macos 15.0 "$work/nowhere.dylib" "$work/nowhere.o" 2> /dev/null; then
    echo "the linker lets a symbol pass that no library has" && exit 1
  fi
else
  echo "skipped: links, as there is no ld64.lld-14"
fi

# The runtime has these under the same names here.
runtime="$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift/linux/libswift_Concurrency.so"
if [ -f "$runtime" ]; then
  for symbol in "${symbols[@]}"; do
    grep -q "$symbol" "$runtime" || { echo "$symbol is not in $runtime" && exit 1; }
  done
fi
