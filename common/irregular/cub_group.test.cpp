// SPDX-License-Identifier: MIT
#include "common/irregular/cub_group.hpp"

#include <map>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("the library's groups are the CPU's") {
  using Word = unsigned long long;
  for (const int low_bit : {0, 32}) {
    std::vector<Word> words(3001);
    std::map<Word, Word> truth;
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = Word{i * 2654435761u % 77} << low_bit | (low_bit == 0 ? 0 : i % 1000);
      truth[words[i] >> low_bit] += low_bit == 0 ? 1 : i % 1000;
    }
    course::DeviceBuffer<Word> in(words), sorted(words.size()), keys(words.size()),
        sums(words.size());
    course::DeviceBuffer<unsigned> count(1);
    course::cub_sort(in.data(), words.size(), low_bit, sorted.data())();
    course::cub_group(sorted.data(), words.size(), low_bit,
                      {keys.data(), sums.data(), count.data()})();
    REQUIRE(count.download()[0] == truth.size());
    std::size_t i = 0;
    const auto got_keys = keys.download(), got_sums = sums.download();
    for (const auto& [key, sum] : truth) {
      CHECK(got_keys[i] == key);
      CHECK(got_sums[i++] == sum);
    }
  }
}
