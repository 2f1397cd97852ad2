"""The pictures of beginnings and ends: failures, reconnects, grace periods, and where history joins what is live."""

from .guides import LABELS, RIGHT, ROW, TOP
from .picture import Picture


def timelines(title, rows, moments=(), gaps=()):
    """Draws rows of `(name, what it is, begin, end, marbles, {options})`, each with its own places.

    `moments` are `(x, words)`. Marbles are `(x, words, kind)`. `end` is where the line ends. Options: `mark`: how it
    ends, "finish", "failure" or "cancel", and an arrow without it; `again`: further lines of the same row, as
    `(begin, end, marbles, mark)`.
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
        for line in ((begin, end, values, options.get("mark")), *options.get("again", ())):
            draw_line(picture, y, *line)
        y += ROW
    return picture


def draw_line(picture, y, begin, end, values, mark):
    if mark is None:
        picture.arrow(begin, end, y)
    else:
        picture.line(begin, y, end, y)
        picture.end(end, y, mark)
    picture.start(begin, y)
    for x, words, kind in values:
        picture.marble(x, y, words, kind)


def of(kind, **places):
    """Marbles of one kind by their words: `of("live", _1=200)`."""
    return [(x, words.lstrip("_"), kind) for words, x in places.items()]


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


def failure():
    return timelines("A failure ends the share for all, and stays", [
        ("A", "fails", LABELS, 330, of("source", _1=200, _2=262), {"mark": "failure"}),
        ("C", "", LABELS, 330, of("live", _1=200, _2=262), {"mark": "failure"}),
        ("D", "", 460, 540, of("replay", _2=492), {"mark": "failure"}),
    ], [(460, "D joins")])


def failure_below():
    return timelines("A failure below the share ends one subscriber", [
        ("A", "lines", LABELS, RIGHT, of("source", _1=220, x=360, _2=520)),
        ("C", "log", LABELS, RIGHT, of("live", _1=220, x=360, _2=520)),
        ("D", "tryMap", LABELS, 360, of("live", _1=220), {"mark": "failure"}),
    ])


def back_off():
    at = {seconds: LABELS + 58 * seconds for seconds in (0, 1, 3, 7)}
    failing = [(at[seconds], at[seconds] + 26, (), "failure") for seconds in (1, 3)]
    return timelines("retry above the share: new attempts, and the subscribers stay", [
        ("A", "attempts", at[0], at[0] + 26, (), {
            "mark": "failure", "again": (*failing, (at[7], RIGHT, of("source", _1=604, _2=660), None))}),
        ("C", "", at[0], RIGHT, of("live", _1=604, _2=660)),
        ("D", "", 450, RIGHT, of("live", _1=604, _2=660)),
    ], [*((x, f"{seconds} s") for seconds, x in at.items()), (450, "D joins")])


def comes_back():
    return timelines("By default: the last one leaves, and the next one starts anew", [
        ("A", "connected", LABELS, 300, of("source", _1=200, _2=250), {
            "mark": "cancel", "again": ((420, 620, of("source", _3=520), "cancel"),)}),
        ("C", "", LABELS, 300, of("live", _1=200, _2=250), {"mark": "cancel"}),
        ("D", "", 420, 620, of("live", _3=520), {"mark": "cancel"}),
    ], [(300, "C leaves"), (420, "D joins"), (620, "D leaves")])


def when_released():
    return timelines("whenReleased: connected as long as anybody holds the share", [
        ("A", "connected", LABELS, 640, of("source", _1=200, _2=350, _3=500), {"mark": "cancel"}),
        ("C", "", LABELS, 262, of("live", _1=200), {"mark": "cancel"}),
        ("D", "", 420, 560, [*of("replay", _2=452), *of("live", _3=500)], {"mark": "cancel"}),
    ], [(262, "C leaves"), (420, "D joins"), (560, "D leaves"), (640, "released")])


def when_there():
    return timelines("autoconnect(subscribers: 2): it starts with the second", [
        ("A", "connected", 300, 560, of("source", _1=360, _2=430, _3=500), {"mark": "finish"}),
        ("C", "", LABELS, 560, of("live", _1=360, _2=430, _3=500), {"mark": "finish"}),
        ("D", "", 300, 560, of("live", _1=360, _2=430, _3=500), {"mark": "finish"}),
    ], [(LABELS, "C joins"), (300, "D joins")])


def two_steps():
    posts = of("source", _1=166, _2=206, _3=246, _4=380, _5=610)
    return timelines("Two steps in either order lose a value, or deliver it twice", [
        ("A", "posts", LABELS, RIGHT, posts),
        ("C", "history first", 290, RIGHT,
         [*of("replay", _2=318, _3=356), (400, "4", "dropped"), (610, "5", "live")]),
        ("D", "live first", 290, RIGHT,
         [(380, "4", "live"), *of("replay", _2=478, _3=516, _4=554), (610, "5", "live")]),
    ], [(290, "first step"), (450, "second step")])


def splice():
    return timelines("joining(after: 1, from: history): each value once", [
        ("A", "posts", LABELS, RIGHT, of("source", _1=166, _2=206, _3=246, _4=286, _5=326, _6=650)),
        ("H", "reads", 370, 460, of("source", _2=394, _3=434), {"mark": "finish"}),
        ("D", "knows 1", 370, RIGHT,
         [*of("replay", _2=446, _3=486, _4=526, _5=566), (650, "6", "live")]),
    ], [(370, "D comes back"), (606, "up to date")])


def splice_slow():
    posts = {"_2": 186, "_3": 226, "_4": 266, "_5": 306, "_6": 346, "_7": 386}
    lost = [(x, words[1:], "dropped") for words, x in posts.items() if words < "_6"]
    return timelines("A backlog of 2 drops, and the store has the rest", [
        ("A", "posts", LABELS, RIGHT, of("source", **posts)),
        ("", "backlog", LABELS, 424, [*lost, *of("live", _6=346, _7=386)], {"mark": "finish"}),
        ("H", "reads", 424, 596, of("source", _2=450, _3=490, _4=530, _5=570), {"mark": "finish"}),
        ("D", "slow", LABELS, RIGHT,
         [*of("replay", _2=468, _3=508, _4=548, _5=588), *of("live", _6=630, _7=668)]),
    ], [(424, "D asks for more")])


PICTURES = {
    "rejoin": rejoin(),
    "grace": grace(),
    "restart": restart(),
    "reconnect": reconnect(),
    "ends": ends(),
    "failure": failure(),
    "failure-below": failure_below(),
    "back-off": back_off(),
    "comes-back": comes_back(),
    "when-released": when_released(),
    "when-there": when_there(),
    "two-steps": two_steps(),
    "splice": splice(),
    "splice-slow": splice_slow(),
}
