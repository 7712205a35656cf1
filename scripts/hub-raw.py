#!/usr/bin/env python3
"""hub-raw.py URL: sends requests that no HTTP library sends; others must still be served after each.

Oversized heads and bodies, garbage, pipelining, and messages whose length is ambiguous (request smuggling).
"""
import random
import socket
import sys
import time
from urllib.parse import urlsplit

address = urlsplit(sys.argv[1])
host = f"Host: {address.netloc}\r\n".encode()


def exchange(data):
    """All that comes back, until the other side closes or is silent for 3 s."""
    answer = b""
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
    return answer


def works():
    return exchange(b"GET /health HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n").startswith(b"HTTP/1.1 200")


mark = b"POST /api/v1/marks HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
smuggled = b"GET /api/v1/status HTTP/1.1\r\n" + host + b"\r\n"
refused = {
    "header of 1 MB": b"GET /health HTTP/1.1\r\n" + host + b"X: " + b"a" * (1 << 20) + b"\r\n\r\n",
    "100,000 headers": b"GET /health HTTP/1.1\r\n" + host + b"A: b\r\n" * 100_000 + b"\r\n",
    "path of 1 MB": b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n" + host + b"\r\n",
    "method of 1 MB": b"A" * (1 << 20) + b" /health HTTP/1.1\r\n" + host + b"\r\n",
    "body of 2 MB": mark + b"Content-Length: 2097152\r\n\r\n" + b" " * (2 << 20),
    "chunk of 2^64": mark + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + b" " * 1000,
    "chunk size that is none": mark + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n0\r\n\r\n",
    "TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(50),
    "NUL in a header": b"GET /health HTTP/1.1\r\n" + host + b"X: a\x00b\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "absolute URL of another host": b"GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "CONNECT": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
}
# Whatever the first of these is answered with, the second may not be read from its body.
ambiguous = {
    "CL and TE": mark + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "TE and CL": mark + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two CL": mark + b"Content-Length: 0\r\nContent-Length: 5\r\n\r\n",
    "CL list": mark + b"Content-Length: 0, 5\r\n\r\n",
    "negative CL": mark + b"Content-Length: -1\r\n\r\n",
    "CL with plus": mark + b"Content-Length: +0\r\n\r\n",
    "TE unknown": mark + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "TE twice": mark + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "TE with a blank": mark + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "TE folded": mark + b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
}

faults = []
for name, data in refused.items():
    if exchange(data).startswith(b"HTTP/1.1 200"):
        faults.append(f"{name}: accepted")
    if not works():
        faults.append(f"{name}: others are no longer served")
for name, data in ambiguous.items():
    answer = exchange(data + smuggled)
    if b"lastRun" in answer or answer.count(b"HTTP/1.1 200") > 0:
        faults.append(f"{name}: what follows it was answered: {answer[:100]!r}")
    if not works():
        faults.append(f"{name}: others are no longer served")

one = b"GET /api/v1/rules HTTP/1.1\r\n" + host + b"\r\n"
last = b"GET /nothing HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n"
answers = exchange(one * 200 + last)
if answers.count(b"HTTP/1.1 200") != 200 or answers.count(b"HTTP/1.1 404") != 1:
    faults.append(f"pipelining: {answers.count(b'HTTP/1.1 200')} of 200 answers")

chance = random.Random(1)
end = time.monotonic() + 10
count = 0
while time.monotonic() < end and count < 2000:
    data = bytearray(chance.choice([smuggled, mark + b"Content-Length: 2\r\n\r\n{}", one]))
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    exchange(bytes(data))
    count += 1
if not works():
    faults.append("damaged requests: others are no longer served")

print(f"{len(refused) + len(ambiguous)} hostile requests, {count} damaged ones")
for fault in faults:
    print(fault)
sys.exit(bool(faults))
