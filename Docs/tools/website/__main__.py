"""The steps of Docs/tools/build-docs before and after docc, which makes a site of its output.

    website sort FROM TO MODULE …    sorts the compiler's symbol graphs by module
    website finish SITE [BASE]       links the rules, prepares the pages, and adds the entrance and the search
"""

import pathlib
import sys

sys.dont_write_bytecode = True

from entrance import add_entrance, leave_light  # noqa: E402
from graphs import sort_graphs  # noqa: E402
from reading import prepare_pages, shorten_titles  # noqa: E402
from rules import link_rules  # noqa: E402
from search import write_index  # noqa: E402


def main():
    match sys.argv[1:]:
        case ["sort", source, target, *modules]:
            sort_graphs(pathlib.Path(source), pathlib.Path(target), modules)
        case ["finish", site, *base] if len(base) < 2:
            site, base = pathlib.Path(site), base[0].strip("/") if base else ""
            base = f"/{base}" if base else ""
            entries = write_index(site)
            links = link_rules(site)
            shorten_titles(site)
            if broken := prepare_pages(site, base):
                raise SystemExit("\n".join(broken) + f"\nbuild-docs: {len(broken)} links lead nowhere")
            leave_light(site)
            pages = add_entrance(site, base)
            print(f"build-docs: {pages} pages, {entries} entries to search, {links} links to rules and threads")
        case _:
            print(__doc__)
            return 64
    return 0


if __name__ == "__main__":
    sys.exit(main())
