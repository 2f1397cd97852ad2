"""Sorts the symbol graphs that the compiler writes, so that each module's reference has what is its own."""

import json

ENGINE = "s:12FanoutEngine"


def is_engines(symbol):
    """Whether a declaration names what nobody can import."""
    return any(ENGINE in part.get("preciseIdentifier", "") for part in symbol.get("declarationFragments", []))


def identifiers(graph):
    return {symbol["identifier"]["precise"] for symbol in graph["symbols"]}


def sort_graphs(source, target, modules):
    """Writes the graphs of these modules to another folder, without what a reader cannot use or finds elsewhere.

    `Fanout` exports FanoutCore and FanoutOperators again, so its graph has all that `import Fanout` gives: one
    reference, as a reader has one import. FanoutTestSupport exports FanoutLifetime again, which has a
    reference of its own.
    """
    def graphs_of(module):
        paths = sorted(path for path in source.glob(f"{module}*.symbols.json")
                       if path.name.split(".")[0].split("@")[0] == module)
        if source / f"{module}.symbols.json" not in paths:
            raise SystemExit(f"build-docs: the compiler wrote no symbol graph for {module}")
        return [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in paths]

    lifetime = set().union(*(identifiers(graph) for _, graph in graphs_of("FanoutLifetime")))
    for module in modules:
        for name, graph in graphs_of(module):
            hidden = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if is_engines(symbol)}
            if module == "FanoutTestSupport":
                hidden |= lifetime
            graph["symbols"] = [
                symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in hidden]
            graph["relationships"] = [
                edge for edge in graph["relationships"]
                if edge["source"] not in hidden and not edge["target"].startswith(ENGINE)]
            if name == "Fanout.symbols.json" and not any(
                    symbol["pathComponents"] == ["Publisher"] for symbol in graph["symbols"]):
                raise SystemExit("build-docs: FanoutCore's symbols are missing in Fanout's graph")
            if graph["symbols"]:
                (target / name).write_text(json.dumps(graph), encoding="utf-8")
