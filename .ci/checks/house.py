"""The figures of the house: how much code there is, and how much of it is what should be little.

Each has a limit in house.json. A commit that gets below one lowers it, with `python3 .ci/checks/house.py --lower`, so that
what was won is held. Generated files do not count.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = pathlib.Path(__file__).resolve().parents[1] / "house.json"
CATALOG = ROOT / "Sources" / "Fanout" / "Fanout.docc"
LONGEST = 400

DECLARED = re.compile(r"^\s*(?:@\S+ )*(?:\w+(?:\(\w+\))? )*?(?:class|struct|enum|actor|extension|protocol) \w")
STORED = re.compile(r"^\s*(?:@[\w.]+(?:\([^)]*\))? )*(?:(?!static )\w+(?:\(\w+\))? )*?(var|let) \w+\s*[:=](.*)$")
SHARED = re.compile(r"\b(?:Atomic\w*|Lock|Mutex|Drain|RundownReference)\b")
TREATMENT = re.compile(r"\.(?:dropsOldest|dropsNewest|rejoins|conflates|waits|ends)\b")
UNPLAIN = re.compile(r"//.*\b(?:who|whoever|owed|nobody|somebody|for ever)\b", re.I)


def texts(folder):
    return {path: path.read_text(encoding="utf-8").splitlines() for path in sorted((ROOT / folder).rglob("*.swift"))
            if "Generated" not in path.parts}


def count(lines):
    return sum(len(text) for text in lines.values())


def stored_variables(text):
    """The variables that the types of a file store, and their constants that are changed in place."""
    kinds, pending, found = [], None, 0
    for line in text:
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line.split("//")[0])
        if DECLARED.match(code):
            pending = "type"
        stored = STORED.match(code)
        if stored and kinds and kinds[-1] == "type":
            kind, rest = stored.groups()
            is_computed = rest.rstrip().endswith("{") or re.search(r"\{\s*[\w.(]", rest.partition("=")[0])
            found += not is_computed if kind == "var" else bool(SHARED.search(rest))
        for character in code:
            if character == "{":
                kinds.append(pending)
                pending = None
            elif character == "}" and kinds:
                kinds.pop()
    return found


def figures():
    sources, tests = texts("Sources"), texts("Tests")
    engine = ROOT / "Sources" / "FanoutEngine"
    heart = {path: text for path, text in sources.items() if path.is_relative_to(engine)
             and path.relative_to(engine).parts[0] not in ("Delivery", "Locking")}
    lines = [line for text in sources.values() for line in text]
    found = {"lines of Sources": len(lines), "files of Sources": len(sources), "lines of Tests": count(tests)}
    for folder in sorted(path for path in (ROOT / "Sources").iterdir() if path.is_dir()):
        found[f"lines of {folder.name}"] = count(
            {path: text for path, text in sources.items() if path.is_relative_to(folder)})
    return found | {
        "files of the engine's Hub and Log": sum(path.relative_to(engine).parts[0] in ("Hub", "Log") for path in heart),
        "stored variables of the engine without Delivery and Locking": sum(map(stored_variables, heart.values())),
        "engine files that name a treatment of a full backlog": sum(
            any(map(TREATMENT.search, text)) for text in heart.values()),
        "@inlinable and @usableFromInline": sum(
            len(re.findall(r"@inlinable|@usableFromInline", line)) for line in lines),
        "source files above 400 lines": sum(len(text) > LONGEST for text in sources.values()),
        "source lines above 100 columns": sum(len(line) > 100 for line in lines),
        "comments with who, owed, nobody, somebody, for ever": sum(map(bool, map(UNPLAIN.search, lines))),
        "guides for users": len(list(CATALOG.glob("*.md"))),
        "words of the guides for users": sum(
            len(path.read_text(encoding="utf-8").split()) for path in CATALOG.rglob("*.md")),
        "words of README": len((ROOT / "README.md").read_text(encoding="utf-8").split()),
    }


def complaints():
    """What is above its limit, what is below and would be lost again, and what has none."""
    limits, now = json.loads(LIMITS.read_text(encoding="utf-8")), figures()
    for name, figure in now.items():
        limit = limits.pop(name, None)
        print(f"{figure:8} {name}" + (f", at most {limit}" if limit not in (None, figure) else ""))
        if limit is None:
            yield f"{name} has no limit in {LIMITS.name}"
        elif figure > limit:
            yield f"{name}: {figure}, at most {limit}"
        elif figure < limit and not name.startswith(("words", "guides")):
            yield f"{name}: {figure} is below the limit {limit}: run .ci/checks/house.py --lower"
    for name in limits:
        yield f"{LIMITS.name} has a limit for {name}, which is not measured"


def lower():
    """Lowers each limit that the tree has got below."""
    limits, now = json.loads(LIMITS.read_text(encoding="utf-8")), figures()
    for name in limits.keys() & now.keys():
        if not name.startswith(("words", "guides")):
            limits[name] = min(limits[name], now[name])
    LIMITS.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--lower"]:
        lower()
    else:
        sys.exit("\n".join(complaints()) or None)
