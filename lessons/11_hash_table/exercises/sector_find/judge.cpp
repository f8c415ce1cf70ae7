// SPDX-License-Identifier: MIT
// Exercise sector_find: buckets of four slots.
#include "common/exercise/bucket_find.hpp"

using namespace course::exercise;

namespace {

void visible(Cases& cases) {
  for (const std::size_t n : {1, 3, 4, 5, 64, 200}) cases.add(n, 1);
  cases.add_as("nearly_full", 512, 2);
  cases.add_as("full", 100, 3);
}

}  // namespace

int main(int argc, char** argv) {
  return judge_main(argc, argv,
                    {bucket_find::input<4>, visible, bucket_find::hidden, bucket_find::judge, 0});
}
