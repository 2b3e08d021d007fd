"""Checks what the compiler does not: the length of files, one public type a file, escape hatches."""
import pathlib, re, statistics, subprocess, sys

tracked = subprocess.check_output(["git", "ls-files", "*.swift"], text=True).splitlines()
faults, lengths = [], []
for file in map(pathlib.Path, tracked):
    text = file.read_text()
    lines = text.count("\n")
    lengths.append(lines)
    if lines > 300:
        faults.append(f"{file}: {lines} lines, at most 300")
    if re.search(r"\b(TODO|FIXME|XXX)\b", text):
        faults.append(f"{file}: unfinished")
    if file.parts[0] != "Sources":
        continue
    types = re.findall(
        r"^(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:final |indirect )?"
        r"(?:class|struct|enum|actor|protocol) (\w+)", text, re.M)
    if len(types) > 1:
        faults.append(f"{file}: more than one public type: {', '.join(types)}")
    if re.search(r"\bMutex[<(]", text) and file.name != "Guarded.swift":
        faults.append(f"{file}: Mutex, which the thread sanitizer cannot see; use Guarded")
    for hatch in ("nonisolated(unsafe)", "try!", "as! ", "@preconcurrency"):
        if hatch in text:
            faults.append(f"{file}: {hatch.strip()}")
median = statistics.median(lengths)
if median > 90:
    faults.append(f"the median length of a file is {median} lines, at most 90")
if faults:
    sys.exit("\n".join(faults))
print(f"{len(lengths)} files, median {median:.0f} lines, longest {max(lengths)}")
