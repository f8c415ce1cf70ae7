// SPDX-License-Identifier: MIT
#include "common/arrays/cub_scan.hpp"
#include "common/arrays/cub_segments.hpp"
#include "common/program/family.cuh"
#include "lessons/08_scan/scan.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson08::kLesson, argc, argv);
}
