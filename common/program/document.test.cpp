// SPDX-License-Identifier: MIT
// The file of --json: written whole, or told.
#include "common/program/document.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"

namespace {

std::string contents(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a file that cannot be written is told, a written one holds the text") {
  CHECK_FALSE(course::can_write("/no/such/folder/x.json"));
  CHECK_FALSE(course::write_document("{}", "/no/such/folder/x.json"));
  CHECK_FALSE(course::write_document("{}", "/"));
  char path[] = "/tmp/warpladder_document_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  CHECK(course::write_document("{\"a\": 1}\n", path));
  CHECK(contents(path) == "{\"a\": 1}\n");
  CHECK(course::can_write(path));
  CHECK(contents(path) == "{\"a\": 1}\n");  // trying takes nothing away
  CHECK(course::write_document("{}", path));
  CHECK(contents(path) == "{}");
  std::remove(path);
}

TEST_CASE("a full disk is told too") {
  if (access("/dev/full", W_OK) != 0) return;
  CHECK_FALSE(course::write_document("{}", "/dev/full"));
}
