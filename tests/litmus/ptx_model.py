# SPDX-License-Identifier: MIT
"""The PTX memory model (PTX 9.0, chapter "Memory Consistency Model") for litmus shapes: all outcomes it allows.

A candidate execution says which write each read reads from, in which order morally strong writes to a word come, and in
which order the fences of sequential consistency. The model's axioms then say whether it may happen. All words are 32
bits wide and used whole, and all accesses go through the generic proxy, so that what the model says of overlapping
bytes and proxies comes to nothing here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import relations as rel
from relations import Relation
from shape import BARRIERS, RMW, Op, Shape

Outcome = tuple[int, ...]
ACQUIRES = ("acquire", "acq_rel", "sc")
RELEASES = ("release", "acq_rel", "sc")


@dataclass(frozen=True)
class Event:
    number: int
    thread: int  # -1: what was there before the launch
    op: Op
    read: int = -1  # which read of its thread it is

    @property
    def strong(self) -> bool:
        return self.op.sem != "weak"


class Candidates:
    """What does not depend on the execution: the events, program order, who is morally strong for whom."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.events: list[Event] = []
        used = sorted({op.place for thread in shape.threads for op in thread.ops if op.place})
        for place in used:
            self.events.append(Event(len(self.events), -1, Op("W", place=place, values=("0",))))
        for number, thread in enumerate(shape.threads):
            reads = itertools.count()
            for op in thread.ops:
                self.events.append(Event(len(self.events), number, op, next(reads) if op.reads else -1))
        self.size = len(self.events)
        pairs = list(itertools.permutations(self.events, 2))
        before = [(a.number, b.number) for a, b in pairs if a.thread == -1 and b.thread != -1]
        self.program = [
            (a.number, b.number) for a, b in pairs if a.thread == b.thread != -1 and a.number < b.number
        ] + before
        strong = ((a.number, b.number) for a, b in pairs if self.strong_pair(a, b))
        self.morally_strong = rel.of_pairs(self.size, strong)
        self.barriers = list(self.meetings())

    def strong_pair(self, a: Event, b: Event) -> bool:
        if a.op.place and b.op.place and a.op.place != b.op.place:
            return False
        if a.thread == b.thread or -1 in (a.thread, b.thread):
            return True  # program order, in which what was there before counts as first
        return a.strong and b.strong and self.includes(a, b.thread) and self.includes(b, a.thread)

    def includes(self, event: Event, other: int) -> bool:
        """Whether the scope of an operation includes a thread."""
        mine, its = self.shape.threads[event.thread].block, self.shape.threads[other].block
        if event.op.scope == "cta":
            return mine == its
        if event.op.scope == "cluster":
            return mine // self.shape.cluster == its // self.shape.cluster
        return True

    def meetings(self) -> Iterator[tuple[int, int]]:
        """Barriers synchronise with those of the same kind, the first of each thread with the first, and so on."""
        count: dict[tuple[int, str], int] = {}
        phases: dict[tuple[str, int, int], list[Event]] = {}
        for event in self.events:
            if event.op.kind not in BARRIERS:
                continue
            phase = count[event.thread, event.op.kind] = count.get((event.thread, event.op.kind), 0) + 1
            block = self.shape.threads[event.thread].block
            group = block // self.shape.cluster if event.op.kind == "cluster" else block
            phases.setdefault((event.op.kind, group, phase), []).append(event)
        for met in phases.values():
            yield from ((a.number, b.number) for a, b in itertools.permutations(met, 2))

    def sources(self, read: Event) -> list[int]:
        """The writes it may read from: all to its place but its own."""
        return [
            e.number
            for e in self.events
            if e.op.place == read.op.place and (e.op.kind == "W" or e.op.kind in RMW) and e is not read
        ]


