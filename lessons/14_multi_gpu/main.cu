// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/14_multi_gpu/multi_gpu.cuh"

int main(int argc, char** argv) {
  course::want_devices();
  return course::families::run_lesson(lesson14::kLesson, argc, argv);
}
