"""Checks that the audit knows the functions of the toolchain that read a clock, a zone or a locale.

Follows the calls in the code of Foundation, Dispatch and Concurrency back from those that read (ROOTS) to the functions
that a program can call. Each is in the audit's table (Escape+All.swift) or harmless, for a reason. A default argument and
what is always compiled into its client have no function here: the audit follows them in the caller's objects.

Not followed are calls through a protocol, a closure or a class. But making an object counts, if a method of its class reads.
"""
import collections, pathlib, re, shutil, subprocess, sys

LIBRARIES = "FoundationEssentials FoundationInternationalization Foundation swiftDispatch swift_Concurrency".split()
# The functions of C, and of Foundation itself where it calls them through a protocol.
ROOTS = re.compile(
    r"(clock_gettime|gettimeofday|time|localtime_r|nanosleep|pthread_cond_timedwait|select|ppoll|epoll_wait|timerfd_settime"
    r"|swift_get_time|swift_ucal_getNow|swift_task_enqueueGlobalWith\w+|dispatch_(time|walltime|after|source_set_timer)"
    r"|CF(TimeZone|Locale)Copy(System|Default|Current|PreferredLanguages)"
    r"|(static )?FoundationEssentials.(TimeZone|Locale|Calendar).(current|default|autoupdatingCurrent|preferred\w+).getter.*"
    r"|.*(TimeZoneCache.State.findCurrent|LocaleCache.*(_currentAndCache|preferences)|CalendarCache.(current|fixed)).*)$")
# What these read does not reach their callers: messages, a comparison's locale if there is one, a bundle's language, the
# wake-ups of a run loop.
ENDS = re.compile(r"_*CFLog|CFString(Compare|Find|Fold)|_*CFBundle|CFRunLoop(Source|Perform|Wake|Add)|_*CF\w*PropertyList")
HARMLESS = {
    "the audit looks for asyncAfter, schedule and now(), which take or give the time that these move":
        r"Dispatch\.[+-] infix",
    "a calendar, zone or locale that was stored is read again; it is the machine's if it was so when it was stored":
        r"(Calendar|Locale|TimeZone|Date.*Style)\.(encode\(to|init\(from)|.*\(coder: |.*\.encode\(with|.*\.copy\(with",
    "an example in an error's text, or a value for a style that the compiler does not admit":
        r"(\w+\.)*\w*(Style|Strategy)(\.\w+)?\.(parse|consuming)\(|Binary(Integer|FloatingPoint)\.init\(_|parseError",
    "a calendar that is given the style's zone at once":
        r".*ISO8601|.*iso8601|.*\.fixed<",
    "the work of a run loop, or of a socket; the audit looks for RunLoop.run":
        r"((Input|Output)Stream|RunLoop|Port|SocketPort|NotificationQueue|Process)\.",
    "a lock, whose lock(before:) is rare":
        r"NS(Recursive|)Lock\.",
    "a date of the caller's; NSDate's member timeIntervalSinceNow is not found":
        r"NSDate\.(__allocating_init|description)",
    "archives, addresses, settings and numbers, of which no locale or zone shows in the result":
        r"(static )?(JSON|PropertyList|NSKeyed)|NSURL|UserDefaults|NSString\.(double|float)Value|Scanner\.__",
    "a debugger's text, or a file's name in the language of the machine":
        r".*(playgroundDescription|customMirror|displayName|componentsToDisplay)",
}
tools = pathlib.Path(shutil.which("swiftc")).resolve().parent


def lines(tool, *arguments, text=None):
    command = [tools / tool, *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def read(library):
    """Adds the library's functions to `names`, and who refers to them to `users`. A function that is not exported has its
    address for a name, since several may have one."""
    file = tools.parent / f"lib/swift/linux/lib{library}.so"
    own = {line.split()[-1] for line in lines("llvm-nm", "--dynamic", "--defined-only", file)}
    exported.update(own)
    functions, slots, user = {}, {}, None
    for line in lines("llvm-nm", "--defined-only", file):
        address, kind, name = line.split(" ", 2)
        if kind in "tTWV":
            function = name if name in own else f"{library} {address}"
            names[function] = name
            # Equal functions have one address.
            users[functions.setdefault(int(address, 16), function)].add(function)
    for line in lines("llvm-objdump", "--dynamic-reloc", file):
        if slot := re.match(r"(\w{16}) R_\w+ +(?:\*ABS\*\+0x(\w+)|([^@+\s]+))", line):
            slots[int(slot[1], 16)] = functions.get(int(slot[2], 16)) if slot[2] else slot[3]
    for line in lines("llvm-objdump", "--disassemble", "--no-show-raw-insn", file):
        if line.endswith(">:"):
            user = functions.get(int(line[:16], 16))
        elif user and (place := re.search(r"0x(\w+) <(.*?)(@.*)?>$", line)):
            address = int(place[1], 16)
            used = functions.get(address) or slots.get(address) or (place[2] if "@plt" in line else None)
            users[used].add(user)


def bare(name):
    """The name as the table has it: see Escape.bare."""
    name = re.sub(r"Foundation(Essentials|Internationalization)\.", "Foundation.", re.sub(r"\(extension in \w+\):", "", name))
    return name.replace("static ", "", 1)


def reach(readers):
    """All functions that reach one of these."""
    rest = list(readers)
    while rest:
        new = {user for user in users[rest.pop()] - readers if not ENDS.match(demangled[user])}
        readers |= new
        rest += new
    return readers


users, names, exported = collections.defaultdict(set), {}, set()
for library in LIBRARIES:
    read(library)
mangled = sorted(names.keys() | users.keys() - {None})
demangled = dict(zip(mangled, lines("swift-demangle", text="\n".join(names.get(name, name) for name in mangled))))

readers = reach({name for name in mangled if ROOTS.match(demangled[name])})
# A method of a class leaves no symbol in its caller; an object of the class can be made in any way.
methods = {name for name in readers if name + "Tq" in exported and not re.search("fC$|Z$", name)}
classes = tuple({kind[0] for name in methods if (kind := re.match(r"\$s\d+[A-Za-z]+\d+[A-Za-z0-9]+?C(?=\d|AC|y)", name))})
readers |= {name for name in names if name.startswith(classes) and "__allocating_init" in demangled[name]}

source = pathlib.Path("Plugins/AmbientAudit/Audit/Escape+All.swift").read_text()
for name, value in re.findall(r'static let (\w+) =\s+"(.*)"', source):
    source = source.replace(f"\\({name})", value)
table = tuple(text for text in re.findall(r'"((?:[A-Z]\w+|default argument \d of \w+)\.[^"]+)"', source))
harmless = [re.compile(pattern) for pattern in HARMLESS.values()]
# Functions, initializers and getters that are not private.
callable = sorted(
    {bare(demangled[name]) for name in readers & exported - methods
     if re.match(r"\$s(?!.*_[0-9A-F]{32}).*(FZ?|fC|vgZ?)$", name)})
known, unknown, used = 0, [], set()
for name in callable:
    if name.startswith(table):
        known += 1
    elif group := next((group for group in harmless if group.match(name.replace("Foundation.", "").replace("Swift.", ""))), None):
        used.add(group)
    else:
        unknown.append(name)
print(f"{len(callable)} functions read a clock, a zone or a locale: the audit knows {known},"
      f" {len(callable) - known - len(unknown)} are harmless")
unused = [group.pattern for group in harmless if group not in used]
if unknown or unused:
    sys.exit("\n".join([f"{name}: put it into the audit's table, or among the harmless" for name in unknown]
                       + [f"{pattern}: no function is harmless for this reason: remove it" for pattern in unused]))
