"""The gates: what each one decides, the builds that it needs, and how it runs."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import sys
import tempfile
import typing

from checks import commands, crossings, diagnostics, house as figures, readmes
from checks.builds import ADDRESS_SANITIZER, BUILDS, THREAD_SANITIZER, WITHOUT_SYMBOLS, explored_suites
from checks.commands import ROOT, Failure, run
from checks.left_out import OF_ONE_THREAD, suites_with_threads

LINTED = (
    "Package.swift", "Sources", "Tests", "Fuzz/Package.swift", "Fuzz/Sources", "Benchmarks/Package.swift",
    "Benchmarks/Sources", "Benchmarks/Benchmarks", "Benchmarks/Plugins", "Bridge/Package.swift",
    "Bridge/Sources/AsyncExamples", "Bridge/Tests", "Examples/LiveBoard/Package.swift", "Examples/LiveBoard/Sources",
    "Examples/LiveBoard/Tests",
)
# A sanitizer needs to see code once, so a few programs, and a few rounds of a race, are enough here.
FEW = {"FANOUT_PROGRAMS": "10", "FANOUT_ROUNDS": "20"}


@dataclasses.dataclass(frozen=True)
class Gate:
    """A check that passes or fails."""

    name: str
    decides: str
    run: typing.Callable[[], None]
    builds: tuple[str, ...] = ()
    is_quick: bool = False


def run_tests(build, *options, variables=None):
    """Runs a build's tests, as many at a time as there are cores, so that no test waits for a thread."""
    program = BUILDS[build].tests
    width = ("--experimental-maximum-parallelization-width", os.cpu_count())
    command = [program, "--testing-library", "swift-testing", *width, *options]
    # Before the gate's own time is over, so that what it has printed is not lost.
    status, text = commands.output_of(*command, variables=variables, seconds=commands.PATIENCE - 60)
    if status or not re.search(r"Test run with [1-9]\d* tests? .*passed", text):
        print(text)
        raise Failure(f"exit status {status}")
    print(re.findall(r"Test run with .*", text)[-1])


def tests():
    readmes.play("tests")


def release():
    run_tests("release")


def thread():
    variables = THREAD_SANITIZER | FEW
    suites = "|".join(dict.fromkeys(suites_with_threads()))
    # A URLSession has threads of its own, without instrumentation: what is reported there is Foundation's.
    run_tests(
        "thread", "--filter", rf"\.({suites})/", "--skip", OF_ONE_THREAD, "--skip",
        r"\.DataTaskPublisherTests/", variables=variables)
    # Without a library's name it runs the tests of XCTest.
    run(BUILDS["thread"].tests, variables=variables)


def address():
    """The tests of XCTest do not run here: its runner leaks a suite of its own at exit."""
    leaks_on_purpose = r"\.(UserSubjectTests|UserCacheTests)/"
    run_tests(
        "address", "--skip", OF_ONE_THREAD, "--skip", leaks_on_purpose,
        variables=ADDRESS_SANITIZER | FEW)


def interleavings():
    program, suites = BUILDS["interleavings"].tests, explored_suites()

    def explore(suite):
        status, text = commands.output_of(
            program, "--testing-library", "swift-testing", "--filter", rf"^ExplorationTests\.{suite}/")
        return status == 0 and "Test run with 0" not in text, text

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(explore, suites))
    counts = [int(count) for _, text in results for count in re.findall(r": (\d+) schedules", text)]
    print(f"{len(suites)} suites, {len(counts)} scenarios, {sum(counts)} schedules")
    failed = [text for passes, text in results if not passes]
    if failed:
        print("\n".join(failed))
        raise Failure(f"{len(failed)} suites fail")


