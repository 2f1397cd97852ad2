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


def timelines(title, rows, moments=(), gaps=()):
    """Draws rows of `(name, what it is, begin, end, marbles, {options})`, each with its own places.

    `moments` are `(x, words)`. Marbles are `(x, words, kind)`. `end` is where the line ends. Options: `mark`: how it
    ends, "finish", "failure" or "cancel", and an arrow without it.
    """
    height = TOP + ROW * len(rows) + 16 * len(gaps) - 6
    picture = Picture(title, 720, height)
    for x, words in moments:
        picture.text(x, 18, words, 13, "faint", "middle")
        picture.line(x, 26, x, height - 8, "faint", 1, "3 4")
    y = TOP + 8
    for index, (name, what, begin, end, values, *rest) in enumerate(rows):
        options = rest[0] if rest else {}
        if index in gaps:
            y += 16
        picture.text(12, y + 5, name, 16, bold=True)
        picture.text(34, y + 4.5, what, 12.5, "faint")
        mark = options.get("mark")
        if mark is None:
            picture.arrow(begin, end, y)
        else:
            picture.line(begin, y, end, y)
            picture.end(end, y, mark)
        picture.start(begin, y)
        for x, words, kind in values:
            picture.marble(x, y, words, kind)
        y += ROW
    return picture


def rejoin():
    places = {n: 130 + 54 * n for n in range(1, 10)}
    kind = {n: "key-" if n in (1, 4, 7) else "" for n in places}
    return timelines("rejoin: D is too slow and goes on at keyframe 7", [
        ("A", "frames", LABELS, RIGHT, [(x, str(n), kind[n] + "source") for n, x in places.items()]),
        ("C", "", LABELS, RIGHT, [(x, str(n), kind[n] + "live") for n, x in places.items()]),
        ("D", "2 may wait", LABELS, RIGHT,
         [(places[n], str(n), kind[n] + "live") for n in (1, 2)]
         + [(places[n], str(n), kind[n] + "dropped") for n in (3, 4, 5, 6)]
         + [(590, "7", "key-live"), (630, "8", "live"), (670, "9", "live")]),
    ], [(570, "D asks for more")])


def grace():
    return timelines("A grace period: the connection waits for the next subscriber", [
        ("A", "connected", LABELS, 640,
         [(200, "1", "source"), (250, "2", "source"), (480, "3", "source")], {"mark": "cancel"}),
        ("C", "", LABELS, 300, [(200, "1", "live"), (250, "2", "live")], {"mark": "cancel"}),
        ("D", "", 400, 530, [(428, "2", "replay"), (480, "3", "live")], {"mark": "cancel"}),
    ], [(300, "C leaves"), (400, "D joins in time"), (530, "D leaves"), (640, "time is up")])


def restart():
    return timelines("restart: after a failure the next subscriber starts again", [
        ("A", "", LABELS, 300, [(190, "1", "source"), (240, "2", "source")], {"mark": "failure"}),
        ("C", "", LABELS, 300, [(190, "1", "live"), (240, "2", "live")], {"mark": "failure"}),
        ("A", "again, for D", 380, 640, [(460, "3", "source"), (530, "4", "source")], {"mark": "finish"}),
        ("D", "", 380, 640, [(460, "3", "live"), (530, "4", "live")], {"mark": "finish"}),
    ], [(380, "D joins")], gaps=(2,))


def reconnect():
    return timelines("reconnect: a new connection, and C stays", [
        ("A", "", LABELS, 320, [(190, "1", "source"), (250, "2", "source")], {"mark": "cancel"}),
        ("A", "again", 320, RIGHT, [(400, "3", "source"), (600, "4", "source")]),
        ("C", "", LABELS, RIGHT,
         [(190, "1", "live"), (250, "2", "live"), (400, "3", "live"), (600, "4", "live")]),
        ("D", "", 490, RIGHT, [(520, "3", "replay"), (600, "4", "live")]),
    ], [(320, "reconnect()"), (490, "D joins")])


def ends():
    return timelines("all: replay and end stay", [
        ("A", "", LABELS, 340, [(200, "1", "source"), (270, "2", "source")], {"mark": "finish"}),
        ("C", "", LABELS, 340, [(200, "1", "live"), (270, "2", "live")], {"mark": "finish"}),
        ("D", "", 460, 570, [(490, "1", "replay"), (530, "2", "replay")], {"mark": "finish"}),
    ], [(460, "D joins")])


def legend():
    picture = Picture("How to read the diagrams", 720, 302)
    entries = [
        (lambda x, y: picture.marble(x, y, "7", "source"), "a value, before B has worked on it"),
        (lambda x, y: picture.marble(x, y, "7"), "a value, at the moment it is delivered"),
        (lambda x, y: picture.marble(x, y, "7", "replay"), "an earlier value, replayed to who joins"),
        (lambda x, y: picture.marble(x, y, "7", "key-source"), "a keyframe: one can always start here"),
        (lambda x, y: picture.marble(x, y, "7", "dropped"), "a value that this subscriber never gets"),
        (lambda x, y: (picture.arrow(x - 22, x + 24, y), picture.start(x - 22, y)),
         "a line starts where something is subscribed"),
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
    "rejoin": rejoin(),
    "grace": grace(),
    "restart": restart(),
    "reconnect": reconnect(),
    "ends": ends(),
}