class Execution:
    """A choice of what each read reads from."""

    def __init__(self, given: Candidates, source: dict[int, int]) -> None:
        self.given = given
        self.source = source  # read: write
        self.read_value: dict[int, int] = {}
        self.written: dict[int, int] = {}  # nothing for a compare-and-swap that failed
        self.possible = self.thin_air() and all(write in self.written for write in source.values())

    def thin_air(self) -> bool:
        """No value may depend on itself: values are worked out along reads-from and dependencies."""
        open_events = [e for e in self.given.events if e.op.kind in ("W", "R", *RMW)]
        while open_events:
            rest = [e for e in open_events if not self.settle(e)]
            if len(rest) == len(open_events):
                return False
            open_events = rest
        return True

    def settle(self, event: Event) -> bool:
        if event.op.reads:
            source = self.given.events[self.source[event.number]]
            # A compare-and-swap that failed writes nothing: nobody can read from it, which is found in the end.
            settled = source.number in self.written or source.number in self.read_value
            if not settled:
                return False
            self.read_value[event.number] = self.written.get(source.number, -1)
        values = []
        for value in event.op.values:
            if not value.startswith("r"):
                values.append(int(value))
                continue
            on = next(e for e in self.given.events if e.thread == event.thread and e.read == int(value[1:]))
            if on.number not in self.read_value:
                return False
            values.append(self.read_value[on.number])
        was = self.read_value.get(event.number, 0)
        match event.op.kind:
            case "W" | "exch":
                self.written[event.number] = values[0]
            case "add":
                self.written[event.number] = was + values[0]
            case "cas" if was == values[0]:
                self.written[event.number] = values[1]
        return True

    # ---- the relations of the model

    def synchronises(self, fences: Relation) -> Relation:
        """Fences in their order, barriers, and release patterns with the acquire patterns that observe them."""
        given = self.given
        related = rel.union(fences, rel.of_pairs(given.size, given.barriers))
        observed = self.observation()
        for first, write in self.patterns(releases=True):
            for last, read in self.patterns(releases=False):
                different = given.events[first].thread != given.events[last].thread
                if different and observed[write] >> read & 1 and given.morally_strong[first] >> last & 1:
                    related[first] |= 1 << last
        return related

    def observation(self) -> Relation:
        """From a write to those who read it, also through a chain of atomics; morally strong all along."""
        step = [0] * self.given.size
        for read, write in self.source.items():
            if self.given.morally_strong[write] >> read & 1:
                step[write] |= 1 << read
        atomics = sum(1 << i for i in self.written if self.given.events[i].op.kind in RMW)
        through = [row & atomics for row in step]
        return rel.union(step, rel.compose(rel.closure(through), step))

    def patterns(self, *, releases: bool) -> Iterator[tuple[int, int]]:
        """Release patterns as (first operation, the write), acquire patterns as (last operation, the read)."""
        for e in self.given.events:
            if e.thread < 0 or not e.strong:
                continue
            if e.op.sem not in (RELEASES if releases else ACQUIRES):
                continue
            accesses = e.number in (self.written if releases else self.read_value)
            if e.op.place and accesses:
                yield e.number, e.number
            for other in self.given.events:
                if other.thread != e.thread or not other.strong or other is e:
                    continue
                if (other.number > e.number) is not releases or e.op.place not in ("", other.op.place):
                    continue
                if e.op.place and not accesses:
                    continue
                if other.number in (self.written if releases else self.read_value):
                    yield e.number, other.number

    def causality(self, fences: Relation) -> Relation:
        base = rel.closure(rel.union(rel.of_pairs(self.given.size, self.given.program), self.synchronises(fences)))
        return rel.union(base, rel.compose(self.observation(), base))

    def fence_orders(self) -> Iterator[Relation]:
        fences = [e.number for e in self.given.events if e.op.kind == "F" and e.op.sem == "sc"]
        strong = [p for p in itertools.combinations(fences, 2) if self.given.morally_strong[p[0]] >> p[1] & 1]
        yield from rel.orientations(strong, self.given.size)

    def coherence_orders(self, causality: Relation) -> Iterator[Relation]:
        """Orders of morally strong writes, and of those that causality orders. Others stay unordered."""
        writes = [self.given.events[i] for i in sorted(self.written)]
        fixed = [0] * self.given.size
        open_pairs = []
        for a, b in itertools.combinations(writes, 2):
            if a.op.place != b.op.place:
                continue
            a_first, b_first = causality[a.number] >> b.number & 1, causality[b.number] >> a.number & 1
            fixed[a.number] |= a_first << b.number
            fixed[b.number] |= b_first << a.number
            if not a_first and not b_first and self.given.morally_strong[a.number] >> b.number & 1:
                open_pairs.append((a.number, b.number))
        for directed in rel.orientations(open_pairs, self.given.size):
            order = rel.closure(rel.union(fixed, directed))
            if not any(row >> i & 1 for i, row in enumerate(order)):
                yield order

    # ---- its axioms

    def keeps_fence_sc(self, causality: Relation, fences: Relation) -> bool:
        return not any(causality[b] >> a & 1 for a, row in enumerate(fences) for b in rel.bits(row))

    def keeps_causality(self, causality: Relation, coherence: Relation) -> bool:
        for read, write in self.source.items():
            if causality[read] >> write & 1:
                return False
            newer = coherence[write]
            if any(causality[later] >> read & 1 for later in rel.bits(newer) if later != read):
                return False
        return True

    def keeps_atomicity(self, coherence: Relation) -> bool:
        for read, write in self.source.items():
            if read not in self.written:
                continue
            between = coherence[write] & self.given.morally_strong[read] & ~(1 << read)
            if any(coherence[other] >> read & 1 for other in rel.bits(between)):
                return False
        return True

    def keeps_word_order(self, coherence: Relation) -> bool:
        """Sequential consistency of each word, among what is morally strong."""
        given = self.given
        communication = list(coherence)
        for read, write in self.source.items():
            communication[write] |= 1 << read
            communication[read] |= coherence[write] & ~(1 << read)
        strong = [row & given.morally_strong[i] for i, row in enumerate(communication)]
        place = [e.op.place for e in given.events]
        same_place = [(a, b) for a, b in given.program if place[a] and place[a] == place[b]]
        return rel.acyclic(rel.union(strong, rel.of_pairs(given.size, same_place)))

    def outcomes(self, coherence: Relation) -> Iterator[Outcome]:
        reads = [self.read_value[e.number] for e in self.given.events if e.op.reads]
        last = []
        for place in self.given.shape.finals:
            writes = [i for i in self.written if self.given.events[i].op.place == place]
            last.append([self.written[i] for i in writes if not coherence[i]])
        for finals in itertools.product(*last):
            yield (*reads, *finals)


def executions(shape: Shape) -> Iterator[Execution]:
    given = Candidates(shape)
    reads = [e for e in given.events if e.op.reads]
    for chosen in itertools.product(*(given.sources(e) for e in reads)):
        execution = Execution(given, {e.number: write for e, write in zip(reads, chosen, strict=True)})
        if execution.possible:
            yield execution


def allowed(shape: Shape) -> set[Outcome]:
    found: set[Outcome] = set()
    for execution in executions(shape):
        for fences in execution.fence_orders():
            causality = execution.causality(fences)
            if not execution.keeps_fence_sc(causality, fences):
                continue
            for coherence in execution.coherence_orders(causality):
                keeps = execution.keeps_causality(causality, coherence) and execution.keeps_atomicity(coherence)
                if keeps and execution.keeps_word_order(coherence):
                    found.update(execution.outcomes(coherence))
    return found


def conceivable(shape: Shape) -> set[Outcome]:
    """All that could be read and left if there were no rules but that values do not come from nowhere."""
    found: set[Outcome] = set()
    for execution in executions(shape):
        found.update(execution.outcomes([0] * execution.given.size))
    return found
