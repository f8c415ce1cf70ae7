# SPDX-License-Identifier: MIT
"""Turns what happened to a student's file into a verdict: the cause first, then what is known about it."""

from __future__ import annotations

import re
import signal
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..core.plain import small_number
from ..exercises.catalog import Budget
from ..exercises.verdict import CaseResult, Kind, Verdict
from ..sandbox.sandbox import Limits, Record
from . import arrays
from .compile import CompileError

_PREFIX = "warp-ladder emulator: "
_FAULTS = {
    "access out of bounds": Kind.OUT_OF_BOUNDS,
    "access to freed memory": Kind.OUT_OF_BOUNDS,
    "access to host memory": Kind.OUT_OF_BOUNDS,
    "access in the wrong address space": Kind.OUT_OF_BOUNDS,
    "divergent barrier": Kind.BARRIER,
    "lane not in its own mask": Kind.BAD_MASK,
    "deadlock": Kind.DEADLOCK,
    "livelock": Kind.DEADLOCK,
    "run-away kernel": Kind.TIME_LIMIT,
}
_ENDLESS = "run-away kernel"
_LOOK_ALIKE = {**dict.fromkeys("“”„", '"'), **dict.fromkeys("‘’‚´", "'"), **dict.fromkeys("–—−", "-")}
_LOOK_ALIKE |= {"×": "*", "、": ",", "。": ".", "【": "[", "】": "]"}
_CALLER = "run.cu"  # the exercise's own, which includes the student's file
_UNDEFINED = re.compile(r'identifier "([^"]{1,100})" is undefined')
_HEADLINES = {
    Kind.BARRIER: "a barrier is not reached by all threads that it waits for",
    Kind.BAD_MASK: "a lane calls a _sync function whose mask does not name it",
    Kind.TIME_LIMIT: "the kernel does not come to an end",
}
_TITLES = {"trap": "the kernel stopped itself (trap)"}  # where the emulator's word says too little
_INLINED = re.compile(r", which inlines \S+")
_MOST_LINES, _LONGEST_LINE = 300, 600  # of a report; the emulator's own are far smaller
_STUCK = {
    "deadlock": "deadlock: every thread that is left waits for another",
    "livelock": "livelock: threads loop, and nothing they read will ever change",
}


@dataclass
class Fault:
    """The emulator's report: a title, then labels with text."""

    title: str
    labels: dict[str, list[str]] = field(default_factory=dict)

    def first(self, label: str) -> str:
        return next(iter(self.labels.get(label, [])), "")

    @property
    def kind(self) -> Kind:
        waits = " ".join(self.labels.get("waits", []))
        if self.title == "deadlock" and "at barrier" in waits:
            return Kind.BARRIER
        return _FAULTS.get(self.title, Kind.CRASHED)


def read_fault(stderr: str) -> Fault | None:
    """The last report in what a program wrote. The program may have written it, so no more is read than one has."""
    start = stderr.rfind("\n" + _PREFIX) + 1
    if not stderr.startswith(_PREFIX, start):
        return None
    lines = stderr[start : start + _MOST_LINES * _LONGEST_LINE].splitlines()[:_MOST_LINES]
    lines = [line[:_LONGEST_LINE] for line in lines]
    head = lines[0][len(_PREFIX) :]
    fault = Fault(head if head.startswith("cannot run") else head.rsplit(" in ", 1)[0])
    label = ""
    for line in lines[1:]:
        match = re.match(r"^  (\w+) {2,}(\S.*)$", line)
        if match:
            label = match.group(1)
            fault.labels.setdefault(label, []).append(match.group(2))
        elif line.startswith("          ") and label:
            fault.labels[label][-1] += "\n" + line.strip()
        else:
            break
    return fault


def _allowance_spent(about: tuple[tuple[str, str], ...] = ()) -> Verdict:
    think = "which of your files compiles or runs for so long? Those behind it were not tried any more"
    headline = "time limit: all your files together took longer than the rules allow"
    return Verdict(Kind.TIME_LIMIT, headline, (*about, ("think", think)))


