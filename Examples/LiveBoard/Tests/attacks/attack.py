"""An attack: its services and attackers, what is measured, and the limits."""

import asyncio
import os
import signal
import sqlite3
import statistics
import subprocess
import sys

import service
from client import Client

ATTACKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attacker.py")


class Skipped(Exception):
    """What is needed is not here."""


class Attack:
    def __init__(self, program, is_debug):
        self.program, self.is_debug = program, is_debug
        self.services, self.attackers = [], []
        self.is_failed = False

    def service(self, *options, **more):
        """A service that is started, with a database of its own."""
        made = service.Service(self.program, **more)
        # The rates of an address are those that the service has by itself.
        made.options = [str(option) for option in options]
        self.services.append(made)
        return made.start()

    def attacker(self, name, *arguments):
        """Starts a process that attacks, until it ends or is ended."""
        # Attackers are on other machines in life, so here they yield to the service and what is measured.
        process = subprocess.Popen([sys.executable, ATTACKER, name, *map(str, arguments)], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=lambda: os.nice(19))
        self.attackers.append(process)
        return process

    def say(self, text):
        print(f"  {text}", flush=True)

    def check(self, what, is_so):
        self.is_failed |= not is_so
        self.say(f"{'ok    ' if is_so else 'FAILED'} {what}")

    def at_most(self, what, figure, limit, unit):
        self.check(f"{what}: {figure:.4g} {unit}, at most {limit:.4g}", figure <= limit)

    def log(self):
        return [line for each in self.services for line in open(each.log).read().splitlines()]

    def close(self):
        for process in self.attackers:
            process.kill()
            process.wait()
        for each in self.services:
            each.end(signal.SIGKILL)


def resident(process, field="VmRSS"):
    """The resident memory of a process in megabytes; `VmHWM` is the most since `begin_peak`."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) / 1_024 for line in status if line.startswith(field))


def begin_peak(process):
    with open(f"/proc/{process.pid}/clear_refs", "w") as file:
        file.write("5")


def processor(process):
    """The seconds of a processor that a process has had."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def busy(process, seconds=5):
    """The part of a core that a process takes, in percent."""
    start = processor(process)
    await asyncio.sleep(seconds)
    return (processor(process) - start) / seconds * 100


class Visitor:
    """Requests of an address that does nothing wrong, in a block, each on a connection of its own."""

    def __init__(self, port, requests, limit, interval=0.2):
        self.port, self.requests, self.limit, self.interval = port, requests, limit, interval
        self.seconds, self.refused = [], []

    async def __aenter__(self):
        self.task = asyncio.create_task(self.visit())
        return self

    async def __aexit__(self, *_):
        self.task.cancel()

    async def visit(self):
        clock = asyncio.get_running_loop().time
        while True:
            for request in self.requests:
                start = clock()
                try:
                    status = await Client.once(self.port, "127.0.0.9", *request, timeout=self.limit + 1)
                    if status >= 300:
                        self.refused.append(status)
                except (OSError, EOFError, asyncio.TimeoutError) as error:
                    self.refused.append(type(error).__name__)
                self.seconds.append(clock() - start)
            await asyncio.sleep(self.interval)

    def report(self, attack):
        attack.check(f"another address: {len(self.seconds)} requests, none refused {self.refused[:3]}",
                     self.seconds and not self.refused)
        attack.at_most("  the slowest of them", max(self.seconds, default=99), self.limit, "s")


def percentile(values, part):
    return statistics.quantiles(values, n=1_000, method="inclusive")[round(part * 1_000) - 1]


def fill(ended, board, count, text, changes):
    """Puts items into a board of a service that is ended, and a log of changes, which go round the items."""
    with sqlite3.connect(ended.database) as database:
        (key,) = database.execute("SELECT key FROM boards WHERE id = ?", [board]).fetchone()
        database.executemany(
            "INSERT INTO changes (board, major, minor, item) VALUES (?, ?, 0, ?)",
            ((key, number, f"i{number % count}") for number in range(1, changes + 1)))
        database.executemany(
            'INSERT INTO items (board, id, text, "column", rank, removed, major, minor) '
            "VALUES (?, ?, ?, 'todo', ?, 0, ?, 0)",
            ((key, f"i{number % count}", text(number), number % count, number)
             for number in range(changes - count + 1, changes + 1)))
        database.execute("UPDATE boards SET major = ? WHERE key = ?", [changes, key])
    database.close()
