#!/usr/bin/env python3
"""browse.py PROGRAM HOME: opens the full-screen view eleven times in a terminal of 80 columns; prints table rows.

Medians: until the first screen is complete, CPU time of opening and quitting, and peak memory; then what single keys
cost in one view, as the time from the key to the changed screen.
"""
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time

program, home = sys.argv[1:]
turns = 11


class View:
    """The program in a terminal."""

    def __init__(self):
        self.began = time.monotonic()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm-256color", TZ="UTC")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
            os.execv(program, [program, "browse", "--home", home])
        self.wait_for(b"? help")

    def wait_for(self, text):
        """Reads until the terminal was sent a text."""
        seen = b""
        while text not in seen:
            seen += os.read(self.terminal, 65536)

    def key(self, keys):
        """Types keys; returns the milliseconds until the screen had changed."""
        began = time.monotonic()
        os.write(self.terminal, keys)
        os.read(self.terminal, 65536)
        ended = time.monotonic()
        # The screen is complete when nothing follows.
        while select.select([self.terminal], [], [], 0.03)[0]:
            os.read(self.terminal, 65536)
            ended = time.monotonic()
        return (ended - began) * 1000

    def quit(self):
        """CPU milliseconds and peak memory in MB."""
        os.write(self.terminal, b"q")
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:  # The other side is closed.
            pass
        _, status, usage = os.wait4(self.process, 0)
        os.close(self.terminal)
        assert status == 0, status
        return (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024


def row(name, wall, cpu=None, memory=None):
    print(f"| {name} | {wall:.0f} ms | {'' if cpu is None else f'{cpu:.0f} ms'} |"
          f" {'' if memory is None else f'{memory:.0f} MB'} |")


wall, cpu, memory = [], [], []
for _ in range(turns):
    view = View()
    wall.append((time.monotonic() - view.began) * 1000)
    used, peak = view.quit()
    cpu.append(used)
    memory.append(peak)
row("`browse`, until it is drawn; opened and left", statistics.median(wall), statistics.median(cpu),
    statistics.median(memory))

view = View()
row("`browse`: the slowest of 100 screens down", max(view.key(b"\x1b[6~") for _ in range(100)))
row("`browse`: to the last video", view.key(b"G"))
row("`browse`: a screen up from there", view.key(b"\x1b[5~"))
row("`browse`: a mark there", view.key(b"m"))
row("`browse`: undoing it", view.key(b"u"))
view.quit()
