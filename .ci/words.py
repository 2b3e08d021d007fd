"""Finds words that make a text hard to read, and names the words to write instead: .ci/words.py [--count]

It reads four kinds of text: pages, messages (the literals of Sources that hold a space), comments of Sources, and the
names of tests. It fails if one has such a word. With --count, it prints how many each kind has in 1,000 words."""
import collections, pathlib, re, subprocess, sys

BE = r"\b(?:is|are|was|were)"
START = r"(?:\A|[\0.;|]|\n\s*\n|\n\s*[-*])\s*"  # Of a sentence, an item or a name.
WORDS = {  # A blank stands for any gap.
    r"\bstand(?:s|ing)?\b(?!-| (?:for|still|alone|out|in for)\b)|\bstood\b(?! still)": "is, are",
    r"\b(?:is|are|was|were|be|been|being) (?:told|said)\b(?! apart)": "is reported, is documented, gets",
    BE + r" taken instead\b|[.;] \S+ is taken\b": "is used, is accepted",
    r"\banew\b": "again",
    r"\bby chance\b": "random, accidental",
    r"\bput(?:s|ting)? away\b": "is archived, is renamed",
    r"\b(?:go|goes|going|went|gone) on\b": "continue",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bheed(?:s|ed|ing)?\b": "obey, read",
    START + r"(?:one that|those that|none of)\b|, (?:but|and) none of\b": "the noun, such as: a line that, no line",
    r"\bwho(?:so)?ever\b": "the noun, such as: any caller that",
    r"\bwhatever\b": "any, every, regardless of",
    START + r"what (?!it \w+\n)(?:is|are|was|were|has|have|had|does|do|a|an|the|it|they|others?) [^?|\0]*?[.;:\0]": "the noun",
    r"(?<!there\s)" + BE + r" no (?!longer|more|less|later|earlier|larger|smaller|such|one\b)(?=[a-z])": "isn't a",
    r"(?<=\w), too,": "also",
    r"\bfor want of\b": "for lack of, without",
    r"\b(?:all|none|no \w+|nothing|everything|each|,) but for\b": "except",
    r"\bhand(?:s|ed|ing)? (?:it |them |events? )?on\b(?! an?\b)": "pass on, re-export",
    r"\bha(?:s|ve|d) to do with\b": "uses, is about",
    r"\b(?:would|could|might|may|must) else\b": "would otherwise",
    r"\bbe had\b": "be obtained, be reserved",
    BE + r" to be (?=\w+ed\b)": "must be, will be",
    r"\bso much\b(?! (?:that|as|\w+er)\b)": "this much, or nothing",
}
FIND = [(re.compile(find.replace(" ", r"\s+"), re.I), instead) for find, instead in WORDS.items()]
VALUE = r'\\\((?:[^()"]|"[^"\n]*"|\((?:[^()]|\([^()]*\))*\))*\)'  # What a literal interpolates.
LITERAL = rf'"""(?:\\.|(?!""").)*"""|"(?:{VALUE}|\\.|[^"\\\n])*"'
PIECES = re.compile(rf"(?P<messages>{LITERAL})|(?P<comments>/\*.*?\*/|//[^\n]*)", re.S)
NAMES = re.compile(r"(?:\b(?:func|struct|class|enum|actor) `|@(?:Test|Suite)\(\")(?P<names>[^`\"\n]+ [^`\"\n]+)")
CODE = re.compile(r"(?ms)^ *```.*?^ *```|<!--.*?-->|(?<=\])\([^)\n]*\)|`[^`\n]*`")


def hidden(text, mark="\0"):
    """A mark for each line, so that places stay true."""
    return re.sub(r"[^\n]+", mark, text)


def kept(text, spans):
    """The text with all outside of the spans hidden."""
    parts, end = [], 0
    for low, high in spans:
        parts += [hidden(text[end:low]), text[low:high]]
        end = high
    return "".join(parts) + hidden(text[end:])


def prose(text):
    """Markdown without its code."""
    return CODE.sub(lambda code: hidden(code[0], "\0" if code[0].strip()[:3] in ("```", "<!-") else "x"), text)


def texts(name):
    """Each kind of text in a file."""
    text = pathlib.Path(name).read_text(errors="replace")
    if name.endswith(".md"):
        yield "pages", prose(text)
    elif name.startswith("Tests/"):
        yield "names", kept(text, [match.span("names") for match in NAMES.finditer(text)])
    else:
        pieces = list(PIECES.finditer(text))
        literals = [piece.span() for piece in pieces if piece["messages"] and " " in piece[0].strip('" \n')]
        yield "messages", re.sub(VALUE, "x", kept(text, literals)).replace("\\n", " ").replace("\\\n", "\n")
        comments = kept(text, [piece.span() for piece in pieces if piece["comments"]])
        yield "comments", prose(re.sub(r"//+ ?", "\0", re.sub(r"(?m)^\0?//+ ?", "", comments)))


count, found = collections.Counter(), collections.defaultdict(collections.Counter)
kinds = ["*.md", "Sources/*.swift", "Sources/*.c", "Sources/*.h", "Plugins/*.swift", "Tests/*.swift"]
for name in subprocess.check_output(["git", "ls-files", *kinds], text=True).splitlines():
    for kind, text in texts(name) if "Fixtures" not in name else ():
        count[kind] += len(re.findall(r"[^\W_]+(?:['’]\w+)?", text))
        for pattern, instead in FIND:
            for match in pattern.finditer(text):
                found[kind][instead] += 1
                words, line = " ".join(match[0].split()).strip("\0.;:|-* "), text.count("\n", 0, match.end()) + 1
                if "--count" not in sys.argv:
                    print(f"{name}:{line}: in {kind}, “{words}”: write {instead}")
if "--count" in sys.argv:
    for kind, words in count.items():
        total = found[kind].total()
        print(f"{kind}: {words:,} words, {total} of these, {1000 * total / words:.2f} in 1,000")
        print("".join(f"  {number:4} {instead}\n" for instead, number in found[kind].most_common()), end="")
sys.exit(any(found.values()))
