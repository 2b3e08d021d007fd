"""Counts the tests that a run skipped, by reason; fails where what they need is there, or is asked for."""
import collections, re, sys

# Reasons that hold on some machines for good.
ALLOWED = {
    "only Linux names places", "only Linux has stripped programs",
    "root may write everywhere, and setpriv is missing",
}
text = open(sys.argv[1]).read()
reasons = collections.Counter(
    match[1] or "no reason" for match in re.finditer(r'^➜ Test .* skipped(?:: "(.*)")?', text, re.M))
for reason, count in reasons.most_common():
    print(f"{count} skipped: {reason}")
print(f"{sum(reasons.values())} tests were skipped")
wrong = [reason for reason in reasons if reason not in ALLOWED]
if wrong:
    sys.exit("\n".join(f"must not be skipped here: {reason}" for reason in wrong))
