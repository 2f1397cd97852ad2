#!/usr/bin/env python3
"""Runs the test layers against each planted fault (FAULTS.md); appends to RESULTS.csv, and skips what is there.

    study.py                 everything, phase by phase: table, hub model, terms model; then contract; then core
    study.py 0               all layers of fault 0 (any list of faults)
    study.py --summary       a table of the results up to now

A layer catches a fault if its process fails, crashes or takes more than TIMEOUT seconds. Each run is a process of
its own under the lock build.lock. To repeat a run, delete its line in RESULTS.csv.
"""
import csv, fcntl, os, pathlib, re, resource, signal, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent
RESULTS = ROOT / "RESULTS.csv"
LOGS = ROOT / "logs"
BUILD_LOCK = "build.lock"
TIMEOUT = 300
MEMORY = 10 << 30
FAULTS = range(0, 61)
LAYERS = {
    "table": ["--filter", r"^FanoutEngineTests\.EventTableTests/"],
    "hub model": ["--filter", r"^FanoutEngineTests\.", "--skip", r"EventTableTests|HubInvariantTests"],
    "terms model": ["--filter", r"^TermsModelTests\."],
    "contract": ["--filter", r"^FanoutTests\."],
    "core": ["--filter", r"^FanoutCoreTests\."],
}
PHASES = [["table", "hub model", "terms model"], ["contract"], ["core"]]
HEAD = ["fault", "layer", "caught", "failing tests", "by invariant", "seconds", "how", "first failure"]


def known():
    if not RESULTS.exists():
        return {}
    with RESULTS.open(newline="") as file:
        return {(int(row["fault"]), row["layer"]): row for row in csv.DictReader(file)}


def binary():
    found = sorted((ROOT / ".build/debug").glob("*PackageTests.xctest"))
    assert len(found) == 1, found
    return found[0]


def stop(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(fault, layer):
    LOGS.mkdir(exist_ok=True)
    log = LOGS / f"{fault:02}-{layer.replace(' ', '-')}.log"
    environment = dict(
        os.environ, FANOUT_FAULT=str(fault), SWIFT_DETERMINISTIC_HASHING="1", SWIFT_BACKTRACE="enable=no")
    command = [str(binary()), "--testing-library", "swift-testing", *LAYERS[layer]]

    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))

    with open(BUILD_LOCK) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # closed in the child, so that nothing that it leaves behind holds it
        started = time.monotonic()
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits)
            try:
                status, how = process.wait(timeout=TIMEOUT), None
            except subprocess.TimeoutExpired:
                how = "timeout"
                stop(process)
                status = process.wait()
            stop(process)  # children of exit tests
        seconds = time.monotonic() - started
    # With a terminal's settings in the environment the output has colours.
    text = re.sub(r"\x1b\[[0-9;]*m", "", log.read_bytes().decode(errors="replace"))
    failing = set(re.findall(r"^✘ Test (?!run\b|case\b)(.+?) (?:failed after|recorded an issue|with \d+ test case)", text, re.M))
    ended = re.search(r"Test run with (\d+) tests?", text[-4000:]) if how is None else None
    by_invariant = "The state of a hub is wrong." in text
    if how is None:
        how = "pass" if status == 0 else f"crash {-status}" if status < 0 else "fail" if ended else f"exit {status}"
    if status == 0 and (not ended or int(ended[1]) == 0):
        raise SystemExit(f"fault {fault}, {layer}: no tests were run; see {log}")
    fatal = re.search(r"Fatal error: (.*)|(Simultaneous accesses.*)", text)
    first = re.search(r"^✘ Test (?!run\b|case\b)(.+?) recorded an issue", text, re.M)
    note = (fatal[0] if fatal and how != "fail" else first[1] if first else "")[:160]
    # Only what says what failed is kept.
    lines = text.splitlines()
    kept = [line[:400] for line in lines if line.startswith("✘") or "atal error" in line]
    log.write_text("\n".join(kept[:200] + ["--- the last lines"] + [line[:1000] for line in lines[-30:]]) + "\n")
    return [fault, layer, "n" if how == "pass" else "y", len(failing), "y" if by_invariant else "n",
            f"{seconds:.1f}", how, note]


def summary():
    rows = known()
    print("fault " + " ".join(f"{layer:>12}" for layer in LAYERS) + "  invariant")
    for fault in FAULTS:
        mine = {layer: rows.get((fault, layer)) for layer in LAYERS}
        cells = [f"{row['how'] + ' ' + row['failing tests'] if row else '':>12}" for row in mine.values()]
        print(f"{fault:5} " + " ".join(cells) + "  "
              + ", ".join(layer for layer, row in mine.items() if row and row["by invariant"] == "y"))
    print("missed by every layer so far: "
          + ", ".join(str(fault) for fault in FAULTS if fault and (mine := [
              row for (number, _), row in rows.items() if number == fault])
              and all(row["caught"] == "n" for row in mine)))


def main():
    if "--summary" in sys.argv:
        return summary()
    single = open(ROOT / ".study.lock", "w")
    try:
        fcntl.flock(single, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit("study.py runs already")
    if not RESULTS.exists():
        with RESULTS.open("w", newline="") as file:
            csv.writer(file).writerow(HEAD)
    chosen = [int(word) for word in sys.argv[1:]] or FAULTS
    phases = [[layer for phase in PHASES for layer in phase]] if sys.argv[1:] else PHASES
    for layers in phases:
        for fault in chosen:
            for layer in layers:
                if (fault, layer) in known():
                    continue
                row = run(fault, layer)
                with RESULTS.open("a", newline="") as file:
                    csv.writer(file).writerow(row)
                print(time.strftime("%H:%M:%S"), *row, flush=True)
                if fault == 0 and row[2] == "y":
                    print("WARNING: fault 0 must pass everything", flush=True)
                time.sleep(0.5)  # others wait for the lock too


main()
