"""What a reader sees first: short titles in the sidebar, the one module to import, the picture of an operator."""

import re

from archive import CATALOG, pages, read, write

# The letters that fit into the sidebar on a screen of 1300 pixels.
LONGEST = 35
# The kinds of symbols that have parameters.
CALLED = ("method", "func", "init", "subscript")
# What Fanout exports again: a reader imports Fanout.
PARTS = ("FanoutCore", "FanoutOperators")
LISTED = re.compile(r"^- \[([^\]]+)\]\[(\w+)\]$", re.MULTILINE)


def listed_guides():
    """The guides in the contents of the first page, as `(title, name)`."""
    contents = (CATALOG / "Fanout.md").read_text(encoding="utf-8").partition("\n## Topics\n")[2]
    guides = LISTED.findall(contents)
    for title, _ in guides:
        if len(title) > LONGEST:
            raise SystemExit(f"build-docs: the sidebar would cut a title of Fanout.md: {title}")
    return guides


def shorten_titles(site):
    """Writes short titles into the index that the sidebar reads.

    A guide has the one by which the first page lists it, and what has a declaration its name: of `func share(replay:
    Replay<Self.Output>, …` a sidebar shows no more than the beginning.
    """
    short = {f"/documentation/fanout/{name.lower()}": title for title, name in listed_guides()}
    short |= {address: page["metadata"]["title"] for _, address, page in pages(site)
              if page["metadata"].get("symbolKind") in CALLED}
    path = site / "index" / "index.json"
    index = read(path)

    def visit(nodes):
        for node in nodes:
            if node.get("path") in short:
                node["title"] = short[node["path"]]
            visit(node.get("children", ()))

    visit(index["interfaceLanguages"]["swift"])
    write(path, index)


def shows_picture(section):
    return any(part.get("type") == "image" for block in section.get("content", ())
               for part in block.get("inlineContent", ()))


def put_first(site):
    """Names Fanout alone where a reader imports it, and puts what has a picture in front of the parameters."""
    for path, _, page in pages(site):
        for module in page["metadata"].get("modules", ()):
            if module["name"] == "Fanout":
                others = [name for name in module.pop("relatedModules", ()) if name not in PARTS]
                if others:
                    module["relatedModules"] = others
        page.get("primaryContentSections", []).sort(
            key=lambda section: 0 if section["kind"] == "declarations" else 1 if shows_picture(section) else 2)
        write(path, page)
