// SPDX-License-Identifier: MIT
// The program of lesson 03: its rungs, and what common/sums/lesson.cuh does with the rungs of every
// lesson.
#include "common/sums/lesson.cuh"
#include "lessons/03_divergence_free/divergence_free.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson03::kLesson, argc, argv); }
