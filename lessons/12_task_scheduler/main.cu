// SPDX-License-Identifier: MIT
#include "common/program/family.cuh"
#include "lessons/12_task_scheduler/task_scheduler.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson12::kLesson, argc, argv);
}
