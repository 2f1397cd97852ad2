"""The pictures of the guides about sharing, each drawn by a function of its own."""

from .picture import Picture

# Marble diagrams: rows over one time axis, with one moment at which D joins.

LABELS, RIGHT = 142, 700
TOP, ROW = 44, 50


def marbles(title, rows, columns, join, gaps=()):
    """Draws rows of `(name, what it is, kind, [(column, text), …], {options})`.

    `columns` maps a column's name to its place, `join` is the place at which D joins. Options:
    `from`: where the row begins; `replay`: what is replayed there; `keys`: texts that are keyframes.
    `gaps` are the rows in front of which some space is left.
    """
    height = TOP + ROW * len(rows) + 16 * len(gaps) - 6
    picture = Picture(title, 720, height)
    picture.text(join, 18, "D joins", 13, "faint", "middle")
    picture.line(join, 26, join, height - 8, "faint", 1, "3 4")
    y = TOP + 8
    for index, (name, what, kind, values, *rest) in enumerate(rows):
        options = rest[0] if rest else {}
        if index in gaps:
            y += 16
        keys = options.get("keys", ())
        picture.text(12, y + 5, name, 16, bold=True)
        picture.text(34, y + 4.5, what, 12.5, "faint")
        begin = options.get("from", LABELS)
        picture.arrow(begin, RIGHT, y)
        picture.start(begin, y)
        for place, words in enumerate(options.get("replay", ())):
            square = "key-" if words in keys else ""
            picture.marble(begin + 26 + 40 * place, y, words, square + "replay")
        for column, words in values:
            square = "key-" if words in keys else ""
            picture.marble(columns[column], y, words, square + kind)
        y += ROW
    return picture


FOUR = {1: 182, 2: 246, 3: 470, 4: 534}
JOIN = 304


def sums(title, replay, live=((3, "16"), (4, "20"))):
    """The diagrams whose B is shared and adds up."""
    totals = [(1, "11"), (2, "13"), (3, "16"), (4, "20")]
    return marbles(title, [
        ("A", "counts", "source", [(n, str(n)) for n in FOUR]),
        ("B", "adds up, once", "live", totals),
        ("C", "", "live", totals),
        ("D", "", "live", list(live), {"from": JOIN, "replay": replay}),
    ], FOUR, JOIN)


def unshared():
    return marbles("Unshared: D gets a run of its own", [
        ("A", "counts", "source", [(n, str(n)) for n in FOUR]),
        ("B", "adds up", "live", [(1, "11"), (2, "13"), (3, "16"), (4, "20")]),
        ("C", "", "live", [(1, "11"), (2, "13"), (3, "16"), (4, "20")]),
        ("A", "again, for D", "source", [(3, "1"), (4, "2")], {"from": JOIN}),
        ("B", "again, for D", "live", [(3, "11"), (4, "13")], {"from": JOIN}),
        ("D", "", "live", [(3, "11"), (4, "13")], {"from": JOIN}),
    ], FOUR, JOIN, gaps=(3,))


def keyframe():
    columns = {1: 172, 2: 216, 3: 260, 4: 304, 5: 348, 6: 530, 7: 586}
    keys = ("1", "4", "7")
    frames = [(n, str(n)) for n in columns]
    return marbles("sinceKeyframe: D starts at keyframe 4", [
        ("A", "frames", "source", frames, {"keys": keys}),
        ("C", "", "live", frames, {"keys": keys}),
        ("D", "", "live", [(6, "6"), (7, "7")],
         {"keys": keys, "from": 394, "replay": ("4", "5")}),
    ], columns, 394)


def custom():
    columns = {1: 182, 2: 236, 3: 290, 4: 530}
    prices = [(1, "X10"), (2, "Y20"), (3, "X11"), (4, "Y21")]
    return marbles("custom: D gets the last price of each", [
        ("A", "prices", "source", prices),
        ("C", "", "live", prices),
        ("D", "", "live", [(4, "Y21")], {"from": 346, "replay": ("X11", "Y20")}),
    ], columns, 346)


def slow():
    """One subscriber that asks three times for one value, under three policies."""
    picture = Picture("A subscriber that asks for one value at a time", 720, 292)
    asks, sent = (160, 390, 560), {1: 214, 2: 268, 3: 322, 4: 484}
    for x in asks:
        picture.text(x, 18, "asks for 1", 13, "faint", "middle")
        picture.line(x, 26, x, 282, "faint", 1, "3 4")
    rows = [
        ("A", "sends", "source", [(sent[n], str(n)) for n in sent]),
        ("share()", "", "live", [(214, "1"), (484, "4")]),
        (".latest", "", "live", [(214, "1")]),
        (".all", "", "live", [(214, "1")]),
    ]
    later = {"share()": [(268, "2", "dropped"), (322, "3", "dropped")],
             ".latest": [(416, "3", "live"), (586, "4", "live"), (268, "2", "dropped")],
             ".all": [(416, "2", "live"), (586, "3", "live")]}
    y = 58
    for name, what, kind, values in rows:
        if name == "A":
            picture.text(12, y + 5, name, 16, bold=True)
            picture.text(34, y + 4.5, what, 12.5, "faint")
        else:
            picture.text(12, y + 5, name, 14, bold=True, mono=True)
        picture.arrow(112, RIGHT, y)
        picture.start(112, y)
        for x, words in values:
            picture.marble(x, y, words, kind)
        for x, words, other in later.get(name, ()):
            picture.marble(x, y, words, other)
        if name == ".all":
            picture.text(672, y - 12, "4 waits", 12, "faint", "middle")
        y += 62
    return picture


def legend():
    picture = Picture("How to read the diagrams", 720, 302)
    entries = [
        (lambda x, y: picture.marble(x, y, "7", "source"), "a value, before B has worked on it"),
        (lambda x, y: picture.marble(x, y, "7"), "a value, at the moment it is delivered"),
        (lambda x, y: picture.marble(x, y, "7", "replay"), "an earlier value, replayed"),
        (lambda x, y: picture.marble(x, y, "7", "key-source"), "a keyframe: one can start here"),
        (lambda x, y: picture.marble(x, y, "7", "dropped"), "lost: this subscriber never gets it"),
        (lambda x, y: (picture.arrow(x - 22, x + 24, y), picture.start(x - 22, y)),
         "here somebody subscribes"),
        (lambda x, y: (picture.line(x - 22, y, x + 10, y), picture.end(x + 10, y, "finish")),
         "it finishes"),
        (lambda x, y: (picture.line(x - 22, y, x + 10, y), picture.end(x + 10, y, "failure")),
         "it fails"),
        (lambda x, y: (picture.line(x - 22, y, x + 10, y), picture.end(x + 10, y, "cancel")),
         "it is cancelled"),
    ]
    for index, (draw, words) in enumerate(entries):
        x, y = 40 + 360 * (index // 5), 34 + 58 * (index % 5)
        draw(x, y)
        picture.text(x + 36, y + 5, words, 14)
    return picture


PICTURES = {
    "legend": legend(),
    "unshared": unshared(),
    "share": sums("share: D gets what comes next", ()),
    "share-latest": sums("latest: D gets the last value first", ("13",)),
    "share-all": sums("all: D gets everything so far first", ("11", "13")),
    "share-keyframe": keyframe(),
    "share-custom": custom(),
    "slow": slow(),
}
