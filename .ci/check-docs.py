"""Checks what a reader of the documentation meets, without a build: that no link between the pages,
or anchor, leads nowhere, that the comment of a public function names each of its parameters, and that
its abstract is one short sentence."""
import pathlib, re, subprocess, sys

MODULES = ("Ambient", "AmbientCollectors", "AmbientTesting", "AmbientVirtualTime", "Checkout", "CheckoutWiring")
# What Swift's own protocols hand over (`Codable`, `Hashable`, operators): no caller writes it.
SWIFTS = ("decoder", "encoder", "hasher", "left", "right")
faults = []


def headings(text):
    """The anchors of a page, as forges make them: of its headings outside of code."""
    text = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    seen, anchors = {}, set()
    for title in re.findall(r"(?m)^#+ +(.+?) *#*$", text):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        anchors.add(f"{slug}-{count}" if count else slug)
    return anchors


def check_links():
    names = subprocess.check_output(["git", "ls-files", "*.md"], text=True).splitlines()
    pages = [pathlib.Path(name) for name in names if "Fixtures" not in name]
    anchors = {page.resolve(): headings(page.read_text()) for page in pages}
    count, listed = 0, set()
    for page in pages:
        # Code keeps its length and its lines, so that places stay true, but has no links.
        blank = lambda piece: re.sub(r"[^\n]", " ", piece[0])
        text = re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", blank, page.read_text())
        for match in re.finditer(r"\]\(([^)\s]+)\)", text):
            target, _, anchor = match[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            place = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
            file = (page.parent / target).resolve() if target else page.resolve()
            if str(page) == "README.md" or ".docc/" in str(page):
                listed.add(file)
            if not file.exists():
                faults.append(f"{place}: “{match[1]}” leads nowhere: there is no {target}")
            elif anchor and anchor not in anchors.get(file, ()):
                faults.append(f"{place}: “{match[1]}” leads nowhere: no heading there has that anchor")
    for page in pages:
        if page.parts[0] == "docs" and page.resolve() not in listed:
            faults.append(f"{page}: neither README.md nor the landing page of a library links to it")
    return f"{count} links between {len(pages)} pages"


def parameters(signature):
    """The names that the body knows, of the parenthesis that the text begins with."""
    depth, parts, part = 0, [], ""
    for index, character in enumerate(signature):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or character == ">" and signature[index - 1] != "-":
            depth -= 1
            if depth == 0:
                break
        if depth == 1 and character == ",":
            parts.append(part)
            part = ""
        elif depth > 1 or character not in "([{<" or part:
            part += character
    names = []
    for part in parts + [part]:
        words = re.sub(r"@\w+(\([^)]*\))?", "", part.partition(":")[0]).split()
        if words and ":" in part:
            names.append(words[-1].strip("`"))
    return [name for name in names if name != "_" and name not in SWIFTS]


def named(comment):
    """The parameters that a documentation comment names."""
    names = re.findall(r"(?m)^- Parameter `?(\w+)`?:", comment)
    for group in re.findall(r"(?m)^- Parameters:\n((?:^(?: +.*)?\n?)*)", comment):
        names += re.findall(r"(?m)^ +- `?(\w+)`?:", group)
    return set(names)


FUNCTION = re.compile(
    r"^(?P<attributes>(?:@\w+(?:\([^)]*\))? +)*)(?P<words>(?:[a-z]+(?:\([a-z]+\))? +)*)"
    r"(?P<kind>func|init|subscript)\b(?P<rest>.*)$")


def functions(file):
    """The line, signature and comment of each function that others can call."""
    lines, comment, protocol, isUnavailable = file.read_text().splitlines(), [], None, False
    for index, line in enumerate(lines):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if protocol is not None and text == "}" and indent <= protocol:
            protocol = None
        if text.startswith("///"):
            comment.append(re.sub(r"^/// ?", "", text))
            continue
        if text.startswith(("@", "#if", "//")) and not FUNCTION.match(text):
            isUnavailable = isUnavailable or text.startswith("@available(*, unavailable")
            continue
        if re.match(r"public protocol\b", text) and not text.endswith("}"):
            protocol = indent
        match = FUNCTION.match(text)
        isPublic = match and (protocol is not None or re.search(r"\b(public|open)\b", match["words"]))
        if isPublic and not isUnavailable:
            signature = re.sub(r"//.*", "", "\n".join([match["rest"]] + lines[index + 1:index + 20]))
            yield index + 1, signature[signature.index("("):], "\n".join(comment)
        comment, isUnavailable = [], False


def check_parameters():
    silent, total, done = 0, 0, 0
    for module in MODULES:
        for file in sorted(pathlib.Path("Sources", module).glob("**/*.swift")):
            for line, signature, comment in functions(file):
                names = parameters(signature)
                if not names:
                    continue
                if not comment:
                    silent += 1  # It says what the declaration says that it overrides or meets.
                    continue
                total += 1
                missing = [name for name in names if name not in named(comment)]
                if missing:
                    faults.append(f"{file}:{line}: the comment leaves out {', '.join(missing)}")
                else:
                    done += 1
    return (
        f"{done} of {total} public functions with a comment name their parameters;"
        f" {silent} without a comment have that of what they override or meet")


def check_abstracts():
    """The first paragraph of a comment, which lists of symbols show."""
    count = cases = 0
    for module in MODULES[:4]:
        for file in sorted(pathlib.Path("Sources", module).glob("**/*.swift")):
            text = file.read_text()
            for match in re.finditer(r"(?m)(?:^ *///.*\n)+(?= *(?:@.*\n *)*(public|open|case)\b)", text):
                lines = [line.strip().removeprefix("///").strip() for line in match[0].splitlines()]
                ends = [place for place, line in enumerate(lines) if not line or line.startswith(("- ", "```"))]
                abstract = " ".join(lines[:ends[0]] if ends else lines)
                # A case may be of an internal type, so it may have more than one sentence.
                isCase = match[1] == "case"
                count, cases = count + (not isCase), cases + isCase
                line = text.count("\n", 0, match.start()) + 1
                if len(abstract) > 150:
                    faults.append(f"{file}:{line}: an abstract of {len(abstract)} characters, at most 150")
                if not isCase and re.search("[.!?] +[A-Z`]", abstract):
                    faults.append(f"{file}:{line}: an abstract of more than one sentence")
    return f"{count} abstracts of one sentence, and {cases} of cases, of at most 150 characters"


print(check_links())
print(check_parameters())
print(check_abstracts())
if faults:
    sys.exit("\n".join(faults))
