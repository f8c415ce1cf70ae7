// SPDX-License-Identifier: MIT
// Sizes as people write them, and as they do not.
#include "common/size.hpp"

#include "support/catch.hpp"

using course::format_size;
using course::parse_size;

TEST_CASE("a size may be written in every documented spelling") {
  CHECK(parse_size("0") == 0u);
  CHECK(parse_size("1") == 1u);
  CHECK(parse_size("1000000") == 1000000u);
  CHECK(parse_size("1e6") == 1000000u);
  CHECK(parse_size("1.5e3") == 1500u);
  CHECK(parse_size("2^20") == 1048576u);
  CHECK(parse_size("10^3") == 1000u);
  CHECK(parse_size("2^0") == 1u);
  CHECK(parse_size("16Ki") == 16384u);
  CHECK(parse_size("16Mi") == 16777216u);
  CHECK(parse_size("2Gi") == 2147483648u);
  CHECK(parse_size("64k") == 64000u);
  CHECK(parse_size("3M") == 3000000u);
  CHECK(parse_size("1G") == 1000000000u);
  CHECK(parse_size("0.5Ki") == 512u);
}

TEST_CASE("the largest size is 2^40") {
  CHECK(parse_size("2^40") == std::uint64_t{1} << 40);
  CHECK(parse_size("1024Gi") == std::uint64_t{1} << 40);
  CHECK(parse_size("1099511627777") == std::nullopt);
  CHECK(parse_size("2^41") == std::nullopt);
  CHECK(parse_size("2^64") == std::nullopt);
  CHECK(parse_size("18446744073709551616") == std::nullopt);
  CHECK(parse_size("1e300") == std::nullopt);
  CHECK(parse_size("1e999") == std::nullopt);
  CHECK(parse_size("2^9999") == std::nullopt);
}

TEST_CASE("negative and broken numbers are no sizes") {
  for (const char* text : {"-1", "-0", "2^-1", "-2^4", "0.5", "1.5", "2^0.5", "1e-3", "-1k"}) {
    INFO(text);
    CHECK(parse_size(text) == std::nullopt);
  }
}

TEST_CASE("garbage is no size") {
  for (const char* text :
       {"",     " ",     " 1",   "1 ",  "x",   "abc",  "1x",     "1,000", "1_000",
        "k",    "Mi",    "^",    "2^",  "^20", "2^^3", "2^20Mi", "2**20", "1kk",
        "16mi", "16MiB", "16KI", "nan", "inf", "+1",   "1e"}) {
    INFO('"' << text << '"');
    CHECK(parse_size(text) == std::nullopt);
  }
}

TEST_CASE("powers of two from 2^10 on are printed as powers, all else as numbers") {
  CHECK(format_size(0) == "0");
  CHECK(format_size(1) == "1");
  CHECK(format_size(512) == "512");
  CHECK(format_size(1023) == "1023");
  CHECK(format_size(1024) == "2^10");
  CHECK(format_size(1025) == "1025");
  CHECK(format_size(std::uint64_t{1} << 40) == "2^40");
}

TEST_CASE("what is printed can be read again") {
  for (const std::uint64_t n : {0ull, 7ull, 1024ull, 1048583ull, 1ull << 30, 1ull << 40})
    CHECK(parse_size(format_size(n)) == n);
}
