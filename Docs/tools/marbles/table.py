"""The tables of the operators' pictures: what publishers send, an operator, and what its subscriber receives.

A table is a Markdown file beside this one. Under the name of a picture comes its text, which says in plain
English what happens, and then, indented, its rows:

    ## prefix-while

    The subscriber receives 1 and 2. The closure rejects 3, which ends it.

        upstream    1@0 2@2 3@4 !@4
        .prefix(while: { $0 < 3 })
        subscriber  1@0 2@2 |@4

A row has a name, which is also the name of the publisher in the operator's code, and signs, each with its
tick: a value, `|` for a finish, `#` for a failure, `!` for a cancel, and `^` for a subscription that comes
later than tick 0. A second row of the same name is what the publisher sends to its second subscriber.
`upstream: Int` gives a row without values its type. A line `at 6: words` marks a moment, and `failure: Late`
gives the publishers that type of failure. Several operators can follow each other, each with its row.

A value is a number, `true`, `false`, `nil`, the name of a row, or else a text, with or without quotation
marks.
"""

import dataclasses
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
ENDS = {"|": "finish", "#": "failure", "!": "cancel"}
SIGN = re.compile(r"(\S+)@(\d+)")


@dataclasses.dataclass
class Row:
    """One line of a picture, from a subscription to its end."""

    name: str
    values: list = dataclasses.field(default_factory=list)  # pairs of tick and text
    start: int = 0
    end: tuple = None  # tick and kind
    type: str = None


@dataclasses.dataclass
class Scene:
    """What one picture shows."""

    name: str
    text: str = ""
    failure: str = None
    moments: list = dataclasses.field(default_factory=list)  # pairs of tick and words
    sources: list = dataclasses.field(default_factory=list)
    stages: list = dataclasses.field(default_factory=list)  # pairs of an operator's code and a row


def read_row(line):
    head, _, signs = line.partition("  ")
    name, _, kind = head.partition(": ")
    row = Row(name, type=kind or None)
    found = SIGN.findall(signs)
    if len(found) != len(signs.split()):
        raise ValueError(f"`{line}`: a sign is written `1@0`")
    for sign, tick in found:
        if row.end:
            raise ValueError(f"`{line}`: nothing can follow an end")
        if sign in ENDS:
            row.end = (int(tick), ENDS[sign])
        elif sign == "^":
            row.start = int(tick)
        else:
            row.values.append((int(tick), sign))
    ticks = [row.start, *(tick for tick, _ in row.values), *([row.end[0]] if row.end else [])]
    if ticks != sorted(ticks):
        raise ValueError(f"`{line}`: the ticks are not in order")
    return row


def read_scene(text):
    name, _, rest = text.partition("\n")
    scene, words = Scene(name.strip()), []
    for line in rest.splitlines():
        moment = re.match(r"    at (\d+): (.+)", line)
        if moment:
            scene.moments.append((int(moment[1]), moment[2]))
        elif line.startswith("    failure: "):
            scene.failure = line.split()[1]
        elif line.startswith("    ."):
            scene.stages.append((line.strip(), None))
        elif line.startswith("    "):
            row = read_row(line.strip())
            if not scene.stages:
                scene.sources.append(row)
            else:
                scene.stages[-1] = (scene.stages[-1][0], row)
        else:
            words += line.split()
    scene.text = " ".join(words)
    if not scene.text or not scene.sources or not scene.stages or not all(row for _, row in scene.stages):
        raise ValueError(f"{scene.name}: a picture has a text, rows, an operator, and the subscriber's row")
    if "[" in scene.text or "]" in scene.text:
        raise ValueError(f"{scene.name}: its text has a bracket, which would end it where it is shown")
    return scene


def read_tables():
    """The scenes of each table, by the table's name."""
    tables = {}
    for path in sorted(FOLDER.glob("*.md")):
        tables[path.stem] = [read_scene(part) for part in
                             re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]]
    return tables
