"""Redis and the processes of the service, and what is done to them."""

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time

import service


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    def __init__(self):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="liveboard-redis-")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--dir", self.folder.name, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always", "--bind", "127.0.0.1"],
            stdout=open(os.path.join(self.folder.name, "redis.log"), "a"), stderr=subprocess.STDOUT)
        for _ in range(200):
            try:
                if self.command("PING").startswith(b"+PONG"):
                    return self
            except OSError:
                pass
            time.sleep(0.05)
        raise RuntimeError("Redis did not start")

    def command(self, *words):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            text = f"*{len(words)}\r\n" + "".join(f"${len(str(w).encode())}\r\n{w}\r\n" for w in words)
            connection.sendall(text.encode())
            return connection.recv(4096)

    def trim(self, board, length):
        return int(self.command("XTRIM", f"liveboard:{{{board}}}:log", "MAXLEN", length).strip()[1:])

    def kill(self):
        self.process.kill()
        self.process.wait()


class Process(service.Service):
    def has_gap(self, board, position):
        """Whether the database of this process no longer has everything behind a position."""
        epoch, major, minor = position.split("-")
        row = self.row(board)
        # A later epoch is greater. One that this process does not know yet is no gap.
        return row is not None and (row[0] > epoch or (
            row[0] == epoch and (int(major), int(minor)) < (row[1], row[2])))

    def row(self, board):
        """The epoch of a board in the database of this process, and the last entry that its log has forgotten."""
        try:
            with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=5) as database:
                return database.execute(
                    "SELECT epoch, floorMajor, floorMinor FROM boards WHERE id = ?", [board]).fetchone()
        except sqlite3.OperationalError:
            return None


class Cluster:
    def __init__(self, program, options, boards, random, say):
        self.redis = Redis().start()
        self.random, self.say, self.boards = random, say, boards
        self.processes = [
            Process(program, "--redis", f"redis://127.0.0.1:{self.redis.port}",
                    "--streams-per-address", 500, "--connections-per-address", 1000, *options)
            for _ in range(2)]
        self.kinds = {}
        for process in self.processes:
            process.start()
        for board in boards:
            self.processes[0].make(board, f"Board {board}")

    async def disturb(self):
        """Does one of the things that must not hurt."""
        names = ["kill a process", "kill a process, trim meanwhile", "end a process", "stop a process for a while",
                 "kill Redis", "kill Redis and a process", "trim"]
        name = self.random.choice(names)
        self.kinds[name] = self.kinds.get(name, 0) + 1
        number = self.random.randrange(2)
        process = self.processes[number]
        rest = lambda: asyncio.sleep(self.random.uniform(1, 5))
        self.say(name + (f" {'AB'[number]}" if "process" in name else ""))
        if name == "trim":
            return self.trim()
        if name == "stop a process for a while":
            process.process.send_signal(signal.SIGSTOP)
            await rest()
            return process.process.send_signal(signal.SIGCONT)
        if "Redis" in name:
            self.redis.kill()
        if "a process" in name:
            by = signal.SIGTERM if name.startswith("end") else signal.SIGKILL
            await asyncio.to_thread(process.end, by)
        await rest()
        if "trim" in name:
            self.trim()
        if "Redis" in name:
            await asyncio.to_thread(self.redis.start)
        if "a process" in name:
            await asyncio.to_thread(process.start)

    def trim(self):
        for board in self.boards:
            length = self.random.choice([0, 1, 10, 100])
            self.say(f"  {self.redis.trim(board, length)} entries of {board} trimmed, {length} left")

    def errors(self):
        """The errors in the logs of the processes."""
        return [f"{'AB'[number]}: {line}" for number, process in enumerate(self.processes)
                for line in open(process.log).read().splitlines() if " error " in line or " warning " in line]

    def close(self):
        for process in self.processes:
            process.end(signal.SIGKILL)
        self.redis.kill()
