// SPDX-License-Identifier: MIT
// The program of lesson 02: its rungs, and what common/sums/lesson.cuh does with the rungs of every
// lesson.
#include "common/sums/lesson.cuh"
#include "lessons/02_shared_memory_tree/shared_memory_tree.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson02::kLesson, argc, argv); }
