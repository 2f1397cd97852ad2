"""What a log says of the first failure in it: the test, the seed, the first difference."""

import re

# What a report of a sanitizer says of a place: `#1 function /path/Sources/Module/File.swift:12:3`.
FRAME = re.compile(r"#\d+ .*?((?:Sources|Tests|Fuzz|Benchmarks|Bridge)/[^\s:]+\.swift:\d+)")
ISSUE = re.compile(r'✘ Test (?:case passing .*? to )?(.+?) recorded an issue(?: with .+?)? at (\S+?:\d+):\d+: (.*)')
STARTED = re.compile(r'◇ Test (?!run)(?:case .*? to )?(.+?) started\.')
ENDED = re.compile(r'[✔✘] Test (?!run)(?:case .*? to )?(.+?) (?:passed|failed) after')
SEED = re.compile(r'FANOUT_SEED=\d+|FANOUT_SCHEDULE="[^"]*"|\b[Ss]eed:? \d+')
# In the order in which they are looked for; the groups of the first that matches are what it says.
OTHERS = (
    re.compile(r"^(?:\S*/)?((?:\w+/)*[\w+]+\.swift:\d+(?::\d+)?: error: .*)"),
    re.compile(r"(Fatal error: .*)"),
    re.compile(r"((?:Exited with|exited with) (?:unexpected )?signal .*)"),
    re.compile(r"(.*\berror: .*)"),
)
LONGEST = 400


def first_failure(lines):
    """One line for the first failure in the lines of a log, or the log's last line."""
    lines = [line.rstrip() for line in lines]
    text = report(lines) or issue(lines) or other(lines)
    if text is None:
        text = next((line for line in reversed(lines) if line.strip()), "no output")
    return text[:LONGEST]


def issue(lines):
    """The first issue that Swift Testing recorded: test, place, difference, and what repeats it."""
    for index, line in enumerate(lines):
        if found := ISSUE.search(line):
            test, place, text = found.groups()
            more = []
            for following in lines[index + 1:]:
                if not following.strip() or following[0] in "◇✔✘➜━":
                    break
                more.append(following.strip(" ↳"))
            everything = " ".join([text, *more])
            again = SEED.search(everything)
            shown = " ".join([text, *more[:2]])
            repeats = f" [{again[0]}]" if again and again[0] not in shown[:LONGEST // 2] else ""
            return f"{test} at {place}: {shown[:LONGEST // 2]}{repeats}"
    return None


def report(lines):
    """The first report of a sanitizer: its kind, and the first places of this package in it."""
    for index, line in enumerate(lines):
        found = re.search(r"WARNING: ThreadSanitizer: ([^(]+)", line) \
            or re.search(r"ERROR: AddressSanitizer: (\S+)", line) \
            or re.search(r"((?:Direct|Indirect) leak of .*?) allocated from", line)
        if found:
            places = (FRAME.search(text) for text in lines[index:index + 60])
            places = list(dict.fromkeys(place[1] for place in places if place))[:3]
            running = unfinished(lines[:index])
            return f"{found[1].strip()}: {', '.join(places) or 'no place of this package'}{running}"
    return None


def other(lines):
    """What a compiler, a trap or a script says."""
    for pattern in OTHERS:
        for index, line in enumerate(lines):
            if found := pattern.search(line):
                return found[1].strip() + unfinished(lines[:index])
    return None


def unfinished(lines):
    """The tests that had begun and not ended where the lines end: a trap or a report was in one of them."""
    running = {}
    for line in lines:
        if found := STARTED.search(line):
            running[found[1]] = True
        elif found := ENDED.search(line):
            running.pop(found[1], None)
    names = list(running)[-2:]
    return f" (during {', '.join(names)})" if names else ""
