#!/usr/bin/env python3
"""sync-kill-sweep.py [KILLS=100]: kills devices and their hub with SIGKILL at random moments while they exchange lines.

Every acknowledged note must end on both devices and on the hub, each as one line; no log may be damaged or doubled.
"""
import random, subprocess, sys, time

from sandbox import POLL, Broken, Hub, Sandbox, lines

CHANNELS = 10


class Device:
    """A home with a token of the hub's user."""

    def __init__(self, sandbox, hub, name):
        self.sandbox, self.hub, self.home, self.name = sandbox, hub, sandbox.folder / name, name
        self.token, self.notes = hub.renew("ann"), []
        sandbox.do(self.home, "import", "-", stdin=sandbox.ids(CHANNELS))
        sandbox.do(self.home, *POLL, statuses=(0, 1, 75))
        self.videos = sandbox.do(self.home, "list", "--all", "--format", "ids", "--limit", "20").split()

    def decide(self, count):
        for _ in range(count):
            text = f"{self.name} {len(self.notes)}"
            self.sandbox.do(self.home, "note", random.choice(self.videos), text)
            self.notes.append(text)

    @property
    def variables(self):
        return {"METUBE_RSS_HUB": f"http://127.0.0.1:{self.hub.port}", "METUBE_RSS_HUB_TOKEN": self.token}

    def start(self):
        self.sandbox.environment |= self.variables
        process = self.sandbox.start(self.home, "sync", "--quiet", "--retries", "0", stderr=subprocess.DEVNULL)
        for name in self.variables:
            del self.sandbox.environment[name]
        return process

    def sync(self):
        self.sandbox.do(self.home, "sync", "--quiet", **self.variables)


class Sweep:
    def __init__(self, sandbox):
        self.sandbox, self.hub = sandbox, Hub(sandbox, sandbox.folder / "hub")
        self.hub.add("ann")
        self.hub.start("--no-poll")
        self.devices = [Device(sandbox, self.hub, name) for name in ("first", "second")]

    def kill(self):
        for device in self.devices:
            # A compacted log is sent whole.
            if random.random() < 0.1:
                self.sandbox.do(device.home, *POLL, statuses=(0, 1, 75))
                self.sandbox.do(device.home, "log", "compact")
            device.decide(random.randint(0, 3))
        processes = [device.start() for device in self.devices]
        time.sleep(random.uniform(0, 0.06))
        victim = random.randrange(3)
        if victim < 2:
            processes[victim].kill()
        else:
            self.hub.end(kill=True)
        for process in processes:
            process.wait(timeout=120)
        if victim == 2:
            self.hub.start("--no-poll")

    def judge(self):
        for _ in range(2):
            for device in self.devices:
                device.sync()
        homes = [device.home for device in self.devices] + [self.hub.data / "users/ann"]
        states = []
        for home in homes:
            events = [line for line in lines(home) if line.get("kind") != "logStarted"]
            ids = [event["id"] for event in events]
            if len(set(ids)) < len(ids):
                raise Broken(f"{home}: {len(ids) - len(set(ids))} events are there twice")
            states.append({event["id"]: event for event in events})
            texts = sorted(event["text"] for event in events if event["kind"] == "noteSet")
            if texts != sorted(text for device in self.devices for text in device.notes):
                raise Broken(f"{home}: lacks notes, or has others")
        if states[0] != states[1] or states[0] != states[2]:
            raise Broken("the devices and the hub differ")
        for device in self.devices:
            self.sandbox.do(device.home, "log", "verify")


def main(kills):
    with Sandbox(CHANNELS) as sandbox:
        sweep = Sweep(sandbox)
        began = time.monotonic()
        for count in range(1, kills + 1):
            sweep.kill()
            if count % 10 == 0 or count == kills:
                sweep.judge()
                print(f"{count} kills, {sum(len(device.notes) for device in sweep.devices)} notes", flush=True)
        sweep.hub.end()
        print(f"sync-kill-sweep: {kills} kills in {time.monotonic() - began:.0f} s; nothing lost or doubled")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
