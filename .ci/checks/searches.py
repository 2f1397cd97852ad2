"""What is searched at random, for as long as there is time: each search prints what finds a failure again."""

import dataclasses
import hashlib
import random
import re
import time
import typing

from checks import commands
from checks.builds import (
    ADDRESS_SANITIZER, BUILDS, OPTIMISED, SANITIZED, THREAD_SANITIZER, Build, explored_suites)
from checks.commands import ROOT

# The builds of the gates leave out tests that a search does not.
BUILDS |= {
    "all-release": Build(("--build-tests", *OPTIMISED), scratch=".build-all-release"),
    "all-thread": Build(
        ("--build-tests", "--sanitize=thread", *SANITIZED), scratch=".build-all-tsan"),
    "all-address": Build(
        ("--build-tests", "--sanitize=address", *SANITIZED), scratch=".build-all-asan"),
    "comparisons": Build(("-c", "release"), package="Benchmarks"),
}
RANDOM_PROGRAMS = (
    r"\.(ShippedTests|RandomProgramTests|OracleTests|MergeOracleTests|ModelTests|RandomTermsTests"
    r"|B1ProgramsTests|StateModelTests)/")
# One program of these plays five replays, each of them with several doors.
LOOP_PROGRAMS = r"\.Loop(Conflation|Model|Rejoin|Wait)Tests/"
# Their tasks run where a test says so, which needs the explorer's build.
EXPLORED_PROGRAMS = r"\.HistoryModelTests/"
RACES = r"(RaceTests|LooksBesideThreadsTests)/"


@dataclasses.dataclass
class Result:
    """What a search has done: a text for the record, and what it has found."""

    searched: str
    findings: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Search:
    """A search: its name, what it does, the build that it needs, and its share of the time."""

    name: str
    does: str
    build: str
    run: typing.Callable[[float], Result]
    share: int


def attempt(build, options, variables, deadline):
    """Runs a build's tests once; returns what they printed, and whether they failed or had to be stopped."""
    program = BUILDS[build].tests
    command = [program, "--testing-library", "swift-testing", *options]
    print(f"$ {commands.shown(command, variables)}", flush=True)
    status, text = commands.output_of(
        *command, variables=variables, seconds=max(1, deadline - time.monotonic()))
    return text, None if status is None else status == 0


def finding(text, build, options, variables):
    """The failures in a log, with the command that runs the test again."""
    command = [BUILDS[build].tests, "--testing-library", "swift-testing", *options]
    told = "\n".join(line for line in text.splitlines() if not re.match("[◇✔➜━] ", line))
    return f"{told}\nTo see it again:\n    {commands.shown(command, variables)}"


def repeat(build, what, options, variables_of_turn):
    """Makes a search that runs tests again and again, with other variables each time."""

    def run(seconds):
        deadline, turns, findings = time.monotonic() + seconds, 0, []
        while time.monotonic() < deadline:
            variables = variables_of_turn()
            text, passes = attempt(build, options, variables, deadline)
            if passes is None:
                break
            turns += 1
            if not passes:
                findings.append(finding(text, build, options, variables))
        return Result(f"{turns} times {what}", findings)

    return run


def random_seeds(programs=20_000):
    first = random.SystemRandom().randrange(1, 1 << 40)
    return {"FANOUT_SEED": str(first), "FANOUT_PROGRAMS": str(programs)}


def many_rounds():
    return {"FANOUT_ROUNDS": "300"}


def fuzz(program, corpus, length):
    """Makes a search that lets a fuzzer run. An input that fails goes to the corpus, which CI plays."""

    def run(seconds):
        folder, deadline = ROOT / "Fuzz", time.monotonic() + seconds
        found_inputs = folder / ".build" / f"found-{program}"
        found_inputs.mkdir(parents=True, exist_ok=True)
        executed, findings = 0, []
        while (rest := deadline - time.monotonic()) > 5:
            status, text = commands.output_of(
                f".build/release/{program}", f"-max_total_time={rest:.0f}", f"-max_len={length}",
                "-print_final_stats=1", "-artifact_prefix=.build/", found_inputs, corpus, folder=folder)
            executed += sum(int(count) for count in re.findall(r"executed_units:\s*(\d+)", text))
            if status == 0:
                break
            told = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
            kept = re.search(r"Test unit written to (\S+)", text)
            if kept:
                data = (folder / kept[1]).read_bytes()
                name = hashlib.sha1(data).hexdigest()
                (folder / corpus / name).write_bytes(data)
                told += f"\nKept as Fuzz/{corpus}/{name}, which `./check tests` plays."
            findings.append(told)
        return Result(f"{executed:,} inputs of {program}", findings)

    return run


