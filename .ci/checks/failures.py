"""What a log says of the first failure in it: the test, the seed, the first difference."""

import re

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
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
    """One line for the first failure in the lines of a log, or the log's last line.

    >>> print(first_failure([
    ...     '✘ Test "D2: two" recorded an issue with 1 argument n → 2 at A.swift:8:64: Expectation failed: (n → 2) == 1',
    ...     "↳ a subscriber, FANOUT_SEED=5", '✘ Test "D2: two" failed after 0.1 seconds with 1 issue.']))
    "D2: two" at A.swift:8: Expectation failed: (n → 2) == 1 a subscriber, FANOUT_SEED=5
    >>> print(first_failure([
    ...     '✘ Test "Q1: ends" recorded an issue at B.swift:9:4: Caught error: the program goes wrong in step 3:',
    ...     "expected [1]", "actual [2]", "", "As a test:"]))
    "Q1: ends" at B.swift:9: Caught error: the program goes wrong in step 3: expected [1] actual [2]
    >>> print(first_failure([
    ...     "◇ Test races() started.", "◇ Test calm() started.", "✔ Test calm() passed after 0.1 seconds.",
    ...     "WARNING: ThreadSanitizer: Swift access race (pid=1)", "  Write of size 8 by thread T2:",
    ...     "    #0 add /home/me/Sources/Lib/Lib.swift (tests+0x1)",
    ...     "    #1 test /home/me/Tests/LibTests/A.swift:12:5 (tests+0x2)"]))
    Swift access race: Tests/LibTests/A.swift:12 (during races())
    >>> print(first_failure([
    ...     "Direct leak of 24 byte(s) in 1 object(s) allocated from:", "    #0 0x1 in malloc (tests+0x1)",
    ...     "    #1 0x2 in make /home/me/Tests/LibTests/A.swift:11:9 (tests+0x2)"]))
    Direct leak of 24 byte(s) in 1 object(s): Tests/LibTests/A.swift:11
    >>> print(first_failure(["◇ Test deep() started.", "Fatal error: Index out of range"]))
    Fatal error: Index out of range (during deep())
    >>> print(first_failure(["/home/me/A.swift:14: error: T.testX : XCTAssertEqual failed: 1 is not 2"]))
    A.swift:14: error: T.testX : XCTAssertEqual failed: 1 is not 2
    >>> print(first_failure(["132 workloads", "subject-1 9.00 to 10.00 worse", ""]))
    subject-1 9.00 to 10.00 worse
    """
    lines = [COLOUR.sub("", line).rstrip() for line in lines]
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
