"""What the tests of packages and containers share: checks that print a line each, waits, free ports."""
import socket, sys, time


class Checks:
    """Counts checks; the last line is `NAME: N failed`, as scripts/vm-test.sh prints it."""

    def __init__(self, name):
        self.name, self.failed, self.passed = name, 0, 0

    def that(self, what, is_true, evidence=""):
        """Whether something holds; `{0}`… in the name are parts of the evidence if that is a tuple."""
        if isinstance(evidence, tuple):
            what, evidence = what.format(*evidence), evidence[-1]
        print(f"{'ok   ' if is_true else 'FAIL '} {what}", flush=True)
        if is_true:
            self.passed += 1
            return True
        self.failed += 1
        for line in str(evidence).splitlines()[-20:]:
            print(f"      {line}", flush=True)
        return False

    def equal(self, what, found, expected, evidence=""):
        return self.that(what, found == expected, f"expected {expected!r}, found {found!r}\n{evidence}")

    def stopped(self, container):
        """For `that`: whether a container ends with 0 on SIGTERM, and the status, the seconds and the log."""
        status, seconds = container.stop()
        return status == 0, (status, seconds, f"status {status}\n{container.log}")

    def skip(self, reason):
        print(f"{self.name}: skipped: {reason}")
        sys.exit(0)

    def end(self, is_last=True):
        """Ends the process; a part of a test does not print the last line."""
        if is_last:
            print(f"{self.name}: {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def wait(condition, seconds=30):
    """The first true value of a condition; its last value after the seconds."""
    deadline = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return value


def free_port():
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
