// SPDX-License-Identifier: MIT
// Work cut into pieces: each element once, whatever the number of cores.
#include "common/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

using course::for_each_piece;
using course::kPiece;
using course::pieces_of;

TEST_CASE("pieces are counted upwards: part of a piece is one") {
  CHECK(pieces_of(0) == 0);
  CHECK(pieces_of(1) == 1);
  CHECK(pieces_of(kPiece) == 1);
  CHECK(pieces_of(kPiece + 1) == 2);
}

TEST_CASE("no elements: nothing is called") {
  for_each_piece(0, [](std::size_t, std::size_t, std::size_t) { FAIL("called"); });
}

TEST_CASE("every element is in exactly one piece, and the piece's number fits") {
  for (const std::size_t n : {std::size_t{1}, kPiece - 1, kPiece, 3 * kPiece + 7}) {
    std::vector<std::size_t> sizes(pieces_of(n));
    std::vector<unsigned char> wrong(pieces_of(n));  // not bool: the pieces are written at once
    for_each_piece(n, [&](std::size_t piece, std::size_t begin, std::size_t end) {
      sizes[piece] += end - begin;
      wrong[piece] = begin != piece * kPiece || end > n || end <= begin;
    });
    CHECK(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == n);
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
  }
}

TEST_CASE("sorted on all cores is sorted, and nothing is lost") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, kPiece, 3 * kPiece + 7}) {
    std::vector<std::uint32_t> x(n);
    std::uint32_t next = 1;
    for (auto& value : x) value = (next = next * 1664525u + 1013904223u) >> 8;
    auto truth = x;
    std::sort(truth.begin(), truth.end());
    course::sort_on_all_cores(x);
    CHECK(x == truth);
  }
}
