// SPDX-License-Identifier: MIT
#include "common/lesson.cuh"
#include "lessons/03_divergence_free/divergence_free.cuh"

int main(int argc, char** argv) { return course::run_lesson(lesson03::kLesson, argc, argv); }
