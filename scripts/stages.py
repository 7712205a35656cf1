#!/usr/bin/env python3
"""stages.py FILE [--jobs N]: runs the stages of a file, side by side where they allow it.

A line of the file is a stage: `NAME [after=NAME,…] [uses=NAME,…] [counts=tests|one]: COMMAND`; `#` starts a comment.
A stage starts when those it is `after` have succeeded and no other uses what it `uses`, the first in the file first. Its
output is printed whole when it ends. After a failure no stage starts any more; those that run end by themselves.

The last line is `N passed, M failed`: the tests of each stage that counts `tests` (Swift Testing, unittest, pytest, node),
one for each stage that counts `one`, and one for each that failed without a failed test. The status is 0 only if all
stages succeeded and tests ran in each that counts them.
"""
import argparse, os, re, signal, subprocess, sys, tempfile, time
from dataclasses import dataclass, field

STAGE = re.compile(r"(?P<name>[\w-]+)(?P<options>(?: +(?:after|uses|counts)=[\w,-]+)*) *: *(?P<command>.+)")
SHOWN_LINES, LINE_LENGTH = 40, 600
# So that a log that is read while it grows shows that something runs.
REPORT_SECONDS = 300
# In a log of tests, the lines that say why.
REASONS = re.compile(r" recorded an issue |error: |^[^ ]* Test .* failed after |^(?:FAIL|ERROR|FAILED)\b|^E  |^not ok |Traceback")


@dataclass
class Stage:
    name: str
    command: str
    after: list = field(default_factory=list)
    uses: list = field(default_factory=list)
    counts: str = "none"


def read(path):
    stages = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = STAGE.fullmatch(line)
            if not match:
                sys.exit(f"stages: {path}:{number}: not a stage: {line}")
            stage = Stage(match["name"], match["command"])
            for option in match["options"].split():
                key, value = option.split("=")
                setattr(stage, key, value if key == "counts" else value.split(","))
            if unknown := [name for name in stage.after if name not in stages]:
                sys.exit(f"stages: {path}:{number}: {stage.name} is after {unknown[0]}, which no line before has")
            if stage.counts not in ("none", "one", "tests"):
                sys.exit(f"stages: {path}:{number}: counts={stage.counts}; use tests or one")
            stages[stage.name] = stage
    return list(stages.values())


def count_tests(log):
    """Passed and failed tests of a log."""
    # Lines of Swift Testing: `✔ Test "…" passed after …`, `✔ Test case passing …`, `✔ Test run with 6 tests …`.
    tests = [line for line in log.splitlines() if re.match(r"\S* ?Test ", line) and "Test run with" not in line]
    passed = sum(" passed after " in line for line in tests)
    failed = sum(" failed after " in line for line in tests)
    # unittest: `Ran 5 tests in 0.1s`, `FAILED (failures=1, errors=1, skipped=2)`.
    for match in re.finditer(r"^Ran (\d+) tests? in .*\n\s*(OK|FAILED)(?: \((.*)\))?", log, re.M):
        numbers = dict(re.findall(r"([a-z ]+)=(\d+)", match[3] or ""))
        bad = int(numbers.get("failures", 0)) + int(numbers.get("errors", 0))
        failed += bad
        passed += int(match[1]) - bad - int(numbers.get("skipped", 0))
    # pytest: `1 failed, 5 passed, 1 skipped in 3.21s`.
    for match in re.finditer(r"^(?:=+ )?((?:\d+ \w+, )*\d+ \w+) in [\d.]+s", log, re.M):
        numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", match[1])}
        passed += numbers.get("passed", 0)
        failed += numbers.get("failed", 0) + numbers.get("error", 0) + numbers.get("errors", 0)
    # node: `# pass 5` or `ℹ pass 5`.
    for word, number in re.findall(r"^(?:#|ℹ) (pass|fail) (\d+)$", log, re.M):
        passed, failed = passed + (word == "pass") * int(number), failed + (word == "fail") * int(number)
    return passed, failed


class Runner:
    def __init__(self, stages, jobs):
        self.waiting, self.jobs, self.running = stages, jobs, []
        self.succeeded, self.broken = set(), []
        self.passed = self.failed = 0
        self.began = time.monotonic()

    def run(self):
        reported = time.monotonic()
        try:
            while self.running or self.start():
                for each in [each for each in self.running if each[1].poll() is not None]:
                    self.running.remove(each)
                    self.end(*each)
                self.start()
                if time.monotonic() - reported > REPORT_SECONDS:
                    reported = time.monotonic()
                    self.say(f"running: {', '.join(stage.name for stage, *_ in self.running)}")
                time.sleep(0.1)
        finally:
            for _, process, *_ in self.running:
                os.killpg(process.pid, signal.SIGTERM)
        return self.summary()

    def say(self, text):
        seconds = int(time.monotonic() - self.began)
        print(f"=== {seconds // 60:02}:{seconds % 60:02} {text}", flush=True)

    def start(self):
        """Starts what can start; returns whether something runs."""
        for stage in list(self.waiting):
            used = {name for other, *_ in self.running for name in other.uses}
            can = not self.broken and len(self.running) < self.jobs and not used & set(stage.uses)
            if can and set(stage.after) <= self.succeeded:
                self.waiting.remove(stage)
                log = tempfile.TemporaryFile()
                process = subprocess.Popen(
                    ["bash", "-c", stage.command], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                    start_new_session=True)
                self.running.append((stage, process, log, time.monotonic()))
                self.say(f"{stage.name}: {stage.command}")
        return bool(self.running)

    def end(self, stage, process, log, began):
        log.seek(0)
        text = log.read().decode(errors="replace")
        log.close()
        sys.stdout.write(text if not text or text.endswith("\n") else text + "\n")
        passed, failed = count_tests(text) if stage.counts == "tests" else (int(stage.counts == "one"), 0)
        status = process.returncode
        problem = f"exited with status {status}" if status else "a test failed" if failed else None
        if stage.counts == "tests" and passed + failed == 0 and not problem:
            problem = "ran no test"
        seconds = time.monotonic() - began
        self.say(f"{stage.name}: {problem or 'succeeded'} after {seconds:.0f} s")
        if problem:
            self.broken.append((stage, problem, text))
            passed, failed = passed if stage.counts == "tests" else 0, max(failed, 1)
        else:
            self.succeeded.add(stage.name)
        self.passed += passed
        self.failed += failed

    def summary(self):
        # At the end of the output stands what failed.
        for stage, problem, text in self.broken:
            lines = [line[:LINE_LENGTH] for line in text.splitlines()]
            reasons = [line for line in lines[:-SHOWN_LINES] if REASONS.search(line)]
            print(f"\n=== {stage.name} {problem}: {stage.command}")
            print("\n".join(reasons[-SHOWN_LINES:] + lines[-SHOWN_LINES:]))
        if self.broken and self.waiting:
            print(f"=== not run: {', '.join(stage.name for stage in self.waiting)}")
        for stage, problem, _ in self.broken:
            print(f"stage {stage.name} {problem}")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return not self.broken and self.passed > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 3), help="stages at once")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(0 if Runner(read(options.file), max(1, options.jobs)).run() else 1)


if __name__ == "__main__":
    main()
