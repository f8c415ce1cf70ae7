// SPDX-License-Identifier: MIT
#include "common/lesson.cuh"
#include "lessons/02_shared_memory_tree/shared_memory_tree.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson02::kLesson, argc, argv); }
