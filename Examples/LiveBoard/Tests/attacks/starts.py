"""What can be wrong when the service starts, and in Redis."""

import asyncio
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

from attack import Skipped, busy
from client import Client
from cluster import Redis


def damaged_files(attack, folder):
    """Databases that the service cannot use, by what is wrong with them."""
    files = {}

    def file(name, content=b""):
        files[name] = os.path.join(folder, name.replace(" ", "-") + ".sqlite")
        with open(files[name], "wb") as new:
            new.write(content)
        return files[name]

    file("random bytes", random.Random(1).randbytes(20_000))
    file("a text file", b"This is a list of things to buy.\n" * 200)
    whole = attack.service()
    whole.make("board", "Board")
    for number in range(100):
        whole.add("board", f"Item {number} " + "x" * 400)
    whole.end()
    content = open(whole.database, "rb").read()
    file("a truncated database", content[:len(content) // 2])
    with sqlite3.connect(file("a foreign table")) as foreign:
        foreign.execute("CREATE TABLE boards (length REAL, width REAL)")
    foreign.close()
    files["a folder"] = os.path.join(folder, "a-folder")
    os.mkdir(files["a folder"])
    # There even root can make nothing.
    files["a folder that cannot be made"] = "/proc/liveboard/board.sqlite"
    files["a folder that is read-only"] = "/proc/board.sqlite"
    if os.geteuid() != 0:
        files["a file that is read-only"] = file("read-only", content)
        os.chmod(files.pop("read-only"), 0o444)
    return files


async def start(attack):
    """all that can be wrong at the start: each ends at once, with one line that says what, and no secret"""
    running = attack.service()
    with tempfile.TemporaryDirectory(prefix="liveboard-") as folder, socket.create_server(("127.0.0.1", 0)) as taken:
        port = ["--port", str(taken.getsockname()[1])]
        new = ["--port", "0", "--database", os.path.join(folder, "new.sqlite")]
        cases = {"a port that is taken": [*new, *port],
                 "a database that another process has": ["--port", "0", "--database", running.database]}
        for what, path in damaged_files(attack, folder).items():
            cases[what] = ["--port", "0", "--database", path]
        for what, url in {"a password and no port": "redis://:s3cret@h:x", "TLS": "rediss://:s3cret@127.0.0.1:6379",
                          "no scheme": "user:s3cret@127.0.0.1"}.items():
            cases[f"Redis with {what}"] = [*new, "--redis", url]
        for what, arguments in cases.items():
            await asyncio.to_thread(start_one, attack, what, arguments)


def start_one(attack, what, arguments):
    process = subprocess.Popen([attack.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begin = time.monotonic()
    try:
        _, errors = process.communicate(timeout=5)
        result = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
        result = "runs on"
    lines = [line for line in errors.splitlines() if line.strip()]
    is_good = (result == 1 and len(lines) == 1 and "Fatal error" not in errors and "s3cret" not in errors
               and time.monotonic() - begin < 5)
    attack.check(f"{what}: {time.monotonic() - begin:.1f} s, {result}, {len(lines)} lines"
                 f"{', THE SECRET' if 's3cret' in errors else ''}: {' | '.join(lines[:2])[:300]}", is_good)


async def epoch(attack):
    """a foreign value in Redis, where a board has its epoch"""
    if not shutil.which("redis-server"):
        raise Skipped("there is no redis-server here (Debian: apt-get install redis-server)")
    redis = Redis().start()
    try:
        service = attack.service("--redis", f"redis://127.0.0.1:{redis.port}")
        for board in ["t", "u"]:
            service.make(board, board)
        key = "liveboard:{t}:epoch"
        redis.command("SET", key, "garbage")

        async def requests(board):
            """The status of a read and of a write, or what else became of it, and the seconds of the slower one."""
            begin = time.monotonic()
            path = f"/api/boards/{board}"
            answers = await asyncio.gather(
                Client.once(service.port, "127.0.0.2", "GET", path, timeout=8),
                Client.once(service.port, "127.0.0.2", "POST", f"{path}/items", {"text": "Item", "column": "todo"}, 8),
                return_exceptions=True)
            seconds = time.monotonic() - begin
            return [each if isinstance(each, int) else type(each).__name__ for each in answers], seconds

        load = [asyncio.create_task(busy(process)) for process in (service.process, redis.process)]
        several = [asyncio.create_task(requests("t")) for _ in range(5)]
        other, seconds = await requests("u")
        attack.check(f"another board, read and written: {other}", other == [200, 201])
        attack.at_most("  in", seconds, 2, "s")
        answers = [await each for each in several]
        statuses = [status for each, _ in answers for status in each]
        attack.check(f"the board, read and written: {statuses}", set(statuses) == {503})
        attack.at_most("  in", max(seconds for _, seconds in answers), 5, "s")
        for name, part in zip(["service", "Redis"], await asyncio.gather(*load)):
            attack.at_most(f"the processor of the {name} over five seconds", part, 20, "% of a core")
        told = [line for line in attack.log() if key in line]
        attack.check(f"the log names the key, {len(told)} times: {told[:1]}", told)
    finally:
        redis.kill()


ATTACKS = [start, epoch]
