#!/usr/bin/env bash
# Builds a program of one line with the options given, and fails if its code is larger than the budget. The number of
# bytes does not depend on the machine. A commit that raises the budget says why.
set -euo pipefail
budget=1416000

swift build "$@" --package-path Tests/Fixtures/Weight
bytes=$(llvm-size .build/strict/release/OneLine | awk 'NR == 2 { print $1 }')
echo "a program of one line that logs: $bytes bytes of text, at most $budget"
[ "$bytes" -le "$budget" ]
