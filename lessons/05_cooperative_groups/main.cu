// SPDX-License-Identifier: MIT
#include "common/sums/lesson.cuh"
#include "lessons/05_cooperative_groups/cooperative_groups.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson05::kLesson, argc, argv); }
