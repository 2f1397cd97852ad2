"""What a client in Swift 6 mode can bring to another thread: the public declarations, as the symbol graphs have them.

existentials  `any P & Sendable`: the compiler lets a conformance in that an actor isolates, which it refuses for a
              generic parameter with the same constraints
publishers    a source of values that is `Sendable`, with an output that need not be; an operator is one where its
              upstreams are, and they are looked at themselves
doors         what brings the values of a publisher to a task or a scheduler

Each of them has a constraint, or a reason below.
"""

import json
import pathlib
import re
import tempfile

from checks import commands
from checks.commands import ROOT, Failure

MODULES = ("FanoutCore", "FanoutOperators", "Fanout", "FanoutFoundation")
PUBLISHER, SENDABLE, SEQUENCE = "s:10FanoutCore9PublisherP", "s:s8SendableP", "s:Sci"

EXISTENTIALS = {
    "Publishers.Print.stream": "it is read only; the initializer takes a generic parameter",
    "NotificationCenter.Publisher.object": "a class without a protocol has no conformance",
    "NotificationCenter.Publisher.init(center:name:object:)": "the same",
    "NotificationCenter.publisher(for:object:)": "the same",
}
# A class is no protocol, so that there is no conformance either.
CLASSES = r"any (Reference)?(Writable)?KeyPath<[^&]*> & Sendable"

# The publishers that a closure makes, or that are values.
MADE = {"NewPublisher", "Pipeline", "P"}

PUBLISHERS = {
    "Deferred": "its closure makes a publisher for each subscriber",
    "Empty": "it has no value",
    "Fail": "it has no value",
    "NotificationCenter.Publisher": "a thread that posts delivers; the doors ask, and a guide says what is left",
    "Publishers.Sequence": "a subscription uses its iterator and the element one after the other",
    "Timer.TimerPublisher": "its values are dates",
    "URLSession.DataTaskPublisher": "its values are data and responses",
}

DOORS = {
    "Future.init(_:)": "the value leaves the future by another door",
    "Publisher.measureInterval(clock:)": "it reads the time only",
    "Publisher.measureInterval(using:options:)": "the same",
    "Publisher.subscribe(on:options:)": "it brings the publisher there, which is `Sendable`",
}


def graphs():
    """The symbols by identifier, and the relationships."""
    target = json.loads(commands.output_of("swiftc", "-print-target-info")[1])["target"]["triple"]
    symbols, relationships = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            status, text = commands.output_of(
                "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
                "-I", ROOT / ".build/debug/Modules", "-skip-synthesized-members", "-output-dir", folder)
            if status:
                raise Failure(f"no symbol graph of {module}: {text[:300]}")
        for file in pathlib.Path(folder).glob("*.json"):
            graph = json.loads(file.read_text())
            symbols |= {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]}
            relationships += graph["relationships"]
    return symbols, relationships


def name(symbol):
    return ".".join(symbol["pathComponents"])


def declaration(symbol):
    return "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])


def constraints(symbol):
    return symbol.get("swiftGenerics", {}).get("constraints", []) + symbol.get("swiftExtension", {}).get("constraints", [])


def required(given, protocol):
    """The types of which some constraints require a protocol."""
    return {one["lhs"].removeprefix("Self.") for one in given if one.get("rhsPrecise") == protocol}


def are_values(types):
    return any(re.search(r"\b(Output|Element|Value|Success|Wrapped)$", one) for one in types)


def conforming(relationships, protocol):
    """The constraints of each conformance to a protocol, by the identifier of the type."""
    return {one["source"]: one.get("swiftConstraints", []) for one in relationships
            if one["kind"] == "conformsTo" and one["target"] == protocol}


def existentials(symbols):
    for symbol in symbols.values():
        if re.search(r"any [^,)]*& ", re.sub(CLASSES, "", declaration(symbol))):
            yield symbol


def protocols(symbols):
    """Publisher and the protocols that refine it."""
    return {PUBLISHER} | {identifier for identifier, symbol in symbols.items() if re.match(
        r"protocol \w*(Publisher|Subject)\b", declaration(symbol))}


def publishers(symbols, relationships):
    sendable = conforming(relationships, SENDABLE)
    publishing = protocols(symbols)
    for identifier in conforming(relationships, PUBLISHER).keys() & sendable.keys() & symbols.keys():
        symbol = symbols[identifier]
        types = required(sendable[identifier], SENDABLE) | required(constraints(symbol), SENDABLE)
        upstreams = set().union(*(required(sendable[identifier], one) for one in publishing)) - MADE
        if not are_values(types) and not (upstreams and upstreams <= types):
            yield symbol


def doors(symbols, relationships):
    publishing = conforming(relationships, PUBLISHER).keys() | protocols(symbols)
    sequences = conforming(relationships, SEQUENCE).keys()
    paths = {tuple(symbols[one]["pathComponents"]): one for one in publishing | sequences if one in symbols}
    for symbol in symbols.values():
        owner = paths.get(tuple(symbol["pathComponents"][:-1]))
        kind = symbol["kind"]["identifier"]
        if owner is None or kind not in ("swift.method", "swift.property", "swift.init"):
            continue
        text, given = declaration(symbol), constraints(symbol)
        if owner in publishing:
            result = {fragment.get("preciseIdentifier") for fragment in symbol["declarationFragments"]}
            schedules = kind == "swift.method" and re.search(r"\b(\w+) : (Scheduler|Clock)\b", text)
            waits = re.search(r"\bget async\b" if kind == "swift.property" else r"\basync\b", text)
            crosses = waits or schedules or result & sequences
        else:
            crosses = kind == "swift.init"
        if crosses and not are_values(required(given, SENDABLE)):
            yield symbol


def check():
    symbols, relationships = graphs()
    missing = []
    for kind, found, reasons in (
            ("an existential with Sendable", existentials(symbols), EXISTENTIALS),
            ("a publisher that is Sendable, with values that need not be", publishers(symbols, relationships), PUBLISHERS),
            ("it brings values to another task, and does not ask for Sendable", doors(symbols, relationships), DOORS)):
        names = {name(symbol): declaration(symbol) for symbol in found}
        missing += [f"{one}: error: {kind}: {text}" for one, text in sorted(names.items()) if one not in reasons]
        missing += [f"{one}: error: a reason without need: {kind}" for one in reasons if one not in names]
    if missing:
        print("\n".join(missing))
        raise Failure(f"{len(missing)} declarations let values that are not Sendable cross")


if __name__ == "__main__":
    check()
