"""The table and the verdicts of scripts/work-bounds.py."""
import importlib.util, re, sys, tempfile, unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
spec = importlib.util.spec_from_file_location("work_bounds", ROOT / "scripts/work-bounds.py")
work_bounds = importlib.util.module_from_spec(spec)
spec.loader.exec_module(work_bounds)


class WorkBoundsTests(unittest.TestCase):
    def bound(self):
        return work_bounds.Bound("list  instructions  1_000_000  2%  # 50 of 20,000 videos")

    def test_a_count_within_the_tolerance_passes(self):
        for count in (980_000, 1_000_000, 1_020_000):
            self.assertIsNone(self.bound().judge(count))

    def test_a_count_above_fails_and_says_what_to_do(self):
        problem = self.bound().judge(1_030_000)
        self.assertIn("list: 1,030,000 instructions, 3.0 % above the bound of 1,000,000 (±2 %)", problem)
        self.assertIn("scripts/work-bounds.py --only list --update", problem)

    def test_a_bound_that_became_too_high_fails_too(self):
        self.assertIn("10.0 % below the bound of 1,000,000 (±2 %); lower the bound", self.bound().judge(900_000))

    def test_an_updated_line_keeps_its_tolerance_and_reason(self):
        updated = work_bounds.Bound(self.bound().updated(1_234_567))
        self.assertEqual((updated.case, updated.unit, updated.count, updated.tolerance), ("list", "instructions", 1_234_567, 2))
        self.assertEqual(updated.reason.strip(), "50 of 20,000 videos")

    def test_counts_of_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report"
            report.write_text("==1== Command: list\n==1== \n==1== I   refs:      37,256,048\n")
            self.assertEqual(work_bounds.count_in("instructions", report), 37_256_048)
            report.write_text("calls syscall\n----- -------\n   12 openat\n  339 read\n----- -------\n  351 total\n")
            self.assertEqual(work_bounds.count_in("calls", report), 351)

    def test_each_line_of_the_table_has_a_case_and_a_reason(self):
        bounds = [each for each in work_bounds.read_table() if not isinstance(each, str)]
        for bound in bounds:
            self.assertTrue(hasattr(work_bounds.Work, bound.case.replace("-", "_")), bound.line)
            self.assertRegex(bound.reason, r"\w", bound.line)
        self.assertGreaterEqual({each.case for each in bounds}, {
            "poll-nothing-new", "poll-new-videos", "list", "mark", "page", "api-videos"})


if __name__ == "__main__":
    unittest.main()
