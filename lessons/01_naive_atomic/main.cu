// SPDX-License-Identifier: MIT
#include "common/lesson.cuh"
#include "lessons/01_naive_atomic/naive_atomic.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson01::kLesson, argc, argv); }
