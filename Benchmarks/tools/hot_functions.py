"""The functions of Fanout that are generated in a client, by name; Docs/hot.md, the page that lists them; and the
toolchain that makes them.
"""

import collections
import pathlib
import platform
import re
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "hot.md"
# A block of the page has a line for each type: `Type: function, function`.
BLOCK = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.M | re.S)
# How a symbol begins that one of Fanout's modules declares, in a type of its own or of the standard library.
OF_FANOUT = re.compile(r"\$s(S[A-Za-z]|s\d+[A-Za-z_]+?[CVOP])?\d+Fanout")
# What stands in front of a function's name, and says only in which form it is generated.
FORM = re.compile(
    r"(specialized|merged|static|partial apply for|(implicit )?closure #\d+ in|default argument \d+ of"
    r"|\(\d+\) (await|suspend) resume partial function for) ")
WITNESS = re.compile(r"protocol witness for (?:static )?\w+\.(.+) in conformance ([\w.]+).*")


def made_with():
    """What generated code depends on besides the sources: the compiler, and the kind of processor."""
    swift = subprocess.run(
        ["swift", "--version"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return f"{swift.splitlines()[0].strip()}, {platform.machine()}"


def demangled(text, *options):
    return subprocess.run(
        ["swift", "demangle", *options], input=text, check=True, stdout=subprocess.PIPE, text=True).stdout


def symbols(made):
    """The functions of an object file, as pairs of the mangled name and the bytes."""
    listing = subprocess.run(
        ["nm", "--defined-only", "--print-size", made], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = (line.split() for line in listing.splitlines())
    return [(row[3], int(row[1], 16)) for row in rows if len(row) == 4 and row[2] in "tTwW"]


def name_of(symbol, text):
    """The name of a function of Fanout, such as `Hub.send(_:from:)`; None for what is no function of it.

    A closure has the name of the function in which it stands. Copies and releases of values, and thunks between forms of a
    closure, are none: they follow from the types.
    """
    if not OF_FANOUT.match(symbol):
        return None
    while match := FORM.match(text):
        text = text[match.end():]
    text = re.sub(r"<[^<>]*>", "", WITNESS.sub(r"\2.\1", text))
    text = text.replace(".__allocating_init", ".init").replace(".__deallocating_", ".")
    return None if " " in text else text


def generated(made):
    """The bytes of each function in an object file: those of Fanout by name, others as the demangler has them."""
    found = symbols(made)
    texts = demangled("\n".join(symbol for symbol, _ in found), "--simplified").splitlines()
    ours, others = collections.Counter(), collections.Counter()
    for (symbol, size), text in zip(found, texts, strict=True):
        name = name_of(symbol, text)
        (ours if name else others)[name or text] += size
    return ours, others


def split(name):
    """The type of a function, and the rest."""
    owner, _, function = name.partition("(")[0].rpartition(".")
    return owner or "no type", name[len(owner) + 1:] if owner else name


def read_block(block):
    return [(owner, function) for line in block.splitlines() if line
            for owner, _, functions in [line.partition(": ")] for function in functions.split(", ")]


def check_page(names):
    """Says of each name that the page lacks, and of each that it has and that no client generates."""
    listed = [pair for block in BLOCK.findall(PAGE.read_text()) for pair in read_block(block)]
    found = set(map(split, names))
    return [f"{owner}.{function} is generated in a client, and {PAGE.name} does not list it"
            for owner, function in sorted(found - set(listed))] + [
        f"{PAGE.name} lists {owner}.{function}, and no client has it"
        for owner, function in sorted(set(listed) - found)] + [
        f"{PAGE.name} lists {owner}.{function} {times} times"
        for (owner, function), times in collections.Counter(listed).items() if times > 1]


def kinship(owner, block):
    """How many functions of a block are of a type, or of the type in which that lies."""
    return sum(owner.split(".")[0] == other.split(".")[0] for other, _ in block)


def write_page(names):
    """Writes the lists of the page anew, and nothing else of it.

    A function stays in the block in which it is. A new one goes to the block with most functions of its type, or else to
    the last.
    """
    text = PAGE.read_text()
    found = set(map(split, names))
    blocks = [set(read_block(block)) & found for block in BLOCK.findall(text)]
    for owner, function in sorted(found.difference(*blocks)):
        print(f"new: {owner}.{function}")
        max(reversed(blocks), key=lambda block: kinship(owner, block)).add((owner, function))
    rest = iter(blocks)

    def lines(_):
        functions = collections.defaultdict(list)
        for owner, function in sorted(next(rest)):
            functions[owner].append(function)
        return "".join(f"{owner}: {', '.join(those)}\n" for owner, those in functions.items())

    PAGE.write_text(BLOCK.sub(lines, text))
