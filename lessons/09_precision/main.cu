// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/09_precision/precision.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson09::kLesson, argc, argv);
}
