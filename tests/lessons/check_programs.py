#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The lesson programs as a user calls them: every option, right and wrong, no device, the JSON document.

check_programs.py --backend emulator|gpu --cudart FILE [KIND] [--brief] PROGRAM [unittest words]

KIND is --experiment, --structures or --families; none: a lesson that sums.

An experiment is a lesson's further program (common/program/experiment.cuh): it has tables, no rungs, and fewer options.
A lesson of structures (common/program/structures.cuh) has rungs, operations instead of elements, and tables.
A lesson of families (common/program/family.cuh) has rungs in families, with choices of their own.
--brief leaves out what all programs of a kind share (common/), and one of them has shown: the matrix of bad values, the
spellings of sizes, seeds.
--cudart names the toolkit's own libcudart.so: with it in the emulator's place and no GPU visible, there is no device.
"""

from __future__ import annotations

import argparse
import math
import sys
import unittest
from pathlib import Path

from called_program import BAD_VALUES, OPTIONS, QUICK, Program, call, options, rows_of, rungs

BRIEF = {  # what is tried of each class
    "Helpful": ("test_list_prints_one_line_per_rung_with_its_idea",),
    "Accepted": (
        "test_the_table_has_the_cpu_first_then_the_rungs_in_order_then_cub",
        "test_no_elements_and_one_in_both_types",
    ),
    "Refused": ("test_an_unknown_rung_is_answered_with_those_there_are",),
    "Document": ("test_the_document_has_the_rows_of_the_table",),
    "NoDevice": ("test_without_a_gpu_and_the_emulator_one_line_says_what_to_do_and_the_exit_code_is_3",),
    "Experiment": ("test_unknown_options_and_stray_words_are_refused", "test_the_tables_are_printed_and_written"),
    "Families": ("test_the_document_has_every_family_with_its_rows_in_order",),
    "Structures": ("test_the_tables_have_the_rungs_in_order", "test_sizes_blocks_and_chosen_rungs"),
}
# Lesson 00 is about launches, not about CUB. Of lesson 09, 09_precision.sums has CUB beside what it can sum. CUB has no
# RMSNorm, no ways or stencil as lesson 10 has, no hash table, no scheduler, no clusters, and knows one GPU.
WITHOUT_LIBRARY = set("saxpy sum rmsnorm ways stencil fill find tree refine paths clusters gather".split())


class Refused(Program):
    def test_bad_values_get_one_line_that_names_what_is_allowed_and_exit_code_2(self) -> None:
        for option, (values, parts) in options().items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.check_refused((option, value), option, *parts)

    def test_an_option_without_its_value_is_refused(self) -> None:
        for option in options():
            with self.subTest(option=option):
                self.check_refused((option,), option)

    def test_unknown_options_and_stray_words_are_refused(self) -> None:
        for word in ("--fast", "-q", "1000", "--N"):
            with self.subTest(word=word):
                self.check_refused((word,), word, "--help")

    def test_an_unknown_rung_is_answered_with_those_there_are(self) -> None:
        self.check_refused(("--rung", "no_such_rung"), ", ".join(rungs()))

    def test_the_first_wrong_option_wins_over_list(self) -> None:
        self.check_refused(("--list", "--block", "100"), "--block")

    def test_more_elements_than_memory_are_refused_at_once(self) -> None:
        self.check_refused(("--n", "2^40"), "2^40")

    def test_a_json_file_that_cannot_be_written_is_refused(self) -> None:
        for path in ("/no/such/folder/x.json", "/"):
            with self.subTest(path=path):
                run = call(*QUICK, "--json", path)
                self.assertEqual(run.returncode, 2)
                self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
                self.assertIn(path, run.stderr)


class Helpful(Program):
    def test_help_names_every_option(self) -> None:
        run = call("--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for option in (*options(), "--list", "--help"):
            self.assertIn(option, run.stdout)

    def test_list_prints_one_line_per_rung_with_its_idea(self) -> None:
        run = call("--list")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertGreater(len(run.stdout.splitlines()), 0)
        for line in run.stdout.splitlines():
            self.assertRegex(line, r"^[a-z0-9_]+ +\S.*\S$")


class Accepted(Program):
    def test_the_table_has_the_cpu_first_then_the_rungs_in_order_then_cub(self) -> None:
        run = call(*QUICK)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run)
        ids = rows_of(run.stdout)
        self.assertEqual(ids[0], "cpu_1_thread")
        self.assertRegex(ids[1], r"^cpu_\d+_threads$")
        self.assertEqual(ids[2:], [*rungs(), "cub"])
        self.assertNotIn("FAIL", run.stdout)

    def test_times_are_called_measured_on_a_gpu_and_modelled_on_the_emulator(self) -> None:
        first = call(*QUICK).stdout.splitlines()[0]
        emulated = OPTIONS.backend == "emulator"
        self.assertEqual(emulated, "modelled on" in first)
        self.assertEqual(emulated, "emulator" in first)
        self.assertEqual(not emulated, "measured on" in first)

    def test_no_elements_and_one_in_both_types(self) -> None:
        for n in ("0", "1"):
            for kind in ("f32", "i32"):
                with self.subTest(n=n, type=kind):
                    run = call("--n", n, "--type", kind, "--reps", "1")
                    self.assertEqual((run.returncode, run.stderr), (0, ""), run)
                    self.assertIn(f"sum of {n} {kind}", run.stdout)

    def test_every_block_size_and_spelling_of_n(self) -> None:
        for block, n in zip(("32", "64", "128", "512", "1024"), ("1e3", "2^10", "1Ki", "1k", "1.5k"), strict=True):
            with self.subTest(block=block, n=n):
                run = call("--n", n, "--block", block, "--reps", "1")
                self.assertEqual(run.returncode, 0, run)
                self.assertIn(f"block {block},", run.stdout)

    def test_chosen_rungs_run_and_no_others(self) -> None:
        last = rungs()[-1]
        run = call(*QUICK, "--type", "i32", "--rung", last)
        self.assertEqual(run.returncode, 0, run)
        ids = rows_of(run.stdout)
        self.assertIn(last, ids)
        self.assertFalse(set(rungs()[:-1]) & set(ids))


class Document(Program):
    def test_the_document_has_every_field_of_the_design(self) -> None:
        doc = self.document(*QUICK, "--seed", "7", "--block", "128")
        self.assertIsInstance(doc["schema"], int)
        self.assertEqual(doc["lesson"], Path(OPTIONS.program).name)
        self.assertEqual((doc["n"], doc["seed"], doc["block"], doc["type"]), (1000, 7, 128, "f32"))
        self.assertEqual(doc["revision"], "abc123")
        self.assertEqual(doc["backend"], OPTIONS.backend)
        self.assertEqual(doc["times"], "modelled" if OPTIONS.backend == "emulator" else "measured")
        self.assertRegex(doc["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        for field in ("name", "sm", "multiprocessors", "l2_bytes", "bus_gbps", "driver", "runtime"):
            self.assertTrue(doc["device"][field], field)
        for field in ("read_gbps", "copy_gbps"):
            self.assertGreater(doc["roof"][field], 0)

    def test_the_document_has_the_rows_of_the_table(self) -> None:
        doc = self.document(*QUICK, "--type", "i32")
        rows = doc["rows"]
        self.assertEqual([row["kind"] for row in rows], ["cpu", "cpu", *["rung"] * len(rungs()), "library"])
        self.assertEqual([row["id"] for row in rows if row["kind"] == "rung"], rungs())
        for row in rows:
            with self.subTest(row=row["id"]):
                self.assertTrue(row["idea"])
                if "skipped" in row:
                    continue
                self.assertTrue(row["ok"])
                self.assertEqual((row["error"], row["bound"]), (0, 0))  # integers
                self.assertEqual(row["expected"], row["actual"])
                self.assertEqual(len(row["samples_us"]), 1)
                self.assertEqual(row["median_us"], row["samples_us"][0])
                self.assertTrue(math.isclose(row["gbps"], 4 * 1000 / row["median_us"] / 1e3))
                self.assertEqual((row["spread"], row["slow_samples"]), (0, 0))

    def test_no_elements_make_a_valid_document(self) -> None:
        for row in self.document("--n", "0", "--reps", "1")["rows"]:
            if "skipped" not in row:
                self.assertEqual((row["expected"], row["actual"], row["gbps"]), (0, 0, 0))

    def test_the_same_seed_gives_the_same_sums_and_another_seed_others(self) -> None:
        def sums(seed: str) -> list[int]:
            rows = self.document(*QUICK, "--type", "i32", "--seed", seed)["rows"]
            return [row["actual"] for row in rows if "skipped" not in row]

        self.assertEqual(sums("3"), sums("3"))
        self.assertNotEqual(sums("3")[0], sums("4")[0])
        self.assertEqual(len(set(sums("3"))), 1)


class NoDevice(Program):
    def test_without_a_gpu_and_the_emulator_one_line_says_what_to_do_and_the_exit_code_is_3(self) -> None:
        run = call(LD_PRELOAD=OPTIONS.cudart, CUDA_VISIBLE_DEVICES="")
        self.assertEqual(run.returncode, 3, run)
        self.assertEqual(run.stdout, "")
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn("./course", run.stderr)

    def test_list_and_help_need_no_device(self) -> None:
        for word in ("--help",) if OPTIONS.experiment else ("--list", "--help"):
            self.assertEqual(call(word, LD_PRELOAD=OPTIONS.cudart, CUDA_VISIBLE_DEVICES="").returncode, 0)

    def test_a_wrong_setting_of_the_emulator_is_named_beside_it(self) -> None:
        if OPTIONS.backend != "emulator":
            self.skipTest("the emulator's setting")
        run = call(WARPLADDER_DEVICES="0")
        self.assertEqual(run.returncode, 3, run)
        self.assertIn("WARPLADDER_DEVICES=0", run.stderr)


class Experiment(Program):
    """Options that an experiment does not take are unknown to it; --help says which it takes."""

    def test_help_is_a_success(self) -> None:
        run = call("--help")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("--help", run.stdout)

    def test_bad_values_get_one_line_that_names_what_is_allowed_and_exit_code_2(self) -> None:
        taken = [option for option in ("--n", "--reps", "--json", "--flush") if option + " " in call("--help").stdout]
        for option in taken:
            values, parts = BAD_VALUES[option]
            for value in values:
                with self.subTest(option=option, value=value):
                    self.check_refused((option, value), option, *parts)

    def test_unknown_options_and_stray_words_are_refused(self) -> None:
        for word in ("--fast", "-q", "1000", "--rung"):
            with self.subTest(word=word):
                self.check_refused((word,), word, "--help")

    def test_the_tables_are_printed_and_written(self) -> None:
        if "--json" not in call("--help").stdout:  # it only prints
            run = call()
            self.assertEqual(run.returncode, 0, run)  # the emulator may say why it refuses a launch
            self.assertTrue(run.stdout)
            return
        doc = self.document()
        self.assertEqual(f"{doc['lesson']}.{doc['name']}", Path(OPTIONS.program).name)
        self.assertEqual((doc["kind"], doc["backend"], doc["revision"]), ("experiment", OPTIONS.backend, "abc123"))
        self.assertGreater(len(doc["tables"]), 0)
        for table in doc["tables"]:
            self.assertTrue(table["id"] and table["title"] and table["rows"])
            for row in table["rows"]:
                self.assertEqual(len(row), len(table["columns"]))


class Structures(Program):
    def test_the_tables_have_the_rungs_in_order(self) -> None:
        doc = self.document(*QUICK, "--block", "64", "--seed", "7")
        self.assertEqual(
            (doc["kind"], doc["lesson"], doc["name"]), ("experiment", Path(OPTIONS.program).name, "structures")
        )
        self.assertEqual((doc["backend"], doc["revision"]), (OPTIONS.backend, "abc123"))
        rates, checks = doc["tables"]
        self.assertEqual([row[0] for row in rates["rows"]], rungs())
        for row in checks["rows"]:
            with self.subTest(row=row[0]):
                found = dict(zip(checks["columns"], row, strict=True))
                self.assertGreater(found["operations"], 0)
                if "wrong" not in row[0]:
                    wrong = sum(found[column] for column in checks["columns"][2:])
                    self.assertEqual(wrong, 0, found)

    def test_sizes_blocks_and_chosen_rungs(self) -> None:
        for n, block in (("0", "32"), ("1", "64"), ("1e3", "128"), ("1.5k", "1024")):
            with self.subTest(n=n, block=block):
                run = call("--n", n, "--block", block, "--reps", "1", "--rung", rungs()[-1])
                self.assertEqual((run.returncode, run.stderr), (0, ""), run)
                self.assertIn(f"block {block},", run.stdout)
                self.assertIn(rungs()[-1], run.stdout)
                self.assertNotIn("FAIL", run.stdout)
                for other in rungs()[:-1]:
                    self.assertNotRegex(run.stdout, rf"(?m)^ *{other}\b")

    def test_times_are_called_measured_on_a_gpu_and_modelled_on_the_emulator(self) -> None:
        first = call(*QUICK, "--rung", rungs()[0]).stdout.splitlines()[0]
        self.assertIn("modelled on" if OPTIONS.backend == "emulator" else "measured on", first)

    def test_the_type_of_a_sum_is_an_unknown_option(self) -> None:
        self.check_refused(("--type", "i32"), "--type", "--help")


class Families(Program):
    def test_the_document_has_every_family_with_its_rows_in_order(self) -> None:
        doc = self.document(*QUICK, "--block", "64", "--seed", "7")
        self.assertEqual((doc["kind"], doc["lesson"]), ("families", Path(OPTIONS.program).name))
        self.assertEqual((doc["backend"], doc["revision"]), (OPTIONS.backend, "abc123"))
        self.assertEqual((doc["block"], doc["seed"]), (64, 7))
        rows = [row for family in doc["families"] for row in family["rows"]]
        self.assertEqual([row["id"] for row in rows if row["kind"] == "rung"], rungs())
        for family in doc["families"]:
            kinds = [row["kind"] for row in family["rows"]]
            self.assertEqual(kinds[:2], ["cpu", "cpu"])
            last = "rung" if family["family"] in WITHOUT_LIBRARY else "library"
            self.assertEqual(kinds.count("library"), int(last == "library"))
            self.assertEqual((kinds[-1], family["n"]), (last, 1000))
            for row in family["rows"]:
                self.assertTrue(row.get("skipped") or row["ok"], row)

    def test_sizes_and_blocks(self) -> None:
        for n, block in (("0", "32"), ("1", "64"), ("1e3", "1024")):
            with self.subTest(n=n, block=block):
                run = call("--n", n, "--block", block, "--reps", "1")
                self.assertEqual((run.returncode, run.stderr), (0, ""), run)
                self.assertIn(f"block {block},", run.stdout)
                self.assertNotIn("FAIL", run.stdout)

    def test_a_chosen_rung_runs_alone(self) -> None:
        run = call(*QUICK, "--rung", rungs()[-1])
        self.assertEqual(run.returncode, 0, run)
        self.assertEqual([id_ for id_ in rows_of(run.stdout) if id_ in rungs()], rungs()[-1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=("emulator", "gpu"), required=True)
    parser.add_argument("--cudart", required=True)
    parser.add_argument("--experiment", action="store_true")
    parser.add_argument("--structures", action="store_true")
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("program")
    rest = parser.parse_known_args(namespace=OPTIONS)[1]
    classes: tuple[type[unittest.TestCase], ...] = (Helpful, Accepted, Refused, Document, NoDevice)
    if OPTIONS.experiment:
        classes = (Experiment, NoDevice)
    elif OPTIONS.structures:
        classes = (Helpful, Structures, Refused, NoDevice)
    elif OPTIONS.families:
        classes = (Helpful, Families, Refused, NoDevice)
    tests = [c.__name__ for c in classes]
    if OPTIONS.brief:
        tests = [f"{name}.{test}" for name in tests for test in BRIEF[name]]
    unittest.main(argv=[sys.argv[0], *rest], defaultTest=tests)


if __name__ == "__main__":
    main()
