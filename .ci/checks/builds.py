"""The builds that gates need, each in a folder of its own."""

import dataclasses
import re

from checks import commands, left_out
from checks.commands import ROOT

# Reports of a sanitizer need the names of functions and lines, and nothing else of what a debugger needs.
SANITIZED = ("-Xswiftc", "-warnings-as-errors", "-Xswiftc", "-gline-tables-only")


@dataclasses.dataclass(frozen=True)
class Build:
    """A build of this package, or of a package in a folder of it."""

    arguments: tuple
    scratch: str = ".build"
    package: str = "."
    variables: dict = dataclasses.field(default_factory=dict)
    # Targets, and files or folders of one, which `./check --build` leaves out.
    leaves_out: tuple = ()
    # C headers, each with the Debian package that has it.
    headers: tuple = ()

    def make(self):
        for header, package in self.headers:
            commands.require_header(header, package)
        folder = [] if self.package == "." else ["--package-path", self.package]
        scratch = [] if self.scratch == ".build" else ["--scratch-path", self.scratch]
        leaves_out = {"FANOUT_LEFT_OUT": ":".join(self.leaves_out)} if self.leaves_out else {}
        commands.run(
            "swift", "build", *folder, *scratch, *self.arguments, variables=self.variables, hidden=leaves_out)

    @property
    def products(self):
        kind = "release" if "release" in self.arguments else "debug"
        return ROOT / self.package / self.scratch / kind

    @property
    def tests(self):
        """The program that runs the tests."""
        return self.products / "swift-fanoutPackageTests.xctest"


# Nothing reads debug information of these.
WITHOUT_SYMBOLS = ("-Xswiftc", "-gnone")
OPTIMISED = ("-c", "release", "-Xswiftc", "-enable-testing", *WITHOUT_SYMBOLS)

BUILDS = {
    "debug": Build(("--build-tests",)),
    "thread": Build(
        ("--build-tests", "--sanitize=thread", *SANITIZED), scratch=".build-tsan",
        leaves_out=left_out.THREAD),
    "release": Build(
        ("--build-tests", *OPTIMISED), scratch=".build-release", leaves_out=left_out.RELEASE),
    "address": Build(
        ("--build-tests", "--sanitize=address", *SANITIZED), scratch=".build-asan",
        leaves_out=left_out.ADDRESS),
    # Optimised, it runs the same schedules in two thirds of the time.
    "interleavings": Build(
        ("--build-tests", *OPTIMISED), scratch=".build-explorer", variables={"FANOUT_EXPLORER": "1"}),
    "bridge": Build(("--build-tests", *WITHOUT_SYMBOLS), package="Bridge"),
    "liveboard": Build(
        ("--build-tests", *WITHOUT_SYMBOLS), package="Examples/LiveBoard", headers=(("sqlite3.h", "libsqlite3-dev"),)),
    # The programs that are counted, and no library that Fanout is measured beside: soak builds those.
    "benchmarks": Build(
        ("-c", "release"), package="Benchmarks", variables={"FANOUT_BENCHMARKS_COUNTED": "1"}),
    "fuzz": Build(
        ("-c", "release", "--sanitize=fuzzer", "-Xswiftc", "-parse-as-library"), package="Fuzz"),
}

# A random program runs on one thread, so a few of them show a sanitizer all the code that they reach.
THREAD_SANITIZER = {"FANOUT_PROGRAMS": "100", "TSAN_OPTIONS": "atexit_sleep_ms=0 halt_on_error=1"}
ADDRESS_SANITIZER = {
    "FANOUT_PROGRAMS": "100",
    # Frames on a fake stack would hide from the tests how deep the real one is.
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=0",
    "LSAN_OPTIONS": f"suppressions={ROOT}/.ci/leaks-of-others.supp:print_suppressions=0",
}


def explored_suites():
    """The suites of the explorer. One thread of a process runs at a time, so each has a process of its own."""
    sources = (path.read_text() for path in (ROOT / "Tests/ExplorationTests").rglob("*.swift"))
    return sorted(suite for text in sources for suite in re.findall(r"^[^/\n]*\bstruct (\w+Tests)\b", text, re.M))
