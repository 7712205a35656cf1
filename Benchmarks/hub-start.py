#!/usr/bin/env python3
"""hub-start.py PROGRAM HOME: the median time from starting the server to its first answer, of eleven starts."""
import socket
import statistics
import subprocess
import sys
import time

program, home = sys.argv[1:]
request = b"GET /api/v1/videos?limit=50 HTTP/1.1\r\nHost: 127.0.0.1:5988\r\nConnection: close\r\n\r\n"
times = []
for _ in range(11):
    began = time.monotonic()
    server = subprocess.Popen(
        [program, "serve", "--no-poll", "--home", home, "--listen", "127.0.0.1:5988"], stdout=subprocess.DEVNULL)
    while True:
        try:
            with socket.create_connection(("127.0.0.1", 5988)) as connection:
                connection.sendall(request)
                assert connection.recv(12) == b"HTTP/1.1 200"
                break
        except ConnectionRefusedError:
            time.sleep(0.0005)
    times.append((time.monotonic() - began) * 1000)
    server.terminate()
    server.wait()
print(f"| from the start to the first page of 50 videos | {statistics.median(times):.0f} ms |")
