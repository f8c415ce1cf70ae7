// SPDX-License-Identifier: MIT
// Arrays come back as they were saved, and a damaged file is refused: it may be a stranger's.
#include "common/exercise/arrays.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

using course::exercise::Arrays;
namespace fs = std::filesystem;

namespace {

struct TemporaryFile {
  fs::path path = fs::temp_directory_path() / ("arrays-" + std::to_string(std::rand()) + ".in");
  ~TemporaryFile() { fs::remove(path); }
  std::string text() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

}  // namespace

TEST_CASE("arrays of every type come back as they were") {
  TemporaryFile file;
  Arrays out;
  out.set<int>("i", {-1, 10, 2});
  out.set<float>("f", {0.5f});
  out.set<double>("none", {});
  out.set<unsigned char>("b", {10, 0, 255});
  out.set_one<std::uint64_t>("u", ~std::uint64_t{0});
  out.save(file.path);
  const Arrays in = Arrays::load(file.path);
  CHECK(in.get<int>("i") == std::vector<int>{-1, 10, 2});
  CHECK(in.one<float>("f") == 0.5f);
  CHECK(in.get<double>("none").empty());
  CHECK(in.get<unsigned char>("b") == std::vector<unsigned char>{10, 0, 255});
  CHECK(in.one<std::uint64_t>("u") == ~std::uint64_t{0});
  CHECK(in.names().size() == 5);
  CHECK(in.has<int>("i"));
  CHECK_FALSE(in.has<float>("i"));
  CHECK_THROWS(in.get<float>("i"));
  CHECK_THROWS(in.one<int>("i"));
}

TEST_CASE("a file that is cut short anywhere is refused") {
  TemporaryFile file;
  Arrays out;
  out.set<int>("x", {1, 2, 3});
  out.set<int>("y", {4});
  out.save(file.path);
  const std::string whole = file.text();
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    file.write(whole.substr(0, length));
    CHECK_THROWS(Arrays::load(file.path));
  }
}

TEST_CASE("a file that promises more than it has is refused before memory is taken for it") {
  TemporaryFile file;
  for (const char* line : {"x i32 4000000000000", "x i32 18446744073709551615", "x i32 -1",
                           "x i99 1", "x", "x i32 two"}) {
    file.write(std::string("warpladder-arrays 1\n") + line + "\nend\n");
    CHECK_THROWS(Arrays::load(file.path));
  }
  file.write("something else\n");
  CHECK_THROWS(Arrays::load(file.path));
  file.write("warpladder-arrays 1\n" + std::string(201, 'x') + " u8 0\nend\n");
  CHECK_THROWS(Arrays::load(file.path));
  std::string many = "warpladder-arrays 1\n";
  for (int i = 0; i <= 100; ++i) many += "a" + std::to_string(i) + " u8 0\n";
  file.write(many + "end\n");
  CHECK_THROWS(Arrays::load(file.path));
}
