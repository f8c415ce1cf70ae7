// SPDX-License-Identifier: MIT
#include "common/program/structures.cuh"
#include "lessons/06_lock_free/lock_free.cuh"

int main(int argc, char** argv) {
  return course::structures::run_lesson(lesson06::kLesson, argc, argv);
}