def compile_error(error: CompileError) -> Verdict:
    if error.limit == "allowance":
        return _allowance_spent()
    details = [("error", error.text), ("at", error.where)]
    details += [("line", error.source)] if error.source else []
    details += [("think", wide)] if (wide := _look_alike(error.source)) else []
    if error.more:
        errors = "error follows" if error.more == 1 else "errors follow"
        details.append(("more", f"{error.more} more {errors}; often they go with the first"))
    headline = f"it does not compile: {error.where}" if error.where else "it does not compile"
    if error.file == _CALLER and (name := _UNDEFINED.match(error.text)):  # nothing in that file is the student's
        headline = f"it does not compile: your file does not define {name.group(1)}"
        details = [("missing", f"{name.group(1)}: the exercise calls it by this name"), *details[2:]]
    return Verdict(Kind.COMPILE_ERROR, headline, tuple((k, v) for k, v in details if v))


def _look_alike(line: str) -> str:
    """Names a character that looks like one of C++ and is none: of another keyboard, or of a program for texts."""
    for c in line.partition("//")[0]:
        usual = _LOOK_ALIKE.get(c) or unicodedata.normalize("NFKC", c)
        if ord(c) > 127 and len(usual) == 1 and usual.isascii() and not usual.isalnum():
            name = unicodedata.name(c, "another character").lower()
            return f"there is {c} ({name}) in this line; C++ knows only {usual}"
    return ""


def run_failed(record: Record, limits: Limits, student: Path, case: CaseResult | None) -> Verdict | None:
    """Why a run ended early; None if it did not."""
    about = _about(case)
    if record.limit == "allowance":
        return _allowance_spent(about)
    if record.limit == "time":
        headline = f"time limit: not finished after {limits.seconds:g} s"
        return Verdict(Kind.TIME_LIMIT, headline, (*about, ("often", "a loop that never ends, or far too much work")))
    if record.limit == "memory":
        return Verdict(Kind.MEMORY_LIMIT, "memory limit: it asked for more memory than it may have", about)
    if record.limit == "output":
        size = f"{limits.output_bytes >> 10} KiB"
        return Verdict(Kind.OUTPUT_LIMIT, f"output limit: it wrote more than {size}", about)
    if record.ok:
        return None
    fault = read_fault(record.stderr)
    if fault is not None:
        return _fault_verdict(fault, student, about, record.stderr)
    if record.signal is not None:
        name = signal.Signals(record.signal).name if record.signal in set(signal.Signals) else str(record.signal)
        return Verdict(Kind.CRASHED, f"the program crashed ({name})", about)
    said = [line for line in record.stderr.splitlines() if line.startswith("exercise: ")][-1:]
    details = (*about, ("said", said[-1].removeprefix("exercise: "))) if said else about
    kind = Kind.CRASHED
    if said and "cudaErrorIllegalAddress" in said[-1]:
        kind = Kind.OUT_OF_BOUNDS
    headline = "the kernel failed" if said else f"the program ended with exit code {record.exit}"
    return Verdict(kind, headline, details)


def _fault_verdict(fault: Fault, student: Path, about: tuple[tuple[str, str], ...], stderr: str = "") -> Verdict:
    kind, at = fault.kind, fault.first("at")
    headline = _HEADLINES.get(kind) or (_STUCK | _TITLES).get(fault.title, fault.title)
    if fault.title in _STUCK:
        at = next((m.group(1) for w in fault.labels.get("waits", []) if (m := re.search(r" at (\S+:\d+)", w))), "")
    headline += f", at {at.splitlines()[0]}" if at else ""
    # Of these the headline says it all, and how to allow more is no student's business.
    what = "" if fault.title in _STUCK or fault.title == _ENDLESS else arrays.named(fault.first("what"), stderr)
    details = [("what", what), ("who", fault.first("who"))]
    details += [("waits", _without_toolkit(text)) for text in fault.labels.get("waits", [])[:6]]
    details += [("gone", text) for text in fault.labels.get("gone", [])[:3]]
    think = fault.first("hint")
    if fault.title == _ENDLESS:
        think = "what must happen so that this loop ends, and who makes it happen?"
    details += [("line", source_line(student, at)), *about, ("think", think)]
    return Verdict(kind, headline, tuple((label, text) for label, text in details if text))


