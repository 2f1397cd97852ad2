"""The shell blocks of the READMEs: each says which gate runs it, or why none does.

A block that a gate runs has `<!-- run by ./check NAME -->` in front of it. In any other the first line is a comment,
`# Not run by ./check: the reason`, which readers see too. The commands run one after another, in the README's folder.
One whose comment is an address is a service: it runs on until the block is over, and must answer there.
"""

import contextlib
import inspect
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

from checks import commands
from checks.commands import ROOT, Failure

PLACES = ("README.md", "*/README.md", "Examples/*/README.md", "Sources/*/README.md", "Sources/*/*/README.md")
BLOCK = re.compile(r"^(?:<!-- run by \./check (\w+) -->\n)?```sh\n(.*?)^```$", re.M | re.S)
ANY_SHELL = re.compile(r"^ *(?:```|~~~) *(?:sh|bash|shell|console|zsh)\b", re.M)
NOT_RUN = re.compile(r"# Not run by \./check: (\S.*)\n")
ADDRESS = re.compile(r"#\s*((?:http|redis)://\S+)")
# A service that does not answer ends here; none takes a second.
SECONDS_TO_START = 300


def texts():
    for place in PLACES:
        for readme in sorted(ROOT.glob(place)):
            yield readme, readme.read_text()


def check(gates):
    """Fails if a block does not say which of the gates runs it, or why none does; shows the reasons."""
    wrong = []
    for readme, text in texts():
        name, blocks = readme.relative_to(ROOT), BLOCK.findall(text)
        if len(blocks) != len(ANY_SHELL.findall(text)):
            wrong.append(f"{name}: error: a block of commands begins with ```sh, at the left margin")
        for gate, block in blocks:
            if reason := NOT_RUN.match(block):
                print(f"{name}: not run: {reason[1]}")
            elif gate not in gates or f'play("{gate}"' not in inspect.getsource(gates[gate].run):
                wrong.append(f"{name}: error: say which gate runs `{block.splitlines()[0]}`, or why none does")
    if wrong:
        print("\n".join(wrong))
        raise Failure(f"{len(wrong)} faults in READMEs")


def play(gate, package=None, variables=None):
    """Runs the blocks of a gate. With a package, `swift` uses its build as it is, and the commands run in a copy of the
    package.
    """
    found = [(readme, block) for readme, text in texts() for name, block in BLOCK.findall(text) if name == gate]
    if not found:
        raise Failure(f"no README has a block that is run by {gate}")
    for readme, block in found:
        with contextlib.ExitStack() as stack:
            folder, added = readme.parent, dict(variables or {})
            if package:
                folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())) / "copy"
                shutil.copytree(ROOT / package, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
                added |= {"PATH": f"{swift_for(package, stack)}:{os.environ['PATH']}"}
            for line in block.splitlines():
                print(f"$ {line}", flush=True)
                surroundings = {"cwd": folder, "env": commands.environment(added)}
                if address := ADDRESS.search(line):
                    serve(line, address[1], surroundings, stack)
                elif status := subprocess.run(["bash", "-c", line], check=False, **surroundings).returncode:
                    raise Failure(f"exit status {status} of: {line}, in {readme.relative_to(ROOT)}")


def swift_for(package, stack):
    """The folder of a `swift` that runs the programs and tests of a package, and builds nothing."""
    folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
    real = commands.output_of("bash", "-c", "command -v swift")[1].strip()
    place = commands.shown(["--package-path", ROOT / package])
    # There is nothing to build; the place of the programs is asked for by `swift build --show-bin-path`.
    (folder / "swift").write_text(f"""#!/bin/sh
word=$1
shift
case "$word $*" in
build*--show-bin-path*) exec {real} build {place} "$@" ;;
build*) exit ;;
*) exec {real} "$word" {place} --skip-build "$@" ;;
esac
""")
    (folder / "swift").chmod(0o755)
    return folder


def serve(line, address, surroundings, stack):
    """Starts a service, and stops it with the stack, when it has answered."""
    if answers(address):
        raise Failure(f"something else answers at {address}")
    process = subprocess.Popen(["bash", "-c", f"exec {line}"], stdin=subprocess.DEVNULL, **surroundings)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    deadline = time.monotonic() + SECONDS_TO_START
    while not answers(address):
        if process.poll() is not None:
            raise Failure(f"exit status {process.returncode}, before it answers at {address}")
        if time.monotonic() > deadline:
            raise Failure(f"does not answer at {address}")
        time.sleep(0.05)
    print(f"answers at {address}", flush=True)


def answers(address):
    """Whether a service gives the page at an address, or takes a connection there."""
    place = urllib.parse.urlsplit(address)
    try:
        if place.scheme == "http":
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            return opener.open(address, timeout=10).status == 200
        socket.create_connection((place.hostname, place.port), timeout=10).close()
        return True
    except OSError:
        return False
