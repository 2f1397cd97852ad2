"""Commands of the gates: run them, show them, install what they need."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In seconds. A gate or a build that takes longer does not end at all, because of a test that waits for ever.
PATIENCE = 1800

ENVIRONMENT = {
    # Sets and dictionaries have the same order in each run.
    "SWIFT_DETERMINISTIC_HASHING": "1",
    # Without this a crash under a sanitizer leaves the backtracer hanging.
    "SWIFT_BACKTRACE": "enable=no",
    # The package of the benchmarks asks for it in its manifest: what it compiles itself must give no warning.
    "FANOUT_BENCHMARKS_STRICT": "1",
}


class Failure(Exception):
    """The failure of a gate. Its text is what the summary says."""


def environment(variables=None):
    return ENVIRONMENT | os.environ | (variables or {})


def shown(command, variables=None):
    """A command as it can be pasted into a shell."""
    words = [f"{name}={shlex.quote(value)}" for name, value in (variables or {}).items()]
    return " ".join(words + [shlex.quote(str(word)) for word in command])


def run(*command, variables=None, hidden=None):
    """Runs a command, shows what it prints, and fails if it does. Hidden variables are too long to be shown."""
    print(f"$ {shown(command, variables)}", flush=True)
    all_variables = (variables or {}) | (hidden or {})
    status = subprocess.run(
        [str(word) for word in command], cwd=ROOT, env=environment(all_variables), check=False).returncode
    if status:
        raise Failure(f"exit status {status} of: {shown(command, variables)}")


def output_of(*command, variables=None, folder=ROOT, seconds=None):
    """Runs a command; returns its status, None if the seconds were over, and what it printed."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment(variables), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as expired:
        return None, (expired.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


def require(tool, package):
    """Installs the Debian package of a tool that is missing."""
    if shutil.which(tool):
        return
    install(package)
    if not shutil.which(tool):
        raise Failure(f"{tool} is missing and cannot be installed from the package {package}")


def require_header(header, package):
    """Installs the Debian package of a C header that is missing."""
    # Elsewhere than on Linux it comes with the system's SDK.
    if sys.platform != "linux" or pathlib.Path("/usr/include", header).exists():
        return
    install(package)
    if not pathlib.Path("/usr/include", header).exists():
        raise Failure(f"{header} is missing and cannot be installed from the package {package}")


def install(package):
    """Installs a Debian package, if this is a system that has such."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get"):
        for arguments in (["update", "-qq"], ["install", "-y", "-qq", package]):
            subprocess.run(
                # Another program may be installing something at this moment.
                [*sudo, "apt-get", "-o", "DPkg::Lock::Timeout=600", *arguments], env=environment({"DEBIAN_FRONTEND": "noninteractive"}),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
