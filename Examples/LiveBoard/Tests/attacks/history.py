"""Many event streams that come back at once."""

import asyncio
import time

from attack import fill, processor
from client import Stream


def make_log(attack, items, changes):
    """A service, and the positions of the log of its board: the first and a function for others."""
    service = attack.service()
    service.make("board", "Board")
    service.end()
    fill(service, "board", items, lambda number: f"state {number}", changes)
    service.start()
    epoch = service.snapshot("board")["position"].partition("-")[0]
    return service, lambda number: f"{epoch}-{number}-0"


async def comes_back(attack, streams, seconds):
    """Connects all streams, sends their requests at once, and returns their tasks when all are live or time is up."""
    for n in range(0, len(streams), 100):
        await asyncio.gather(*(stream.connect() for stream in streams[n:n + 100]))
    tasks = [asyncio.create_task(stream.run()) for stream in streams]
    await asyncio.wait([asyncio.create_task(stream.is_live.wait()) for stream in streams], timeout=seconds)
    live = sum(stream.is_live.is_set() for stream in streams)
    attack.check(f"{live} of {len(streams)} streams are live", live == len(streams))
    return tasks


async def end(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def come_back(attack):
    """1,000 event streams come back at once, behind a log of 10,000 changes of 200 items"""
    service, position = make_log(attack, items=200, changes=10_000)
    streams = [Stream(service.port, f"127.0.2.{n % 250 + 1}", "board", position(0)) for n in range(1_000)]
    before, begin = processor(service.process), time.monotonic()
    tasks = await comes_back(attack, streams, seconds=60)
    seconds = processor(service.process) - before
    events, size = (sum(each) / len(streams) for each in zip(*((len(s.names), s.bytes) for s in streams)))
    attack.say(f"in {time.monotonic() - begin:.1f} s; each got {events:.1f} events, {size:.0f} bytes")
    right = {f"i{number % 200}": f"state {number}" for number in range(9_801, 10_001)}
    wrong = sum(stream.items != right for stream in streams)
    attack.at_most("streams without the right 200 states", wrong, 0, "streams")
    untold = sum("missed" in stream.names for stream in streams)
    attack.at_most("streams that were told of a gap", untold, 0, "streams")
    if attack.is_debug:
        attack.say(f"a debug build: {seconds:.1f} s of processor, not checked")
    else:
        attack.at_most("the processor", seconds, 5, "s")
    await end(tasks)


async def unknown(attack):
    """200 event streams come back with an id that is unknown, beside 100 with known ones"""
    service, position = make_log(attack, items=50, changes=1_000)
    foreign = "0" * 20 + "-5-0"
    kinds = [position(1_001), position(5_000), position(2**62), foreign, "garbage"]
    unknown = [Stream(service.port, f"127.0.2.{n % 50 + 1}", "board", kinds[n % 5]) for n in range(200)]
    known = [Stream(service.port, f"127.0.3.{n % 50 + 1}", "board", position(n * 10)) for n in range(100)]
    # Two unknown ones, and then a known one.
    mixed = [stream for n in range(100) for stream in (*unknown[2 * n:2 * n + 2], known[n])]
    tasks = await comes_back(attack, mixed, seconds=30)
    untold = [stream for stream in unknown if stream.names[:2] != ["missed", "snapshot"]]
    attack.at_most("unknown ids that were not told and given a snapshot", len(untold), 0, "streams")
    for kind in sorted({stream.last for stream in untold}):
        attack.say(f"  not told: {sum(stream.last == kind for stream in untold)} × {kind}")
    attack.at_most("known ids that were told of a gap", sum("missed" in s.names for s in known), 0, "streams")
    for number in range(3):
        service.change("board", f"i{number}", text=f"new {number}")
    await asyncio.sleep(3)
    right = service.snapshot("board")["items"]
    right = {item["id"]: item["text"] for item in right}
    for name, streams in {"unknown": unknown, "known": known}.items():
        deaf = sum(stream.items.get(f"i{n}") != f"new {n}" for stream in streams for n in range(3))
        attack.at_most(f"later changes that streams with {name} ids did not get", deaf, 0, "changes")
    attack.at_most("streams with an unknown id that show another board",
                   sum(stream.items != right for stream in unknown), 0, "streams")
    await end(tasks)


come_back.__name__ = "return"
ATTACKS = [come_back, unknown]
