// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/10_thread_scheduling/thread_scheduling.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson10::kLesson, argc, argv);
}
