// SPDX-License-Identifier: MIT
// The words of --flush.
#include "common/flush.hpp"

#include "support/catch.hpp"

TEST_CASE("every way to flush has a word, and nothing else is one") {
  for (const course::Flush flush :
       {course::Flush::Clean, course::Flush::Dirty, course::Flush::None})
    CHECK(course::parse_flush(word_of(flush)) == flush);
  for (const char* word : {"", "Clean", "clean ", "wet", "no"})
    CHECK_FALSE(course::parse_flush(word));
}
