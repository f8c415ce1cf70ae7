// SPDX-License-Identifier: MIT
// Every name in exports.def is a function here; one that is not supported says so. (That the shared
// library exports these names and no others is checked by tests/support/check_exports.py.)
#include <set>
#include <string>

#include "support/catch.hpp"

#define IMPLEMENTED(name) extern "C" int name();
#define UNSUPPORTED(name) extern "C" int name();
#include "cudart/exports/exports.def"
#undef IMPLEMENTED
#undef UNSUPPORTED

TEST_CASE("exports: every function of the toolkit's library has its own address") {
  using Function = int (*)();
  std::set<Function> functions;
  int rows = 0;
#define IMPLEMENTED(name) functions.insert(&name), ++rows;
#define UNSUPPORTED(name) functions.insert(&name), ++rows;
#include "cudart/exports/exports.def"
#undef IMPLEMENTED
#undef UNSUPPORTED
  REQUIRE(rows == 422);
  REQUIRE(functions.size() == 422);
}

TEST_CASE(
    "exports: an unsupported call returns cudaErrorNotSupported and leaves it as last error") {
  constexpr int kNotSupported = 801;
  REQUIRE(cudaGetExportTable() == kNotSupported);
  REQUIRE(cudaPeekAtLastError() == kNotSupported);
  REQUIRE(cudaMallocArray() == kNotSupported);
  REQUIRE(cudaGetLastError() == kNotSupported);
  REQUIRE(cudaGetLastError() == 0);
}
