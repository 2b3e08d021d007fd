"""Counts the tests that a run skipped, by reason; fails if one was skipped that could have run."""
import collections, re, sys

# Reasons that hold on some machines for good.
ALLOWED = {
    "only Linux names places", "only Linux has stripped programs",
    "logrotate is not installed", "root may write everywhere",
    "root may write everywhere, and setpriv is missing",
    "needs mkfs.xfs, a loop device and the right to mount",
}
text = open(sys.argv[1]).read()
run = re.search(r"Test run with (\d+) tests", text)
if not run:
    sys.exit(f"{sys.argv[1]}: no test run found")
reasons = collections.Counter(
    match[1] or "no reason"
    for match in re.finditer(r'^\S+ Test .* skipped(?:: "(.*)")?\.?$', text, re.M))
for reason, count in reasons.most_common():
    print(f"{count} skipped: {reason}")
print(f"{sum(reasons.values())} of {run[1]} tests were skipped")
wrong = [reason for reason in reasons if reason not in ALLOWED]
if wrong:
    sys.exit("\n".join(f"must not be skipped here: {reason}" for reason in wrong))
