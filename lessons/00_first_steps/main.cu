// SPDX-License-Identifier: MIT
// The program of lesson 00: its rungs, and what common/program/family.cuh does with a family of them.
#include "common/program/family.cuh"
#include "lessons/00_first_steps/first_steps.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson00::kLesson, argc, argv);
}
