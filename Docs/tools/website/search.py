"""The index of the site's search: each guide with its sections, and each symbol of each module."""

import re
from itertools import takewhile

from archive import FIRST, FOR_CONTRIBUTORS, pages, plain, sections, write

# A guide stands before the rule that it rests on.
LAW = "thecontract"
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|\d+")
COMMON = set("""a all also an and are as at be been but by can do does each for from has have if in into is it its no
    not of on one or so that the their them then there they this to was what when which who will with you your"""
             .split())
# What has to be found: needs, and names of all modules and of what they add to the types of others.
WANTED = ("timer", "poll", "socket", "delegate", "TestScheduler", "noLeaks", "dataTaskPublisher", "record(demand:",
          "trackLifetime(of:", "OwnershipGraph", "publish(every:", "publisher(for:object:)", "labeled(_:)")
# Headings that say nothing: what stands below them belongs to the guide, or to others.
GENERAL, ELSEWHERE = ("Overview", "How to read it"), ("See also",)


def words_of(text):
    """The words of a text, each once."""
    found = dict.fromkeys(word.lower() for word in WORD.findall(text))
    return " ".join(word for word in found if word not in COMMON)


def summary_of(text):
    text = " ".join(text.split())
    if len(text) <= 130:
        return text
    return text[:130].rpartition(" ")[0] + " …"


def code_of(blocks):
    """The listings of a section: what they call can be searched for, too."""
    found = []
    for block in blocks:
        if block.get("type") == "codeListing":
            found += block["code"]
        for inner in ("content", "items", "tabs"):
            if isinstance(block.get(inner), list):
                found.append(code_of(block[inner]))
    return "\n".join(found)


def guide_entries(address, page):
    """One entry for each section: title, address, kind, where, summary, words."""
    title = page["metadata"]["title"]
    abstract = plain(page.get("abstract", []), page["references"])
    first, *others = sections(page)
    for _, heading, blocks in others:
        if heading in GENERAL:
            first[2].extend(blocks)
    for anchor, heading, blocks in (first, *others):
        if heading in (*GENERAL, *ELSEWHERE):
            continue
        text = plain(blocks, page["references"])
        words = words_of(f"{abstract if blocks is first[2] else ''} {text} {code_of(blocks)}")
        kind = "rule" if address.endswith(LAW) else "section"
        place = (address + f"#{anchor}", kind, title) if anchor else (address, "guide", "")
        # A table without its lines says nothing.
        lead = plain(list(takewhile(lambda block: block["type"] != "table", blocks)), page["references"]).strip()
        yield [heading, *place, summary_of(lead if anchor else abstract), words]


def symbol_entry(address, page):
    metadata = page["metadata"]
    kind = metadata.get("roleHeading", "").lower()
    path = page["hierarchy"]["paths"][0] if page["hierarchy"]["paths"] else []
    above = [part.rpartition("/")[2] for part in path[1:]]
    module = metadata["modules"][0]["name"]
    if metadata.get("role") == "collection":
        kind, module = ("module", "") if metadata["symbolKind"] == "module" else ("extension", module)
    where = ".".join(above) + (f" · {module}" if above else module)
    summary = summary_of(plain(page.get("abstract", []), page["references"]))
    return [metadata["title"], address, kind, where, summary, ""]


def complain_of_missing(entries):
    """Fails if a word that readers look for leads nowhere: then the index lacks pages, or parts of them."""
    texts = [" ".join((title, summary, words)).lower() for title, _, _, _, summary, words in entries]
    for word in WANTED:
        if not any(word.lower() in text for text in texts):
            raise SystemExit(f"build-docs: the search does not find {word}")


def write_index(site):
    """Writes it; returns the number of its entries."""
    listed = [(address, page) for _, address, page in pages(site) if address not in FOR_CONTRIBUTORS]
    # What a type gets from an extension stands with the requirement.
    given = {page["references"][name]["url"] for _, page in listed
             for section in page.get("defaultImplementationsSections", ()) for name in section["identifiers"]
             if name in page["references"]}
    entries = []
    for address, page in listed:
        if page["kind"] == "article" and page["metadata"].get("role") == "article":
            entries += guide_entries(address, page)
        elif address == FIRST:
            entries += [*guide_entries(address, page), symbol_entry(address, page)]
        elif page["kind"] == "symbol" and address not in given:
            entries.append(symbol_entry(address, page))
    entries.append(["A share to play with", "/play.html", "guide", "", "Send, join, leave and fail, and see who gets what.",
                    "playground simulator try interactive picture marble diagram"])
    complain_of_missing(entries)
    (site / "search").mkdir(exist_ok=True)
    write(site / "search" / "index.json", entries)
    return len(entries)
