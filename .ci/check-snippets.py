"""Checks that each Swift block of the documents and landing pages, and of the comments at the top of the styles of
wiring, stands, line for line, in a file of Snippets/, which `swift build` compiles, and that each of
those is shown. A block after `<!-- not compiled: reason -->` is passed over, and its reason printed.

Given the folder of the built programs, runs each snippet of which a page says what it prints, and compares:
the comment at the end of a line that is a `print(…)`, and a block ```text behind the Swift block. There `…`
stands for what differs from run to run, and the module is called Shop, its one file's line 12."""
import os, pathlib, re, subprocess, sys, tempfile, textwrap

regions, prints = {}, {}  # name of the file, place and name of the region, of a block; what it prints
for file in sorted(pathlib.Path("Snippets").glob("**/*.swift")):
    name, lines = None, []
    for number, line in enumerate(file.read_text().splitlines()):
        mark = re.match(r"\s*// snippet\.(\S+)$", line)
        if mark and mark[1] == "end":
            place = (file.stem, number, name)
            regions[textwrap.dedent("\n".join(lines)).strip()] = place
            said = [m[1] for m in (re.match(r"\s*print\(.*\)  // (.*)$", line) for line in lines) if m]
            if said:
                prints.setdefault(place, []).append("\n".join(said))
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
    place = None
    for match in re.finditer(
            r"(<!-- not compiled: (.*?) -->\s*)?^ *```(swift|text)\n(.*?)^ *```", text, re.M | re.S):
        line = text.count("\n", 0, match.start(4)) + 1
        block = textwrap.dedent(match[4]).strip()
        if match[2]:
            print(f"{page}:{line}: not compiled: {match[2]}")
        elif match[3] == "text":
            if place:
                prints.setdefault(place, []).append(block)
            else:
                faults.append(f"{page}:{line}: no snippet stands before what it prints")
        elif block in regions:
            place = regions[block]
            used.add(block)
        else:
            faults.append(f"{page}:{line}: in no snippet:\n{textwrap.indent(block, '    ')}")
faults += [f"{regions[block]}: on no page" for block in regions if block not in used]
print(f"{len(used)} blocks, all from Snippets/")


def run(program):
    """What the program prints, and what it writes to files of its folder."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "TMPDIR": folder}
        result = subprocess.run(
            [program.resolve()], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
        if result.returncode != 0:
            faults.append(f"{program.name} ends with status {result.returncode}:\n{result.stderr[:2000]}")
        texts = [result.stdout, result.stderr]
        texts += [file.read_text() for file in sorted(pathlib.Path(folder).glob("[!.]*")) if file.is_file()]
    module = re.escape(program.name)
    return [re.sub(rf"\b{module}(/{module}\.swift:\d+|(?=\.))",
                   lambda m: "Shop.swift:12" if m[1] else "Shop", text) for text in texts]


if len(sys.argv) > 1:
    for program in sorted({place[0] for place in prints}):
        texts = run(pathlib.Path(sys.argv[1], program))
        ends = [0] * len(texts)  # of what the regions before have printed
        for place in sorted(place for place in prints if place[0] == program):
            starts = list(ends)
            for block in dict.fromkeys(prints[place]):
                pattern = re.compile("^" + re.escape(block).replace("…", "[^\n]*") + "$", re.M)
                for i, match in enumerate(map(pattern.search, texts, starts)):
                    if match:
                        ends[i] = max(ends[i], match.end())
                        break
                else:
                    rest = "\n".join(text[start:] for text, start in zip(texts, starts))
                    faults.append(
                        f"Snippets/{program}.swift: {place[2]} does not print\n"
                        f"{textwrap.indent(block, '    ')}\nbut\n{textwrap.indent(rest[:3000], '    ')}")
    print(f"{sum(map(len, prints.values()))} blocks print what the pages say")
if faults:
    sys.exit("\n".join(faults))