def lines_too_long():
    """Lines over 120 columns, which the formatter leaves in comments and strings. No row of a table and no picture
    can be broken, nor what a program prints.
    """
    cannot_break = re.compile(r" */// *(\||!\[|// )")
    for name in LINTED:
        path = ROOT / name
        for source in sorted(path.rglob("*.swift")) if path.is_dir() else [path]:
            for number, line in enumerate(source.read_text().splitlines(), 1):
                if len(line) > 120 and not cannot_break.match(line):
                    yield f"{source.relative_to(ROOT)}:{number}: error: the line has {len(line)} columns, at most 120"


def formatting():
    run("swift", "format", "lint", "--strict", "-r", *LINTED)
    if found := list(lines_too_long()):
        print("\n".join(found))
        raise Failure(f"{len(found)} lines are too long")
    run("Docs/tools/write-arities", "--check")


def house():
    if found := list(figures.complaints()):
        print("\n".join(f"error: {complaint}" for complaint in found))
        raise Failure(f"{len(found)} figures are not those of .ci/house.json")


def relay():
    commands.require("ffmpeg", "ffmpeg")
    readmes.play("relay")
    run("swift", "run", "relay", "--slow-viewer", "--verify")


def documentation():
    for tool in ("draw-modules", "draw-marbles", "draw-performance"):
        run(f"Docs/tools/{tool}", "--check")
    run("Docs/tools/check-links")
    readmes.check(GATES)
    readmes.play("documentation")
    commands.require("node", "nodejs")
    run("Docs/tools/check-search")


def play():
    commands.require("node", "nodejs")
    run("Docs/tools/check-play")


def guides():
    readmes.play("guides")
    run(sys.executable, "-m", "doctest", ".ci/checks/failures.py")


def rules():
    run("Docs/tools/rule-index", "--check")


def compile_module(module, sources, *options, imports):
    """Compiles a module as the package does, with modules from a folder; returns what the compiler says."""
    manifest = (ROOT / ".build/debug.yaml").read_text()
    name = re.search(r'"-package-name","([^"]*)"', manifest)[1]
    features = ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
    status, text = commands.output_of(
        "swiftc", "-wmo", "-module-name", module, "-package-name", name, "-swift-version", "6", "-I", imports, *options,
        *(word for feature in features for word in ("-enable-upcoming-feature", feature)), *sources)
    if status:
        print(text)
        raise Failure(f"{module} does not compile")
    return text


def typecheck(module, sources, *options):
    """Type-checks a module with the modules of the tests' build; returns what the compiler says."""
    return compile_module(module, sources, "-typecheck", *options, imports=ROOT / ".build/debug/Modules")


def evolution():
    """Each library compiles as a part of a binary framework, and clients can read its interface."""
    libraries = (
        "FanoutEngine", "FanoutCore", "FanoutOperators", "Fanout", "FanoutFoundation", "FanoutLifetime",
        "FanoutTestSupport", "FanoutContract")
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            module = pathlib.Path(folder, library)
            options = ["-enable-library-evolution", "-emit-module", "-emit-module-path", f"{module}.swiftmodule"]
            # The compiler cannot read an interface that names a type of XCTest, where a class has the module's name.
            if library != "FanoutTestSupport":
                options += ["-emit-module-interface-path", f"{module}.swiftinterface"]
            compile_module(library, sorted((ROOT / "Sources" / library).rglob("*.swift")), *options, imports=folder)
    print(f"{len(libraries)} libraries")


