// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/11_hash_table/hash_table.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson11::kLesson, argc, argv);
}
