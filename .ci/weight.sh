#!/usr/bin/env bash
# Builds a program of one line with the options given, and fails if it is larger than the budget, or has anything of
# virtual time. The number of bytes depends only on the compiler and the architecture. A commit that raises the budget
# says why.
set -euo pipefail
budget=1315000

swift build "$@" --package-path Tests/Fixtures/Weight
program=.build/strict/release/OneLine
bytes=$(llvm-size "$program" | awk 'NR == 2 { print $1 }')
echo "a program of one line that logs: $bytes bytes of text, at most $budget"
[ "$bytes" -le "$budget" ]
names=$(llvm-nm "$program")
grep -q ambient_log_gate <<< "$names"
! grep -E 'ambient_jobs|18AmbientVirtualTime' <<< "$names"
