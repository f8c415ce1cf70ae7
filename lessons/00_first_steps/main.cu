// SPDX-License-Identifier: MIT
// The program of lesson 00: its rungs, and what common/family.cuh does with the rungs of a family.
#include "common/family.cuh"
#include "lessons/00_first_steps/first_steps.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson00::kLesson, argc, argv);
}
