"""What the compiler says of clients: the files of Tests/Diagnostics.

A comment at the end of a line, or alone on the line above, has the words of the diagnostic that the line must draw.
`// 6:` stands for Swift 6 mode, `// both:` for Swift 5 mode too. No other line may draw one. So the functions `sound`
are the counterexamples.
"""

import concurrent.futures
import itertools
import os
import re

from checks import commands
from checks.commands import ROOT, Failure

FOLDER = ROOT / "Tests/Diagnostics"
EXPECTED = re.compile(r"// (6|both): (.*)$")
DRAWN = re.compile(r"^\S+/Diagnostics/\w+\.swift:(\d+):\d+: (?:warning|error): (.*)$", re.M)


def expected(source, mode):
    """The words for each line of which there must be a diagnostic."""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = EXPECTED.search(line)
        if found and (found[1] == "both" or mode == "6"):
            yield number + line.lstrip().startswith("//"), found[2]


def faults(source, mode):
    """What the compiler says of a file and should not, and what it should say and does not."""
    # Not only a type check: what is wrong with `sending` is found behind it.
    status, text = commands.output_of(
        "swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-module-name", "Diagnostics", "-swift-version", mode,
        "-diagnostic-style", "llvm", "-I", ROOT / ".build/debug/Modules", source)
    drawn = {}
    for number, message in DRAWN.findall(text):
        drawn.setdefault(int(number), []).append(message)
    if status and not drawn:
        yield f"{source.name}: error: {text[:300]}"
    for number, words in expected(source, mode):
        if not any(words in message for message in drawn.pop(number, [])):
            yield f"{source.name}:{number}: error: no diagnostic with “{words}” in Swift {mode} mode"
    for number, messages in drawn.items():
        yield f"{source.name}:{number}: error: unexpected in Swift {mode} mode: {messages[0]}"


def check():
    runs = list(itertools.product(sorted(FOLDER.glob("*.swift")), ("6", "5")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(itertools.chain(*pool.map(lambda run: list(faults(*run)), runs)))
    if found:
        print("\n".join(found))
        raise Failure(f"{len(found)} lines of Tests/Diagnostics draw the wrong diagnostics")


if __name__ == "__main__":
    check()
