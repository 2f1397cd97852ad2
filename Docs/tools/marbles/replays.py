"""The pictures of replays, of a state, and of a multicast: what D gets, which joins late."""

from .guides import LABELS, RIGHT, marbles
from .lives import of, timelines


def late(title, what, values, after, replay, keys=()):
    """Draws A, C, and D, which joins when A has sent `values`, gets `replay`, and then what comes `after` it joins."""
    columns = {n: 182 + 54 * n for n in range(len(values))}
    join = 182 + 54 * len(values) + 2
    columns |= {len(values) + n: 530 + 54 * n for n in range(len(after))}
    sent = list(enumerate((*values, *after)))
    return marbles(title, [
        ("A", what, "source", sent, {"keys": keys}),
        ("C", "", "live", sent, {"keys": keys}),
        ("D", "", "live", sent[len(values):], {"keys": keys, "from": join, "replay": replay}),
    ], columns, join)


def within():
    return timelines("last(within: .seconds(60)): D gets what is not older", [
        ("A", "alarms", LABELS, RIGHT, of("source", _1=200, _2=340, _3=610)),
        ("C", "", LABELS, RIGHT, of("live", _1=200, _2=340, _3=610)),
        ("D", "", 450, RIGHT, [*of("replay", _2=478), *of("live", _3=610)]),
    ], [(200, "0 s"), (340, "50 s"), (450, "70 s: D joins")])


def keyframe_limit():
    columns = {1: 182, 2: 236, 3: 290, 4: 430, 5: 510, 6: 590}
    frames = [(n, str(n)) for n in columns]
    return marbles("sinceKeyframe(limit: .count(2)): D waits for keyframe 5", [
        ("A", "frames", "source", frames, {"keys": ("1", "5")}),
        ("C", "", "live", frames, {"keys": ("1", "5")}),
        ("D", "", "live", [(5, "5"), (6, "6")], {"keys": ("1", "5"), "from": 346}),
    ], columns, 346)


def requesting():
    def frames(kind):
        return [(182, "1", f"key-{kind}"), (236, "2", kind), (290, "3", kind), (610, "4", f"key-{kind}")]
    return timelines("requesting(every: .seconds(1)): the source is asked while D waits", [
        ("A", "frames", LABELS, RIGHT, frames("source")),
        ("C", "", LABELS, RIGHT, frames("live")),
        ("D", "waits", 370, RIGHT, [(610, "4", "key-live")]),
    ], [(370, "D joins: request"), (530, "1 s later: request")])


def undelivered():
    return timelines("undelivered: the first one takes what came without a subscriber", [
        ("A", "sends", LABELS, RIGHT, of("source", _1=200, _2=260, _3=600)),
        ("C", "", 330, RIGHT, [*of("replay", _1=358, _2=398), *of("live", _3=600)]),
        ("D", "", 490, RIGHT, of("live", _3=600)),
    ], [(330, "C joins"), (490, "D joins")])


def initial():
    return timelines("initial: there is a value from the start", [
        ("A", "sums", LABELS, RIGHT, of("source", _2=240, _5=310, _6=580)),
        ("C", "", LABELS, RIGHT, [*of("replay", _0=168), *of("live", _2=240, _5=310, _6=580)]),
        ("D", "", 420, RIGHT, [*of("replay", _5=448), *of("live", _6=580)]),
    ], [(420, "D joins")])


def reducing():
    def adds(kind):
        return [(240, "+2", kind), (310, "+3", kind), (580, "+1", kind)]
    return timelines("reducingInto: a snapshot, then every change", [
        ("A", "changes", LABELS, RIGHT, adds("source")),
        ("C", "", LABELS, RIGHT, [(168, "0", "key-replay"), *adds("live")]),
        ("D", "", 420, RIGHT, [(448, "5", "key-replay"), *adds("live")[2:]]),
    ], [(420, "D joins")])


def multicast(title, first=(), replay=()):
    return timelines(title, [
        ("A", "connected", 250, 620, of("source", _1=300, _2=360, _3=520), {"mark": "cancel"}),
        ("C", "", LABELS, RIGHT, [*first, *of("live", _1=300, _2=360, _3=520)]),
        ("D", "", 430, RIGHT, [*replay, *of("live", _3=520)]),
    ], [(LABELS, "C joins"), (250, "connect()"), (430, "D joins"), (620, "disconnects")])


PICTURES = {
    "share-last": late("last(2): D gets the last two values first", "sends", "123", "4", "23"),
    "share-latest-by-key": late("latest(by:): D gets the newest price of each", "prices",
                                ("X10", "Y20", "X11"), ("Y21",), ("Y20", "X11")),
    "share-last-cost": late("last(.cost(8)): D gets 5 and 3, which cost 8", "bytes", "453", "2", "53"),
    "share-headed": late("headed: the header, then the last value", "H: a header", "H12", "3", "H2"),
    "share-last-within": within(),
    "share-keyframe-limit": keyframe_limit(),
    "share-requesting": requesting(),
    "share-undelivered": undelivered(),
    "share-initial": initial(),
    "share-reducing": reducing(),
    "multicast": multicast("multicast: it starts at connect()"),
    "multicast-subject": multicast("multicast through a current value", of("replay", _0=168), of("replay", _2=458)),
    "multicast-replay": multicast("multicast(replay: .latest): D gets the last value first", (), of("replay", _2=458)),
}
