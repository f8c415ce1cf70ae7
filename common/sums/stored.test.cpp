// SPDX-License-Identifier: MIT
// Numbers of 16 bits on the host: rounding, ranges, and there and back.
#include "common/sums/stored.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

using course::nearest;
using course::Stored;

TEST_CASE("numbers are rounded to what can be stored") {
  CHECK(nearest(Stored::kF32, 0.1f) == 0.1f);
  CHECK(nearest(Stored::kF16, 2049.0f) == 2048.0f);  // a tie, to even
  CHECK(nearest(Stored::kBf16, 257.0f) == 256.0f);
  CHECK(std::isinf(nearest(Stored::kF16, 70000.0f)));
  CHECK(nearest(Stored::kBf16, 70000.0f) == 70144.0f);
  CHECK(nearest(Stored::kF16, 0x1p-24f) == 0x1p-24f);
  CHECK(nearest(Stored::kF16, 0x1p-26f) == 0.0f);
}

TEST_CASE("half a unit is what a rounding may change") {
  for (const Stored stored : {Stored::kF16, Stored::kBf16}) {
    const auto half = static_cast<float>(course::unit_of(stored));
    CHECK(nearest(stored, 1 + half) == 1);
    CHECK(nearest(stored, 1 + 1.01f * half) == 1 + 2 * half);
    CHECK(nearest(stored, static_cast<float>(course::least_step_of(stored))) == 0);
    CHECK(nearest(stored, static_cast<float>(2 * course::least_step_of(stored))) > 0);
  }
}

TEST_CASE("what is stored comes back") {
  const std::vector<float> x = {0, -1.5f, 1024, 0.25f, -0.0f};
  for (const char* const name : {"f32", "f16", "bf16"}) {
    const Stored stored = course::stored_as(name);
    const auto bytes = course::pack(stored, x);
    CHECK(bytes.size() == x.size() * course::bytes_of(stored));
    CHECK(course::unpack(stored, bytes) == x);
  }
}