def declarations():
    """Every declaration that users can see says whether it is Sendable; what brings a value to another thread asks for
    it; clients that are not sound draw a diagnostic; what only soak builds compiles."""
    unsaid = "does not specify whether it is 'Sendable'"
    libraries = sorted(path.name for path in (ROOT / "Sources").glob("Fanout*"))

    def complaints(module):
        sources = sorted((ROOT / "Sources" / module).rglob("*.swift"))
        said = typecheck(module, sources, "-Xfrontend", "-require-explicit-sendable")
        # Some of their subclasses are Sendable, so these three classes cannot say it.
        return [line for line in said.splitlines()
                if unsaid in line and not re.search("class '(ChainNode|SubscribedNode|NoLeaksTestCase)'", line)
                and is_public(line)]

    def is_public(complaint):
        place = re.match(r"(/[^:]+):(\d+):", complaint)
        return place and "public" in pathlib.Path(place[1]).read_text(encoding="utf-8").splitlines()[int(place[2]) - 1]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [line for lines in pool.map(complaints, libraries) for line in lines]
    if found:
        print("\n".join(f"error: {line}" for line in found))
        raise Failure("a declaration does not say whether it is Sendable")
    diagnostics.check()
    crossings.check()
    for fuzzer in ("FuzzPrograms", "FuzzOperators"):
        sources = sorted((ROOT / "Fuzz/Sources" / fuzzer).rglob("*.swift"))
        typecheck(fuzzer, sources, "-parse-as-library", "-warnings-as-errors")


def dependent():
    run(".ci/dependent-package")


def bridge():
    run("swift", "test", "--package-path", "Bridge", *WITHOUT_SYMBOLS)


def liveboard():
    commands.require("redis-server", "redis-server")
    readmes.play("liveboard", "Examples/LiveBoard")


def allocations():
    run("Benchmarks/tools/allocation-counts", "--check")


def instructions():
    commands.require("valgrind", "valgrind")
    commands.require("strip", "binutils")
    run("Benchmarks/tools/instruction-counts", "--check")
    # Without the libraries beside which nothing is measured here.
    readmes.play("instructions", variables={"FANOUT_BENCHMARKS_COUNTED": "1"})


def clients():
    commands.require("size", "binutils")
    run("Benchmarks/tools/client-cost", "--check")


# In the order in which they run; those that need a build of their own come when it is likely made.
GATES = {gate.name: gate for gate in (
    Gate("tests", "every test passes, in a debug build", tests, ("debug",), is_quick=True),
    Gate("format", "the sources are formatted; generated ones are up to date", formatting, is_quick=True),
    Gate("house", "no figure of the house is above its limit, and what was won is held", house, is_quick=True),
    Gate("declarations", "public types say whether they are Sendable; races of clients draw warnings; the fuzzers compile", declarations,
         ("debug",), is_quick=True),
    Gate("evolution", "the libraries compile with library evolution, for binary frameworks", evolution, ("debug",),
         is_quick=True),
    Gate("relay", "the example shows real video, and its output decodes", relay, ("debug",), is_quick=True),
    Gate("documentation", "links and pictures are up to date; READMEs say which gate runs them; DocC has no warning; the search finds what people ask for", documentation,
         ("debug",), is_quick=True),
    Gate("play", "the picture to play with shows what the library does, event by event", play, ("debug",), is_quick=True),
    Gate("guides", "every example compiles, and prints what it says", guides, ("debug",), is_quick=True),
    Gate("thread", "Thread Sanitizer has no report; no warning", thread, ("thread",)),
    Gate("address", "Address Sanitizer has no report, and nothing leaks", address, ("address",)),
    Gate("release", "tests of threads, depth and the contract pass in a release build", release,
         ("release",)),
    Gate("interleavings", "a few threads in every order with at most two forced switches, or one and some with two", interleavings,
         ("interleavings",)),
    Gate("rules", "every rule of the contract has a test", rules, is_quick=True),
    Gate("dependent", "a package that depends on this one builds and runs, in Swift 5 and 6", dependent),
    Gate("bridge", "the bridge and the examples pass with OpenCombine and swift-async-algorithms", bridge,
         ("bridge",)),
    Gate("liveboard", "the example LiveBoard passes its tests, with Redis too, and runs as its README says", liveboard, ("liveboard",)),
    Gate("allocations", "no workload allocates or retains more", allocations, ("benchmarks",)),
    Gate("clients", "no client has over 2 % more code than committed, or functions that Docs/hot.md does not list", clients, ("benchmarks",)),
    Gate("instructions", "no delivery takes over 3 % more instructions, a locked one more in four, or a look-up of metadata more in twenty", instructions, ("benchmarks",)),
)}
