"""What a reader sees on each page: short names, the picture first, a line of contents, and no link without a page."""

import json

from archive import CONTRIBUTORS, FIRST, pages, read, write

# The kinds of symbols that have parameters.
CALLED = ("method", "func", "init", "subscript")
# What Fanout exports again: a reader imports Fanout.
PARTS = ("FanoutCore", "FanoutOperators")
# An article with fewer sections needs no line of contents.
FEW = 4
# What the identifiers of the site's own pages begin with.
BUNDLE = "doc://swift-fanout.Fanout/"
# What nearly every type conforms to says nothing.
USUAL = ("Swift.SendableMetatype", "Swift.Sendable", "Swift.Copyable", "Swift.Escapable")


def shorten_titles(site):
    """Gives what has a declaration its name in the sidebar, which would show the beginning of the declaration only, and
    leaves out the modules that Fanout extends: what it adds to them stands among the topics.
    """
    short = {address: page["metadata"]["title"] for _, address, page in pages(site)
             if page["metadata"].get("symbolKind") in CALLED}
    path = site / "index" / "index.json"
    index = read(path)

    def visit(nodes):
        for node in nodes:
            if node.get("path") in short:
                node["title"] = short[node["path"]]
            if node.get("path") == FIRST:
                node["children"] = [child for child in node["children"] if child["type"] != "extension"
                                    and child["title"] != "Extended Modules"]
            visit(node.get("children", ()))

    visit(index["interfaceLanguages"]["swift"])
    write(path, index)


def shows_picture(section):
    return any(part.get("type") == "image" for block in section.get("content", ())
               for part in block.get("inlineContent", ()))


def put_first(page):
    """Names Fanout alone where a reader imports it, and puts what has a picture in front of the parameters."""
    for module in page["metadata"].get("modules", ()):
        if module["name"] == "Fanout":
            others = [name for name in module.pop("relatedModules", ()) if name not in PARTS]
            if others:
                module["relatedModules"] = others
    page.get("primaryContentSections", []).sort(
        key=lambda section: 0 if section["kind"] == "declarations" else 1 if shows_picture(section) else 2)


def add_contents(address, page):
    """Puts a line with links to the sections in front of an article, in place of the heading that docc puts there."""
    if page["metadata"].get("role") != "article":
        return
    first = page["primaryContentSections"][0]["content"]
    if first[0].get("text") == "Overview":
        del first[0]
    headings = [block for section in page["primaryContentSections"] for block in section["content"]
                if block["type"] == "heading" and block["level"] == 2]
    if len(headings) < FEW:
        return
    line = [{"type": "strong", "inlineContent": [{"type": "text", "text": "In this page"}]}, {"type": "text", "text": ": "}]
    for heading in headings:
        # docc makes links only of references to its own bundle.
        identifier = f"{BUNDLE}contents{address}#{heading['anchor']}"
        page["references"][identifier] = {
            "identifier": identifier, "title": heading["text"], "url": f"{address}#{heading['anchor']}",
            "kind": "section", "abstract": [], "type": "topic"}
        if heading is not headings[0]:
            line.append({"type": "text", "text": " · "})
        line.append({"type": "reference", "isActive": True, "identifier": identifier})
    first.insert(0, {"type": "paragraph", "inlineContent": line})


def offer_copies(value):
    """Gives every block of code a button that copies it."""
    if isinstance(value, list):
        for part in value:
            offer_copies(part)
    elif isinstance(value, dict):
        if value.get("type") == "codeListing":
            value["copyToClipboard"] = True
        for part in value.values():
            offer_copies(part)


def leave_out_usual(page):
    """Leaves out the protocols that nearly every type conforms to."""
    references = page["references"]
    sections = page.get("relationshipsSections", [])
    for section in sections:
        section["identifiers"] = [
            name for name in section["identifiers"] if references.get(name, {}).get("title") not in USUAL]
    page["relationshipsSections"] = [section for section in sections if section["identifiers"]]


def leave_out_missing(page, addresses):
    """Drops the steps of a breadcrumb that have no page: types of other modules, which Fanout extends."""
    references = page["references"]
    for path in page.get("hierarchy", {}).get("paths", []):
        path[:] = [name for name in path if references.get(name, {}).get("url", "").lower() in addresses]


def broken_links(address, page, addresses):
    """The links of a page that lead nowhere; docc also keeps addresses that no link of the page has."""
    shown = json.dumps({part: page[part] for part in page if part != "references"})
    for name, reference in page["references"].items():
        url = reference.get("url", "").partition("#")[0].lower()
        if reference.get("type") == "topic" and url not in addresses and json.dumps(name) in shown:
            yield f"{address}: a link leads to {url}, which is no page"
        if reference.get("type") in ("topic", "section") and not name.startswith(BUNDLE):
            yield f"{address}: {name} is of another bundle, so docc makes no link of it"


def lead_to_picture(page, base):
    """Gives links to the picture to play with the address that it has on the site."""
    for reference in page["references"].values():
        if "/play.html#" in reference.get("url", "") and reference["type"] == "link":
            reference["url"] = f"{base}/play.html#{reference['url'].partition('#')[2]}"


def prepare_pages(site, base):
    """Does all of this to each page; returns the links that lead nowhere."""
    listed = list(pages(site))
    addresses = {address for _, address, _ in listed}
    broken = []
    for path, address, page in listed:
        put_first(page)
        if address != CONTRIBUTORS:
            add_contents(address, page)
        leave_out_usual(page)
        leave_out_missing(page, addresses)
        lead_to_picture(page, base)
        offer_copies(page.get("primaryContentSections", []))
        broken += broken_links(address, page, addresses)
        write(path, page)
    return broken
