// SPDX-License-Identifier: MIT
#include "common/arrays/cub_histogram.hpp"
#include "common/arrays/cub_select.hpp"
#include "common/program/family.cuh"
#include "lessons/07_vote_and_match/vote_and_match.cuh"

int main(int argc, char** argv) {
  return course::families::run_lesson(lesson07::kLesson, argc, argv);
}
