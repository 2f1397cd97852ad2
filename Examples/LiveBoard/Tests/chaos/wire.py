"""Requests and event streams over asyncio, with the standard library only."""

import asyncio
import json
import socket


class Closed(Exception):
    """The connection has ended."""


class Refused(Exception):
    """The service has answered with an error."""

    def __init__(self, status, text):
        super().__init__(f"{status} {text}")
        self.status = status


async def connect(port, buffer=None):
    if buffer is None:
        return await asyncio.open_connection("127.0.0.1", port)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
        return await asyncio.open_connection(sock=connection, limit=buffer)
    except OSError:
        connection.close()
        raise


async def read_head(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
    return int(head[0].split()[1]), fields


class Requests:
    """A connection that is made anew, to the same process or another, when it is lost."""

    def __init__(self):
        self.port = None
        self.writer = None

    async def send(self, port, method, path, body=None, timeout=15):
        """Returns the status and the JSON. `ConnectionRefusedError`: it was not sent. Other errors: nobody knows."""
        if self.writer is None or self.port != port:
            self.close()
            self.reader, self.writer = await connect(port)
            self.port = port
        try:
            return await asyncio.wait_for(self.exchange(method, path, body), timeout)
        except BaseException:
            self.close()
            raise

    async def exchange(self, method, path, body):
        text = b"" if body is None else json.dumps(body).encode()
        kind = "" if body is None else "Content-Type: application/json\r\n"
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{kind}"
                          f"Content-Length: {len(text)}\r\n\r\n".encode() + text)
        status, fields = await read_head(self.reader)
        answer = await self.reader.readexactly(int(fields.get("content-length", "0")))
        return status, json.loads(answer or b"{}")

    def close(self):
        if self.writer:
            self.writer.close()
        self.writer = None


async def events(port, path):
    """The events of a stream, as (name, id, data), until the connection ends."""
    reader, writer = await connect(port, buffer=8192)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        status, fields = await read_head(reader)
        if status != 200:
            raise Refused(status, await reader.read(500))
        rest = b""
        while True:
            size = int((await reader.readuntil(b"\r\n")).strip(), 16)
            if size == 0:
                return
            rest += (await reader.readexactly(size + 2))[:-2]
            *whole, rest = rest.split(b"\n\n")
            for text in whole:
                fields = dict(line.split(": ", 1) for line in text.decode().split("\n") if not line.startswith(":"))
                if "event" in fields:
                    yield fields["event"], fields.get("id"), json.loads(fields.get("data", "{}"))
    except (asyncio.IncompleteReadError, ConnectionError, OSError, ValueError) as error:
        raise Closed(str(error)) from error
    finally:
        writer.close()