def interleavings(seconds):
    """Every order with at most three forced switches; each suite has an equal part of what time is left."""
    deadline, findings, schedules, done = time.monotonic() + seconds, [], 0, []
    suites = explored_suites()
    random.SystemRandom().shuffle(suites)
    variables = {"FANOUT_BOUND": "3"}
    for index, suite in enumerate(suites):
        options = ["--filter", rf"^ExplorationTests\.{suite}/"]
        now = time.monotonic()
        until = now + (deadline - now) / (len(suites) - index)
        text, passes = attempt("interleavings", options, variables, until)
        schedules += sum(int(count) for count in re.findall(r": (\d+) schedules", text))
        if not passes and "recorded an issue" in text:
            findings.append(finding(text, "interleavings", options, variables))
        if passes is not None:
            done.append(suite)
    return Result(
        f"{schedules:,} schedules, {len(done)} of {len(suites)} suites to their end, bound 3", findings)


def comparisons(seconds):
    """What is measured beside other libraries compiles; a program that adds up to something else says so."""
    program = BUILDS["comparisons"].products / "counted"
    names = [name for name in commands.output_of(program)[1].split() if name.startswith("operator-")]
    status, text = commands.output_of(program, *names, seconds=seconds)
    findings = [line for line in text.splitlines() if "add up to" in line]
    if status:
        findings.append(text[-2000:])
    return Result(f"{len(names)} operators beside OpenCombine", findings)


SEARCHES = (
    Search(
        "programs", "lets a fuzzer make programs of the contract", "fuzz",
        fuzz("FuzzPrograms", "Corpus", 96), 2),
    Search(
        "operators", "lets a fuzzer make chains of operators", "fuzz",
        fuzz("FuzzOperators", "CorpusOfOperators", 160), 2),
    Search(
        "interleavings", "explores every order with at most three forced switches, suite by suite",
        "interleavings", interleavings, 4),
    Search(
        "seeds", "plays 20,000 random programs of each kind, from a new seed each time", "all-release",
        repeat("all-release", "20,000 random programs of each kind", ["--filter", RANDOM_PROGRAMS],
               random_seeds), 3),
    Search(
        "loops", "plays 1,000 random programs over loops of each kind, from a new seed each time", "all-release",
        repeat("all-release", "1,000 random programs over loops", ["--filter", LOOP_PROGRAMS],
               lambda: random_seeds(1_000)), 1),
    Search(
        "histories", "plays 5,000 random programs over stores and loops, from a new seed each time",
        "interleavings",
        repeat("interleavings", "5,000 random programs over stores", ["--filter", EXPLORED_PROGRAMS],
               lambda: random_seeds(5_000)), 1),
    Search(
        "races", "repeats the races, three times as long as usual", "all-release",
        repeat("all-release", "all races, three times as long", ["--filter", RACES], many_rounds), 3),
    Search(
        "release", "runs every test in a release build", "all-release",
        repeat("all-release", "every test in release", [], dict), 1),
    Search(
        "thread", "runs every test under Thread Sanitizer", "all-thread",
        repeat("all-thread", "every test under Thread Sanitizer",
               ["--skip", r"\.(FactTests|LargeGraphTests|D15\w*Tests)/"], lambda: THREAD_SANITIZER), 4),
    Search(
        "address", "runs every test under Address Sanitizer, with leaks", "all-address",
        repeat("all-address", "every test under Address Sanitizer",
               ["--skip", r"\.(UserSubjectTests|UserCacheTests|PlantedLeakTests|PlantedFaultTests)/"],
               lambda: ADDRESS_SANITIZER), 2),
    Search(
        "comparisons", "builds what is measured beside other libraries, and compares the results",
        "comparisons", comparisons, 1),
)
