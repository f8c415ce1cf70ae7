// SPDX-License-Identifier: MIT
// The program of lesson 04: its rungs, and what common/sums/lesson.cuh does with the rungs of every
// lesson.
#include "common/sums/lesson.cuh"
#include "lessons/04_warp_shuffle/warp_shuffle.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson04::kLesson, argc, argv); }
