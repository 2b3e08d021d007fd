#!/usr/bin/env bash
# Builds a program of one line with the options given, and fails if it is larger than the budget, or has anything of
# virtual time. The number of bytes does not depend on the machine. A commit that raises the budget says why.
set -euo pipefail
budget=1277000

swift build "$@" --package-path Tests/Fixtures/Weight
bytes=$(llvm-size .build/strict/release/OneLine | awk 'NR == 2 { print $1 }')
echo "a program of one line that logs: $bytes bytes of text, at most $budget"
[ "$bytes" -le "$budget" ]
! llvm-nm .build/strict/release/OneLine | grep -E 'ambient_jobs|18AmbientVirtualTime'
