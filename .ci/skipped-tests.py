"""Counts the tests that no run ran, by reason; fails if one was skipped that could have run."""
import collections, re, sys

# Reasons that hold on some machines for good.
ALLOWED = {
    "only Linux names places", "only Linux has stripped programs",
    "logrotate is not installed", "root may write everywhere",
    "root may write everywhere, and setpriv is missing",
    "needs mkfs.xfs, a loop device and the right to mount",
    "strace is missing, or may not trace",
    "seccomp is missing, or may not ask",
}
ran, skipped = set(), {}
for name in sys.argv[1:]:
    text = open(name, errors="replace").read()
    if not re.search(r"Test run with \d+ tests", text):
        sys.exit(f"{name}: no test run found")
    ran |= set(re.findall(r'^[^\s◇➜] Test (".*") (?:with \d+ test cases? )?(?:passed|failed) after', text, re.M))
    for test, reason in re.findall(r'^\S+ Test (.*) skipped(?:: "(.*)")?\.?$', text, re.M):
        skipped[test] = reason or "no reason"
reasons = collections.Counter(reason for test, reason in skipped.items() if test not in ran)
for reason, count in reasons.most_common():
    print(f"{count} skipped: {reason}")
print(f"{len(ran)} tests ran, {sum(reasons.values())} were skipped")
wrong = [reason for reason in reasons if reason not in ALLOWED]
if wrong:
    sys.exit("\n".join(f"must not be skipped here: {reason}" for reason in wrong))