def _without_toolkit(text: str) -> str:
    """What the toolkit inlines, and the instruction at the end of a line, are of no use to a student."""
    lines = [_INLINED.sub("", line) for line in text.splitlines()]
    return "\n".join(line.rpartition("  [")[0] if "  [" in line and line.endswith("]") else line for line in lines)


def source_line(student: Path, at: str) -> str:
    """The student's line that the report names. Whatever it names, only the student's own file is opened."""
    match = re.match(re.escape(student.name) + r":(\d{1,9})", at)
    if match is None:
        return ""
    lines = student.read_text(encoding="utf-8", errors="replace").splitlines()
    number = small_number(match.group(1)) or 0
    return f"{number} | {lines[number - 1].strip()}" if 0 < number <= len(lines) else ""


def _about(case: CaseResult | None) -> tuple[tuple[str, str], ...]:
    return () if case is None else (("case", f"n = {case.n}, seed {case.seed}"),)


def of_cases(results: Sequence[CaseResult]) -> Verdict:
    """The verdict on values. The first case that is wrong is shown, small ones first."""
    wrong = [result for result in results if not result.ok]
    if not wrong:
        right = "the case is right" if len(results) == 1 else f"all {len(results)} cases are right"
        return Verdict(Kind.PASSED, right, cases=tuple(results))
    # A cause that was recognised says more than a value that differs.
    tails = [result for result in wrong if result.kind is Kind.LOST_TAIL]
    if len(tails) == len(wrong):  # a sum that is partly right shows more than one that is nothing at all
        first = next((result for result in tails if result.facts.get("actual") != "0"), tails[0])
    else:
        first = next(result for result in wrong if result.kind is not Kind.LOST_TAIL)
    details = [
        *value_details(first),
        ("cases", f"{len(wrong)} of {len(results)} {'is' if len(wrong) == 1 else 'are'} wrong"),
    ]
    return Verdict(first.kind, value_headline(first), tuple(details), case=first.id, cases=tuple(results))


def value_headline(result: CaseResult) -> str:
    if result.kind is Kind.LOST_TAIL:
        what = (
            f"{_element(result)} is {result.facts['actual']}, not {result.facts['expected']}, " if result.facts else ""
        )
        return f"the tail is lost: {what}for n = {result.n}"
    if result.kind is Kind.MISSING:
        return f"no result for n = {result.n}: {result.message}"
    if "index" not in result.facts:
        return f"wrong for n = {result.n}: {result.message}"
    name = _element(result)
    if result.facts.get("untouched"):
        return f"{name} was never written, for n = {result.n}"
    return f"wrong value: {name} is {result.facts['actual']}, not {result.facts['expected']}, for n = {result.n}"


def _element(result: CaseResult) -> str:
    array, index = result.facts["array"], result.facts["index"]
    return f"{array}[{index}]" if result.facts.get("size", 1) > 1 else str(array)


def value_details(result: CaseResult) -> list[tuple[str, str]]:
    facts = result.facts
    details = []
    if "index" in facts:
        wrong, size = facts.get("wrong", 1), facts.get("size", 1)
        more = f" ({wrong} of {size} elements {'differs' if wrong == 1 else 'differ'})" if size > 1 else ""
        details.append(("first difference", _element(result) + more))
        details.append(("expected", str(facts["expected"])))
        actual = str(facts["actual"])
        details.append(("actual", actual + (" (the fill of fresh memory)" if facts.get("untouched") else "")))
    hidden = "" if result.visible else ", a case that the statement does not show"
    details.append(("for", f"n = {result.n}, seed {result.seed}{hidden}"))
    told = "index" not in facts and result.kind is not Kind.LOST_TAIL  # the headline is the message then
    if result.message and not told:
        details.append(("because", result.message))
    return details


