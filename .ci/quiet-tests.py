"""Prints the diagnostics of a run of tests, and fails on more than a few: a test that provokes one
looks at it, or is quiet. A few are a busy machine's, as of a lock that a slow thread held for long."""
import sys

# Of a busy machine, and of no test.
OF_THE_MACHINE = "has waited for a thread of the pool, or for the main queue"
said = [
    f"{name}:{number}: {line.rstrip()[:300]}"
    for name in sys.argv[1:]
    for number, line in enumerate(open(name, errors="replace"), 1)
    if line.startswith("Ambient:") and OF_THE_MACHINE not in line
]
if said:
    print("\n".join(["diagnostics that no test looked at:", *said]))
    sys.exit(len(said) > 3)
