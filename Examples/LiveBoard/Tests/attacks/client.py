"""Requests and event streams from any address of 127.0.0.0/8, over asyncio."""

import asyncio
import json
import socket

from wire import read_head


async def connect(port, address, buffer=None):
    """A socket that is connected from an address; `buffer` is what the system takes for a client that does not read."""
    connection = socket.socket()
    connection.setblocking(False)
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    try:
        connection.bind((address, 0))
        await asyncio.wait_for(
            asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port)), 10)
    except BaseException:
        connection.close()
        raise
    return connection


def head(method, path, *fields):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


async def deaf(port, address, path):
    """Sends a request and returns its socket, which is not read."""
    connection = await connect(port, address, buffer=4_096)
    await asyncio.get_running_loop().sock_sendall(connection, head("GET", path))
    return connection


class Client:
    """A connection, which is made anew when it is lost."""

    def __init__(self, port, address):
        self.port, self.address, self.writer = port, address, None

    @classmethod
    async def once(cls, port, address, method, path, body=None, timeout=10):
        """Returns the status of a request on a connection of its own."""
        client = cls(port, address)
        try:
            return (await client.send(method, path, body, timeout))[0]
        finally:
            client.close()

    async def send(self, method, path, body=None, timeout=10):
        """Returns the status, the fields and the answer."""
        try:
            return await asyncio.wait_for(self.exchange(method, path, body), timeout)
        except BaseException:
            self.close()
            raise

    async def exchange(self, method, path, body):
        if not self.writer:
            connection = await connect(self.port, self.address)
            self.reader, self.writer = await asyncio.open_connection(sock=connection)
        text = b"" if body is None else json.dumps(body).encode()
        kind = [] if body is None else ["Content-Type: application/json"]
        self.writer.write(head(method, path, *kind, f"Content-Length: {len(text)}") + text)
        status, fields = await read_head(self.reader)
        if fields.get("transfer-encoding") == "chunked":
            answer = b"".join([piece async for piece in chunks(self.reader)])
        else:
            answer = await self.reader.readexactly(int(fields.get("content-length", "0")))
        if fields.get("connection") == "close":
            self.close()
        return status, fields, json.loads(answer) if answer[:1] in (b"{", b"[") else answer

    def close(self):
        if self.writer:
            self.writer.close()
        self.writer = None


async def chunks(reader):
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readuntil(b"\r\n")


class Stream:
    """An event stream; it notes what it gets."""

    def __init__(self, port, address, board, last=None):
        self.port, self.address, self.board, self.last = port, address, board, last
        self.names, self.ids, self.items, self.bytes = [], [], {}, 0
        self.writer = None
        self.is_live = asyncio.Event()

    async def connect(self):
        connection = await connect(self.port, self.address)
        self.reader, self.writer = await asyncio.open_connection(sock=connection)

    async def run(self, on_change=lambda item: None):
        """Follows the stream until it ends or the task is cancelled."""
        try:
            if not self.writer:
                await self.connect()
            last = [f"Last-Event-ID: {self.last}"] if self.last else []
            self.writer.write(head("GET", f"/api/boards/{self.board}/events", *last))
            status, _ = await read_head(self.reader)
            self.names += [] if status == 200 else [status]
            rest = b""
            async for piece in chunks(self.reader):
                self.bytes += len(piece)
                *whole, rest = (rest + piece).split(b"\n\n")
                for text in whole:
                    self.take(dict(line.split(": ", 1) for line in text.decode().split("\n")), on_change)
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            self.names.append(type(error).__name__)
        finally:
            if self.writer:
                self.writer.close()

    def take(self, fields, on_change):
        name, data = fields.get("event"), json.loads(fields.get("data", "{}"))
        if name in (None, "ping"):
            return
        self.names.append(name)
        self.ids.append(fields.get("id"))
        if name == "snapshot":
            self.items = {item["id"]: item["text"] for item in data["items"]}
        elif name == "change" and "item" in data:
            self.items[data["item"]["id"]] = data["item"]["text"]
            on_change(data["item"])
        elif name == "live":
            self.is_live.set()