def of_schedule(seed: int, verdict: Verdict, command: str, weak: bool = False) -> Verdict:
    """Right in the usual order of the threads, wrong or stuck in another one, or where stores are seen late."""
    how = " with weak memory" if weak else ""
    headline = f"a race: right in the usual order of the threads, wrong in another one{how} (schedule {seed})"
    details = [("then", verdict.headline), *verdict.details]
    think = "who writes what another thread reads, and what makes the reader wait?"
    if weak:
        think += "\nAnd what makes it see all that was written before: which release, which acquire, at which scope?"
    details.append(("think", think))
    details.append(("again", command))
    return Verdict(Kind.SCHEDULE, headline, tuple(details), case=verdict.case, cases=verdict.cases)


def of_finding(headline: str, details: Sequence[tuple[str, str]], verdict: Verdict) -> Verdict:
    """Right values, but by luck: something that CUDA does not promise."""
    return Verdict(
        Kind.SCHEDULE, f"{headline}; the values are right this time only", tuple(details), cases=verdict.cases
    )


def of_budget(name: str, budget: Budget, have: int, where: str, share: int, source: str) -> Verdict:
    headline = (
        f"over budget: {have} {plain_name(budget.counter)}, {budget.max} {'is' if budget.max == 1 else 'are'} allowed"
    )
    details = [("counter", budget.counter), ("have", str(have)), ("allowed", str(budget.max)), ("case", budget.case)]
    if where:
        details.append(("most", f"{share} of them at {where}"))
    if source:
        details.append(("line", source))
    details += [("why", budget.why), ("see", f"`./course check {name} --annotate` shows what each line spends")]
    return Verdict(Kind.BUDGET, headline, tuple(details), case=budget.case)


def of_tampering(why: str) -> Verdict:
    """Right values in a run that was not the one asked for: they are not believed."""
    think = "does your file change the environment, close or write files, or end the program itself?"
    return Verdict(Kind.TAMPERED, f"this run does not count: {why}", (("think", think),))


def of_stages(verdicts: Sequence[Verdict], stages: Sequence[bool], name: str) -> Verdict:
    """What the emulator and the GPU (True) say together. The last verdict is the only one that may be bad."""
    last = verdicts[-1]
    if len(verdicts) == 2:
        notes = (*verdicts[0].notes, *last.notes)
        if last.passed:
            return replace(last, headline=f"{verdicts[0].headline}, and on the GPU", notes=notes)
        but = "on the GPU; on the emulator all is right. Is memory read that nobody wrote, or does the order matter?"
        if last.kind is Kind.COMPILE_ERROR:
            but = "for this GPU; for the emulator it compiles, and all is right"
        return replace(last, details=(*last.details, ("where", but)), notes=notes)
    if last.passed and stages == (True,):
        look = f"`./course check {name} --backend emulator` looks for them"
        return replace(last, notes=(*last.notes, f"a GPU hides races, stray accesses and what a budget counts; {look}"))
    return last


_PLAIN = (
    ("sectors_pipe_lsu_mem_global_op_ld", "sectors read from global memory"),
    ("sectors_pipe_lsu_mem_global_op_st", "sectors written to global memory"),
    ("requests_pipe_lsu_mem_global_op_ld", "loads from global memory"),
    ("requests_pipe_lsu_mem_global_op_st", "stores to global memory"),
    ("sass_sectors_mem_global", "sectors of global memory"),
    ("atomics_mem_global", "atomics on global memory"),
    ("atomics_mem_shared", "atomics on shared memory"),
    ("sass_inst_executed_op_shared_ld", "loads from shared memory"),
    ("op_barrier", "barriers (counted per warp)"),
    ("shared_excessive", "bank conflicts"),
    ("shared_mem_per_block", "bytes of shared memory per block"),
    ("op_shfl", "shuffles"),
    ("op_fence", "fences"),
    ("op_release", "releases"),
    ("scope_system", "instructions at system scope"),
    ("inst_executed.sum", "warp instructions"),
    ("branch_targets_threads_divergent", "divergent branches"),
)


def plain_name(counter: str) -> str:
    return next((text for word, text in _PLAIN if word in counter), counter)
