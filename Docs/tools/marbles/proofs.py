"""Writes the tests that play the scenes of the tables against the operators, with the code of the pictures."""

import re
import string

from .table import ENDS

LETTERS = string.digits + string.ascii_letters
LITERAL = re.compile(r'-?\d+|true|false|nil|".*"')


def literal(words, names):
    return words if words in names or LITERAL.fullmatch(words) else f'"{words}"'


def line_of(row):
    """The signs of a row as a line of marbles, which begins with its subscription."""
    signs = [(tick, LETTERS[index]) for index, (tick, _) in enumerate(row.values)]
    if row.end and row.end[1] != "cancel":
        signs.append((row.end[0], "|" if row.end[1] == "finish" else "#"))
    line, tick = "", row.start
    for moment in sorted({moment for moment, _ in signs}):
        group = "".join(sign for when, sign in signs if when == moment)
        line += "-" * (moment - tick) + (f"({group})" if len(group) > 1 else group)
        tick = moment + 1
    return line


def run_of(row, names):
    values = ", ".join(literal(words, names) for _, words in row.values)
    parts = [f'"{line_of(row)}"', f"[{values}]" + (f" as [{row.type}]" if row.type else "")]
    if row.start:
        parts.append(f"at: {row.start}")
    if row.end and row.end[1] == "cancel":
        parts.append(f"cancelledAt: {row.end[0]}")
    return f".init({', '.join(parts)})"


def expected(row):
    signs = [f"{words.strip(chr(34))}@{tick}" for tick, words in row.values]
    if row.end:
        marks = {kind: sign for sign, kind in ENDS.items()}
        signs.append(f"{marks[row.end[1]]}@{row.end[0]}")
    return ", ".join(f'"{sign}"' for sign in signs)


def body(scene, code, row):
    names = list(dict.fromkeys(source.name for source in scene.sources))
    failure = scene.failure or (
        "Broken" if any(source.end and source.end[1] == "failure" for source in scene.sources) else None)
    yield "    let scene = MarbleScene()"
    if "scheduler" in code:
        yield "    let scheduler = scene.scheduler"
    # From the last to the first, because a publisher may deliver those in the rows below it.
    for name in reversed(names):
        runs = [run_of(source, names) for source in scene.sources if source.name == name]
        runs += [f"error: {failure}()"] if failure else []
        yield f"    let {name} = scene.publisher({', '.join(runs)})"
    yield f"    scene.expect([{expected(row)}], of: {names[0]}"
    yield f"      {code})"


def tests(table, scenes):
    """The text of the test file of a table."""
    lines = [
        "// swift-format-ignore-file",
        f"// Written by Docs/tools/draw-marbles from Docs/tools/marbles/{table}.md: plays what the pictures of the",
        "// reference show.",
        "", "import FanoutCore", "import FanoutOperators", "import FanoutTestSupport", "import TestFixtures",
        "import Testing", "", f"struct {table.capitalize()}MarbleTests {{",
    ]
    for scene in scenes:
        for index, (code, row) in enumerate(scene.stages):
            name = scene.name if not index else f"{scene.name}, {index + 1}"
            lines += [f"  @Test func `{name}`() {{", *body(scene, code, row), "  }", ""]
    return "\n".join(lines).rstrip("\n") + "\n}\n"
