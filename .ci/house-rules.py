"""Checks what the compiler does not: licenses, escape hatches, and the order of rooms."""
import collections, pathlib, re, subprocess, sys

# Each folder may use the types of those before it, never those of a later one.
ROOMS = {
    "Ambient": "Platform Text Context Value Time Storage/Rotation Storage Log"
    " Analytics Mixins",
    "AmbientVirtualTime": "Order . Schedules",
    "AmbientCollectors": "Journal Exchange Curl URLSession Client Upload Queue Validation HTTP Google Adobe"
    " OpenTelemetry",
    "Checkout": "JSON Money Calendar Products Errors Records Shipping Basket Pricing Payment Stock Orders"
    " Events Shop Books Desk",
    "CheckoutWiring": "Customers Locator Styles Shop",
}
# Each module may import those before it, never a later one.
MODULES = (
    "CAmbient AmbientSystem Ambient CVirtualTime AmbientVirtualTime CCurl AmbientCollectors CAmbientTesting"
    " AmbientTesting Checkout CCrypt CheckoutWiring ambient-demo").split()
# String literals, and comments.
PIECES = re.compile(
    r'"""(?:\\.|(?!""").)*"""|"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)

tracked = subprocess.check_output(["git", "ls-files", "*.swift"], text=True).splitlines()
files = {pathlib.Path(name): pathlib.Path(name).read_text() for name in tracked}
faults = []


def code(text):
    """The text without comments and string literals, but with what is interpolated in these."""
    def keep(piece):
        return " ".join(re.findall(r"\\\(([^\n]*)\)", piece[0])) if piece[0][0] == '"' else " "
    return PIECES.sub(keep, text)


def check_licenses():
    """Fails on a source without the line of its license at its head."""
    names = subprocess.check_output(["git", "ls-files", "*.c", "*.h"], text=True).splitlines()
    texts = files | {pathlib.Path(name): pathlib.Path(name).read_text() for name in names}
    own = {name: text for name, text in texts.items() if "Fixtures" not in name.parts}
    for name, text in own.items():
        head = text[:200].splitlines()[:2]
        if "// SPDX-License-Identifier: Apache-2.0" not in head:
            faults.append(f"{name}: begin it with “// SPDX-License-Identifier: Apache-2.0”")
    return f"{len(own)} files with a license at their head"


def check_lengths():
    """Shows files that are long enough to hold two ideas; a reader decides whether they do."""
    lengths = {file: text.count("\n") for file, text in files.items() if file.parts[0] == "Sources"}
    for file, lines in lengths.items():
        if lines > 500:
            print(f"{file}: {lines} lines; does it hold two ideas?")
    return f"{len(lengths)} sources, the longest has {max(lengths.values())} lines"


def shared_state():
    """Shows the stored variables of classes, and of structs that change themselves, which other files
    may set: a type's state is private to its file, unless its members are its interface."""
    types = re.compile(r"(.*?)\b(class|actor|struct|enum|extension|protocol) (\w+)(.*)")
    found, changing = [], set()
    for file, text in files.items():
        outer = []
        for number, line in enumerate(text.splitlines() if file.parts[0] == "Sources" else (), 1):
            words, depth = line.strip(), len(line) - len(line.lstrip())
            outer = [place for place in outer if not words or place[0] < depth]
            if words.endswith("{") and (kind := types.match(words)) and "func" not in kind[1]:
                hidden = "private" in kind[1] or any(place[2] for place in outer)
                outer.append((depth, kind, hidden, (file.parts[1], kind[3])))
            elif outer and depth == outer[-1][0] + 2 and not outer[-1][2]:
                kind, name = outer[-1][1], outer[-1][3]
                if "mutating func" in words:
                    changing.add(name)
                if stored := re.match(r"([^/=(]*)\bvar (\w+)(?!.*\{(?! didSet))", words):
                    if not re.search("private|static|public", stored[1]) and kind[2] != "extension":
                        found.append((name, kind[2], f"{file}:{number}: {kind[3]}.{stored[2]}"))
    shown = [place for name, kind, place in found if kind in ("class", "actor") or name in changing]
    return "\n".join([f"stored variables that other files may set: {len(shown)}", *shown])


def check_hatches():
    for file, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            # swift-format does not look at comments.
            if len(line) > 100 and re.match(r"\s*//", line) and file.parts[0] != "Tests":
                faults.append(f"{file}:{number}: a comment of {len(line)} characters, at most 100")
        if re.search(r"\b(TODO|FIXME|XXX)\b", text):
            faults.append(f"{file}: unfinished")
        checked = file.parts[0] in ("Sources", "Tests") and "Fixtures" not in file.parts
        if checked and re.search(r"\bMutex[<(]", text) and file.name != "Guarded.swift":
            faults.append(f"{file}: Mutex, a convoy that the thread sanitizer cannot see; use Guarded")
        if file.parts[0] != "Sources":
            continue
        # Else the compiler (6.3) runs the closure off its caller's actor, and the user's block with it.
        for call in re.finditer(r"await [^\n]*[.]withValue\((?!.*\{\s*_ = isolation)", text):
            before = text[:call.start()].rsplit("\n", 2)
            if "no actor to stay on" not in " ".join(before[-2:]):
                number = text[:call.start()].count("\n") + 1
                faults.append(f"{file}:{number}: begin the closure with “_ = isolation”, an isolated parameter,"
                              " or say in a comment above why there is no actor to stay on")
        for hatch in ("nonisolated(unsafe)", "try!", "as! ", "@preconcurrency", "unowned(unsafe)"):
            if hatch in text and (hatch, file.name) != ("unowned(unsafe)", "Time.swift"):
                faults.append(f"{file}: {hatch.strip()}")


def check_rooms(module, rooms):
    """Fails on a type that a room uses before the room that declares it; nested types do not count."""
    homes, sources = {}, []
    for file, text in files.items():
        if file.parts[:2] != ("Sources", module):
            continue
        room = "/".join(file.parts[2:-1]) or "."
        if room not in rooms:
            faults.append(f"{file}: “{room}” is no room of {module}; add it to .ci/house-rules.py")
            continue
        plain = code(text)
        sources.append((file, room, plain))
        for name in re.findall(
                r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|open|package|final|indirect|nonisolated) )*"
                r"(?:class|struct|enum|actor|protocol|typealias) (\w+)", plain, re.M):
            homes[name] = room
    arrows = 0
    for file, room, plain in sources:
        own = set(re.findall(r"\b(?:class|struct|enum|actor|protocol|typealias) (\w+)", plain))
        for name in sorted(set(re.findall(r"\b[A-Z]\w+", plain)) - own):
            home = homes.get(name, room)
            if rooms.index(home) > rooms.index(room):
                arrows += 1
                faults.append(f"{file}: uses {name} of the later room {home}")
    return f"{module}: {len(rooms)} rooms, {arrows} arrows back"


def check_modules():
    """Fails on an import of a module by one before it."""
    for file, text in files.items():
        if file.parts[0] != "Sources":
            continue
        if file.parts[1] not in MODULES:
            faults.append(f"{file}: {file.parts[1]} is no module of .ci/house-rules.py")
            continue
        for name in re.findall(r"(?m)^\s*(?:[\w@()]+ )*import (\w+)", text):
            if name in MODULES and MODULES.index(name) > MODULES.index(file.parts[1]):
                faults.append(f"{file}: imports the later module {name}")
    return f"{len(MODULES)} modules in order"


print(check_licenses())
print(check_lengths())
print(shared_state())
check_hatches()
print(check_modules())
for module, rooms in ROOMS.items():
    print(check_rooms(module, rooms.split()))
if faults:
    sys.exit("\n".join(faults))
