// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/13_point_cloud/point_cloud.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson13::kLesson, argc, argv);
}
