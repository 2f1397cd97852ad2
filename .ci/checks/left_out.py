"""What the builds of the checks that cost the most leave out: targets, and files or folders of test targets."""

import collections
import re

from checks.commands import ROOT

# These run on one thread and take minutes under a sanitizer.
OF_ONE_THREAD = r"\.(LargeGraphTests|PlantedFaultTests|D15\w*Tests)/|`D15"
SUITE = re.compile(r"^[^/\n]*\b(?:struct|class|actor) (\w+Tests)\b", re.M)
THREADS_OR_TASKS = re.compile(
    r"\b(race|together|concurrentPerform|startThread|finishes|TestThread|Thread|AsyncGate|with\w*TaskGroup)\b *[({]"
    r"|\bTask(\.detached)? ?\{|\basync\b|DispatchQueue|OperationQueue|RunLoop|URLSession")
# What other files of a target may use.
SHARED = re.compile(
    r"^(?!private|fileprivate)(?:[a-z@()]+ )*(?:struct|class|actor|enum|protocol|extension|typealias|func|let|var) +"
    r"(\w+)", re.M)

NO_TESTS_OF_CODE = (
    "Exploration", "ExplorationTests", "FanoutCombine", "RelayTests", "SampleApp", "SampleAppTests",
    "Swift5ClientTests", "relay", "MainActorClientTests", "CallerIsolationClientTests", "ConformanceClientTests",
    "TermsModel", "TermsModelTests")
MODELS_OF_OPERATORS = ("OperatorModel", "OperatorModelTests")


def suites_with_threads():
    """The suites whose sources start threads or tasks, and those of races, which may have others start them."""
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        parts = SUITE.split(path.read_text())
        for name, body in zip(parts[1::2], parts[2::2]):
            if name.endswith("RaceTests") or THREADS_OR_TASKS.search(body):
                yield name


def files_of_one_thread():
    """The files of tests that have nothing but suites of one thread, which no other file mentions."""
    with_threads = set(suites_with_threads())
    skipped = re.compile(OF_ONE_THREAD)
    texts = {path: path.read_text() for path in sorted((ROOT / "Tests").glob("Fanout*Tests/**/*.swift"))}
    mentioned = collections.Counter(name for text in texts.values() for name in set(re.findall(r"\w+Tests\b", text)))

    def runs_here(name):
        is_alone = name.endswith("Tests") and mentioned[name] == 1
        return not is_alone or name in with_threads and not skipped.search(f".{name}/")

    for path, text in texts.items():
        shared = SHARED.findall(text)
        if shared and not any(map(runs_here, shared)):
            yield str(path.relative_to(ROOT / "Tests"))


def inside(target, *paths):
    return [f"{target}/{path}" for path in paths]


# Thread Sanitizer could say nothing of what runs on one thread.
THREAD = (
    *NO_TESTS_OF_CODE, *MODELS_OF_OPERATORS, *files_of_one_thread(),
    *inside("FanoutCoreTests", "Operators/Oracle", "Operators/Specialized", "Values"),
    *inside("FanoutLifetimeTests", "MemoryLayout", "Ownership"),
    *inside(
        "FanoutOperatorsTests", "Combining/CombiningEdgeTests.swift", "Combining/CombiningTests.swift", "Marbles",
        "Merging/MergeOracleTests.swift", "Timing/CollectByTimeTests.swift", "Timing/DebounceTests.swift",
        "Timing/DelayTests.swift", "Timing/MeasureIntervalTests.swift", "Timing/ThrottleTests.swift",
        "Timing/TimedEdgeTests.swift", "Timing/TimedModelTests.swift", "Timing/TimeoutTests.swift"),
    *inside("FanoutTestSupportTests", "Marbles"),
    *inside("FanoutTests", "Custom", "Misuse"),
)
# Address Sanitizer could say nothing of code that runs on one thread and holds no object.
ADDRESS = (
    *NO_TESTS_OF_CODE, *MODELS_OF_OPERATORS,
    *inside("FanoutCoreTests", "Erasure", "Operators", "Publishers", "Subscribers", "Values"),
    *inside("FanoutEngineTests", "Model/EventTableTests.swift"),
    *inside("FanoutFoundationTests", "Coding"),
    *inside("FanoutLifetimeTests", "Ownership"),
    *inside(
        "FanoutOperatorsTests", "Callbacks", "Combining", "Marbles", "Merging", "Resuming", "Scheduling", "Timing"),
    *inside("FanoutTestSupportTests", "Marbles"),
    *inside("FanoutTests", "Custom", "Misuse"),
)
# The optimiser matters for threads, depth, storage, and the contract, which its own tests play.
RELEASE = (
    *NO_TESTS_OF_CODE, *MODELS_OF_OPERATORS, "FanoutFoundation", "FanoutFoundationTests", "FanoutLifetimeTests",
    "FanoutTestSupportTests",
    *inside(
        "FanoutCoreTests", "Contract/CustomTypesTests.swift", "Contract/D11NoLockTests.swift",
        "Contract/D14SynchronousTests.swift", "Contract/D16SlowSubscriberTests.swift", "Contract/D1SerialTests.swift",
        "Contract/D3ReentrantSendTests.swift", "Contract/D5OrderOfSubscribersTests.swift",
        "Contract/D7BetweenDeliveriesTests.swift", "Contract/D7CancelInClosureTests.swift",
        "Contract/D8DemandTests.swift", "Contract/D9TerminalTests.swift", "Contract/DemandSeedTests.swift",
        "Contract/ReactiveStreamsTests.swift", "Erasure", "Operators", "Publishers", "Subjects", "Subscribers",
        "Values"),
    *inside(
        "FanoutEngineTests", "Hub/ArrivalListTests.swift", "Hub/HubConnectionTests.swift", "Hub/HubDrawingTests.swift",
        "Hub/HubInvariantTests.swift", "Hub/HubHandoverTests.swift", "Hub/HubMemoryTests.swift",
        "Hub/HubTurnsTests.swift", "Hub/PatienceTests.swift", "Hub/SlotListTests.swift",
        "Model/EventTableTests.swift", "Model/ModelTests.swift", "Model/ReferenceWorld.swift"),
    *inside(
        "FanoutOperatorsTests", "Callbacks", "Clocks", "Combining", "Concurrency", "Isolation", "Marbles", "Merging",
        "OneByOne", "Queues/BufferTests.swift", "Resuming/CatchTests.swift", "Resuming/ResumingFormTests.swift",
        "Resuming/ResumingTests.swift", "Resuming/RetryAfterTests.swift", "Scheduling", "Timing"),
    *inside(
        "FanoutTests", "Backlog", "Caches", "Contract/D10LateTests.swift", "Contract/D12ClaimsTests.swift",
        "Contract/D12TransitionTests.swift", "Contract/D13DeadConnectionTests.swift",
        "Contract/D14SynchronousTests.swift", "Contract/D16SlowTests.swift", "Contract/D17AskingTests.swift",
        "Contract/D3ReentrantSendTests.swift", "Contract/D5OrderTests.swift", "Contract/D6JoiningTests.swift",
        "Contract/D8DemandTests.swift", "Contract/D9EarlyEndTests.swift", "Contract/D9TerminalTests.swift", "Custom",
        "Elements", "History", "Joining", "Lifecycle", "Limits", "Misuse", "Observation", "Observing", "Sequences",
        "Sharing", "UserCode"),
)
