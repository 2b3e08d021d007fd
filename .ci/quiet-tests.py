"""Prints the diagnostics of a run of tests, and fails on any: a test that provokes one looks at it, or is quiet."""
import sys

# Of a busy machine, and of no test.
OF_THE_MACHINE = "has waited for the concurrency pool for a minute"
said = [
    f"{name}:{number}: {line.rstrip()[:300]}"
    for name in sys.argv[1:]
    for number, line in enumerate(open(name, errors="replace"), 1)
    if line.startswith("Ambient:") and OF_THE_MACHINE not in line
]
if said:
    sys.exit("\n".join(["diagnostics that no test looked at:", *said]))
