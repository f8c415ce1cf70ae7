// SPDX-License-Identifier: MIT
// The program of lesson 01: its rungs, and what common/sums/lesson.cuh does with the rungs of every
// lesson.
#include "common/sums/lesson.cuh"
#include "lessons/01_naive_atomic/naive_atomic.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson01::kLesson, argc, argv); }
