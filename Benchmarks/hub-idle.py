#!/usr/bin/env python3
"""hub-idle.py PORT COUNT: opens idle connections, and measures how long others then wait for an answer."""
import resource
import socket
import sys
import time

port, count = int(sys.argv[1]), int(sys.argv[2])
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
connections = []
refused = 0
for _ in range(min(count, most - 100)):
    connection = socket.socket()
    connection.setblocking(False)
    try:
        connection.connect(("127.0.0.1", port))
    except BlockingIOError:
        pass
    except OSError:
        refused += 1
    connections.append(connection)
time.sleep(2)
request = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
began = time.monotonic()
waits = []
while time.monotonic() - began < 45 and len(waits) < 20:
    start = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as other:
            other.sendall(request)
            assert other.recv(12) == b"HTTP/1.1 200"
        waits.append(time.monotonic() - start)
    except OSError as error:
        print(f"| {len(connections)} idle connections | others fail: {error} |")
        sys.exit(1)
print(f"| {len(connections)} idle connections at once | others wait {max(waits):.2f} s at most for an answer |")
