#!/usr/bin/env python3
"""The public API of the libraries, a line for each symbol, in docs/api.

    .ci/api.py check FOLDER   compares docs/api with the symbol graphs in a folder
    .ci/api.py write FOLDER   writes docs/api from them
    .ci/api.py breaks TAG     lists what would break programs that use the API of TAG

`swift package dump-symbol-graph` makes the graphs. A line has the symbol's path and its declaration, then the protocols
to which a type conforms. A requirement of a protocol that has no default begins with `required`."""
import difflib, json, pathlib, re, subprocess, sys

pages = pathlib.Path("docs/api")
# What each type has, or has by another conformance.
implied = {
    "Copyable", "Escapable", "SendableMetatype", "ExpressibleByUnicodeScalarLiteral",
    "ExpressibleByExtendedGraphemeClusterLiteral"}


def libraries():
    return re.findall(r'\.library\(name: "(\w+)"', pathlib.Path("Package.swift").read_text())


def lines(folder, library):
    """The lines of a library, from its symbol graphs."""
    symbols, relations = {}, []
    for path in sorted(pathlib.Path(folder).glob(f"{library}[.@]*json")):
        graph = json.loads(path.read_text())
        symbols |= {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]}
        relations += graph["relationships"]
    defaults = {relation["target"] for relation in relations if relation["kind"] == "defaultImplementationOf"}
    required = {relation["source"] for relation in relations if relation["kind"] == "requirementOf"} - defaults
    conformances = {}
    for relation in relations:
        if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in symbols:
            name = relation.get("targetFallback") or ".".join(symbols[relation["target"]]["pathComponents"])
            name = name.removeprefix("Swift.")
            if name not in implied and not name.split(".")[-1].startswith("_"):
                conformances.setdefault(relation["source"], set()).add(name)
    found = set()
    for identifier, symbol in symbols.items():
        if "::SYNTHESIZED::" in identifier:
            continue
        declaration = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        declaration = re.sub(r"\s+", " ", declaration)
        kept = sorted(conformances.get(identifier, []))
        words = ["required"] * (identifier in required) + ["open"] * (symbol["accessLevel"] == "open")
        found.add(" ".join([".".join(symbol["pathComponents"]) + ":", *words, declaration] + [f"+ {name}" for name in kept]))
    return sorted(found)


def parts(line):
    """The path, the declaration and the conformances of a line.

    >>> parts("A.Code: @nonexhaustive enum Code + Hashable + Sendable") == (
    ...     "A.Code", "@nonexhaustive enum Code", {"Hashable", "Sendable"})
    True
    """
    path, rest = re.match(r"(.*?:?): (?=\S)(.*)", line).groups()
    declaration, *conformances = rest.split(" + ")
    return path, declaration, set(conformances)


def breaks(old, new):
    """The lines of changes that break programs.

    >>> old = ["Code: @nonexhaustive enum Code + Hashable", "Code.a: case a", "Level: enum Level", "Level.low: case low",
    ...        "Options: struct Options", "Sink: protocol Sink", "run(): func run()"]
    >>> breaks(old, old + ["Code.b: case b", "Options.size: var size: Int", "Sink.flush(): func flush()", "Way: enum Way",
    ...                    "Way.left: case left"])
    []
    >>> breaks(old, old[:-1])
    ['- run(): func run()']
    >>> breaks(old, old + ["Level.high: case high", "Sink.end(): required func end()"])
    ['+ Level.high: case high', '+ Sink.end(): required func end()']
    >>> breaks(old, ["Code: @nonexhaustive enum Code + Hashable + Sendable"] + old[1:])
    []
    >>> breaks(old, ["Code: @nonexhaustive enum Code"] + old[1:])
    ['- Code: @nonexhaustive enum Code + Hashable']
    >>> breaks(old + ["Sink.end(): required func end()"], old + ["Sink.end(): func end()"])
    []
    """
    had, has = [parts(line) for line in old], [parts(line) for line in new]
    now = {}
    for path, declaration, conformances in has:
        now.setdefault((path, declaration), set()).update(conformances)
    before = {(path, declaration) for path, declaration, _ in had}
    found = [f"- {line}" for line, (path, declaration, conformances) in zip(old, had)
             if not {(path, declaration), (path, declaration.removeprefix("required "))} & now.keys()
             or not conformances <= now.get((path, declaration), conformances)]
    types = {path: declaration for path, declaration, _ in had}
    for line, (path, declaration, _) in zip(new, has):
        owner = types.get(path.rpartition(".")[0], "@nonexhaustive")
        if (path, declaration) in before:
            continue
        if declaration.startswith("required ") and owner != "@nonexhaustive":
            found.append(f"+ {line}")
        elif re.match(r"(indirect )?case ", declaration) and not owner.startswith("@nonexhaustive"):
            found.append(f"+ {line}")
    return found


def main(command, place):
    if command == "breaks":
        listed = []
        for library in libraries():
            page = f"docs/api/{library}.txt"
            old = subprocess.run(["git", "show", f"{place}:{page}"], check=True, text=True, capture_output=True).stdout
            listed += breaks(old.splitlines(), pathlib.Path(page).read_text().splitlines())
        sys.exit("\n".join(listed) or None)
    for library in libraries():
        page, text = pages / f"{library}.txt", "\n".join(lines(place, library)) + "\n"
        if command == "write":
            pages.mkdir(exist_ok=True)
            page.write_text(text)
        elif not page.exists() or page.read_text() != text:
            old = page.read_text().splitlines() if page.exists() else []
            print("\n".join(difflib.unified_diff(old, text.splitlines(), str(page), "the sources", lineterm="", n=0)))
            print(f"The public API of {library} is not that of {page}. If you mean the change: .ci/api.py write {place}")
            sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
