"""scripts/stages.py on stages that only print."""
import os, re, shutil, signal, subprocess, tempfile, time, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SWIFT = """✔ Test "one" passed after 0.1 seconds.
✔ Test two() passed after 0.1 seconds.
✘ Test "three fails" failed after 0.1 seconds with 1 issue.
✘ Test run with 3 tests in 1 suite failed after 0.2 seconds with 1 issue.
"""


class StagesTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_stages(self, text, *options):
        """Runs the lines of a file of stages; returns the status and the output."""
        (self.folder / "stages").write_text(text)
        ended = subprocess.run(
            [ROOT / "scripts/stages.py", "stages", *options], cwd=self.folder, capture_output=True, text=True, timeout=60)
        return ended.returncode, ended.stdout + ended.stderr

    def log(self, name, text):
        (self.folder / name).write_text(text)
        return f"cat {name}"

    def test_counts_tests_of_all_stages_in_the_last_line(self):
        swift = self.log("swift", SWIFT.replace("✘ Test \"three", "✔ Test \"three").replace("fails\" failed", "\" passed"))
        page = self.log("page", "ℹ pass 4\nℹ fail 0\n...\n7 passed, 1 skipped in 3.21s\n")
        sql = self.log("sql", "Ran 5 tests in 0.1s\n\nOK (skipped=2)\n")
        status, output = self.run_stages(
            f"setup: true\ntest after=setup counts=tests: {swift}\npage counts=tests: {page}\n"
            f"sql counts=tests: {sql}\nsweep counts=one: echo swept\n")
        self.assertEqual(output.splitlines()[-1], "18 passed, 0 failed")
        self.assertEqual(status, 0)

    def test_a_failed_stage_is_named_with_its_last_lines(self):
        status, output = self.run_stages("sweep counts=one: seq 100 | sed s/^/line-/; exit 3\n")
        end = output[output.rindex("\n=== sweep exited with status 3"):]
        self.assertEqual(re.findall(r"^line-(\d+)", end, re.M), [str(n) for n in range(61, 101)])
        self.assertEqual(output.splitlines()[-2:], ["stage sweep exited with status 3", "0 passed, 1 failed"])
        self.assertEqual(status, 1)

    def test_failed_tests_are_counted_and_their_reasons_shown(self):
        text = SWIFT.replace("✘ Test \"three", "✘ Test \"three fails\" recorded an issue at x.swift:1\n✘ Test \"three")
        status, output = self.run_stages(f"test counts=tests: {self.log('swift', text)}; seq 100; exit 1\n")
        self.assertEqual(output.splitlines()[-1], "2 passed, 1 failed")
        self.assertIn("recorded an issue", output[output.rindex("=== test exited"):])
        self.assertEqual(status, 1)

    def test_failed_tests_fail_a_stage_with_status_0(self):
        for log in (SWIFT, "Ran 3 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n", "1 failed, 2 passed in 3.2s\n", "# fail 1\n"):
            with self.subTest(log):
                status, output = self.run_stages(f"test counts=tests: {self.log('log', log)}\n")
                self.assertNotIn("0 failed", output.splitlines()[-1])
                self.assertEqual(status, 1)

    def test_a_stage_that_ran_no_test_fails(self):
        status, output = self.run_stages("test counts=tests: echo built\nsweep counts=one: true\n")
        self.assertIn("stage test ran no test", output)
        self.assertEqual(status, 1)

    def test_after_a_failure_nothing_starts(self):
        status, output = self.run_stages("a: false\nb after=a: touch b\nc: touch c\n", "--jobs", "1")
        self.assertFalse((self.folder / "b").exists() or (self.folder / "c").exists())
        self.assertIn("=== not run: b, c", output)
        self.assertEqual(status, 1)

    def test_what_runs_at_a_failure_ends_and_counts(self):
        _, output = self.run_stages(
            "a: while [ ! -e b ]; do sleep 0.05; done; false\n"
            "b counts=one: touch b; sleep 0.5\n", "--jobs", "2")
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed")

    def test_stages_run_side_by_side_and_their_logs_stay_whole(self):
        # Each waits for the other.
        wait = "for n in 1 2 3 4 5; do echo {0}-$n; done; touch {0}; while [ ! -e {1} ]; do sleep 0.05; done; echo {0}-end"
        status, output = self.run_stages(f"a: {wait.format('a', 'b')}\nb counts=one: {wait.format('b', 'a')}\n", "--jobs", "2")
        self.assertEqual(status, 0)
        lines = [line for line in output.splitlines() if re.match(r"[ab]-", line)]
        self.assertEqual(sorted(lines, key=lambda line: line[0] != lines[0][0]), lines)

    def test_stages_that_use_one_thing_never_overlap(self):
        alone = "mkdir held && sleep 0.3 && rmdir held"
        status, output = self.run_stages("".join(f"{n} uses=swiftpm counts=one: {alone}\n" for n in "abc"), "--jobs", "3")
        self.assertEqual((status, output.splitlines()[-1]), (0, "3 passed, 0 failed"))

    def test_standard_input_is_closed(self):
        status, output = self.run_stages("a counts=one: [ -z \"$(cat)\" ]\n")
        self.assertEqual(status, 0)

    def test_an_end_by_signal_ends_the_stages(self):
        (self.folder / "stages").write_text("a: echo $$ >process; exec sleep 600\n")
        process = subprocess.Popen([ROOT / "scripts/stages.py", "stages"], cwd=self.folder, stdout=subprocess.DEVNULL)
        while not (self.folder / "process").exists() or not (self.folder / "process").read_text().endswith("\n"):
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 143)
        stage = int((self.folder / "process").read_text())
        for _ in range(1200):
            if not Path(f"/proc/{stage}").exists() or " Z " in Path(f"/proc/{stage}/stat").read_text():
                return
            time.sleep(0.05)
        self.fail("the stage still runs")

    def test_a_bad_line_is_refused_with_its_place(self):
        for text in ("what\n", "b after=a: true\n", "a counts=all: true\n"):
            with self.subTest(text):
                status, output = self.run_stages(text)
                self.assertRegex(output, r"^stages: stages:1: ")
                self.assertEqual(status, 1)

    def test_ci_runs_the_stages_with_closed_input_and_one_installation_at_a_time(self):
        for folder in (".ci", "scripts", "bin"):
            (self.folder / folder).mkdir()
        shutil.copy(ROOT / ".ci/run", self.folder / ".ci")
        shutil.copy(ROOT / "scripts/stages.py", self.folder / "scripts")
        # Fails if another runs.
        install = self.folder / "bin/apt-get"
        install.write_text('#!/bin/sh\nmkdir "$2" && sleep 0.3 && rmdir "$2" && echo "installed $3"\n')
        install.chmod(0o755)
        (self.folder / ".ci/stages").write_text(
            "a counts=one: [ $CI = true ] && [ -z \"$(cat)\" ] && apt-get install held one\n"
            "b counts=one: apt-get install held two\nc counts=one: apt-get install held three\n")
        ended = subprocess.run(
            [self.folder / ".ci/run", "--jobs", "3"], capture_output=True, text=True, timeout=60, input="text",
            env=os.environ | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.assertEqual(ended.stdout.splitlines()[-1], "3 passed, 0 failed", ended.stdout + ended.stderr)
        self.assertEqual(ended.returncode, 0)

    def test_the_stages_of_this_project_are_targets_of_make(self):
        stages, makefile = (ROOT / ".ci/stages").read_text(), (ROOT / "Makefile").read_text()
        targets = set(re.findall(r"^([\w-]+):", makefile, re.M))
        used = set(re.findall(r"make (?:-o \w+ )*([\w-]+)", "\n".join(l for l in stages.splitlines() if l[:1] != "#")))
        self.assertLessEqual(used, targets)
        self.assertGreater(len(used), 10)


if __name__ == "__main__":
    unittest.main()
