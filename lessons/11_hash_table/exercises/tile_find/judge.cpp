// SPDX-License-Identifier: MIT
// Exercise tile_find: buckets of eight slots.
#include "common/exercise/bucket_find.hpp"

using namespace course::exercise;

namespace {

void visible(Cases& cases) {
  for (const std::size_t n : {1, 7, 8, 9, 64, 200}) cases.add(n, 1);
  cases.add_as("nearly_full", 200, 2);
  cases.add_as("full", 200, 3);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv,
                    {bucket_find::input<8>, visible, bucket_find::hidden, bucket_find::judge, 0});
}
