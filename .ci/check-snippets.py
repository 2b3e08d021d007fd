"""Checks that each Swift block of the documents and landing pages, and of the comments at the top of the styles of
wiring, stands, line for line, in a file of Snippets/, which `swift build` compiles, and that each of
those is shown. A block after `<!-- not compiled: reason -->` is passed over, and its reason printed."""
import pathlib, re, sys, textwrap

regions = {}
for file in sorted(pathlib.Path("Snippets").glob("**/*.swift")):
    name, lines = None, []
    for line in file.read_text().splitlines():
        mark = re.match(r"\s*// snippet\.(\S+)$", line)
        if mark and mark[1] == "end":
            regions[textwrap.dedent("\n".join(lines)).strip()] = f"{file}: {name}"
            name = None
        elif mark:
            name, lines = mark[1], []
        elif name:
            lines.append(line)

faults, used = [], set()
pages = [pathlib.Path(p) for p in ("README.md", "CONTRIBUTING.md")]
pages += sorted(pathlib.Path("docs").glob("**/*.md"))
pages += sorted(pathlib.Path("Sources").glob("*/*.docc/*.md"))
for page in pages + sorted(pathlib.Path("Sources/CheckoutWiring/Styles").glob("*.swift")):
    text = page.read_text()
    if page.suffix == ".swift":
        text = re.sub(r"^// ?", "", text, flags=re.M)
    for match in re.finditer(
            r"(<!-- not compiled: (.*?) -->\s*)?^```swift\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, match.start(3)) + 1
        block = textwrap.dedent(match[3]).strip()
        if match[2]:
            print(f"{page}:{line}: not compiled: {match[2]}")
        elif block in regions:
            used.add(block)
        else:
            faults.append(f"{page}:{line}: in no snippet:\n{textwrap.indent(block, '    ')}")
faults += [f"{regions[block]}: on no page" for block in regions if block not in used]
if faults:
    sys.exit("\n".join(faults))
print(f"{len(used)} blocks, all from Snippets/")
