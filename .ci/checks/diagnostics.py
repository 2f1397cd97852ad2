"""What the compiler says of clients: the files of Tests/Diagnostics.

A comment at the end of a line has the words of the diagnostic that the line must draw. `// 6:` stands for Swift 6 mode,
`// both:` for Swift 5 mode too. No other line may draw one. So each file has its own counterexample: the function `sound`.
"""

import re

from checks import commands
from checks.commands import ROOT, Failure

FOLDER = ROOT / "Tests/Diagnostics"
EXPECTED = re.compile(r"// (6|both): (.*)$")
DRAWN = re.compile(r"^(\S+\.swift):(\d+):\d+: (?:warning|error): (.*)$", re.M)


def expected(sources, mode):
    """The words for each line of which there must be a diagnostic."""
    for source in sources:
        for number, line in enumerate(source.read_text().splitlines(), 1):
            found = EXPECTED.search(line)
            if found and (found[1] == "both" or mode == "6"):
                yield (source.name, number), found[2]


def faults(mode):
    """What the compiler says in a mode and should not, and what it should say and does not."""
    sources = sorted(FOLDER.glob("*.swift"))
    # Not only a type check: what is wrong with `sending` is found behind it.
    _, text = commands.output_of(
        "swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-module-name", "Diagnostics", "-swift-version", mode,
        "-diagnostic-style", "llvm", "-I", ROOT / ".build/debug/Modules", *sources)
    drawn = {}
    for path, number, message in DRAWN.findall(text):
        drawn.setdefault((path.rsplit("/", 1)[-1], int(number)), []).append(message)
    for place, words in expected(sources, mode):
        if not any(words in message for message in drawn.pop(place, [])):
            yield f"{place[0]}:{place[1]}: error: no diagnostic with “{words}” in Swift {mode} mode"
    for place, messages in drawn.items():
        yield f"{place[0]}:{place[1]}: error: unexpected in Swift {mode} mode: {messages[0]}"
    if not sources or "error: no such module" in text:
        yield f"error: nothing was compiled: {text[:300]}"


def check():
    found = [fault for mode in ("6", "5") for fault in faults(mode)]
    if found:
        print("\n".join(found))
        raise Failure(f"{len(found)} lines of Tests/Diagnostics draw the wrong diagnostics")


if __name__ == "__main__":
    check()
