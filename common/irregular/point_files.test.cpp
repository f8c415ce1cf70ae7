// SPDX-License-Identifier: MIT
#include "common/irregular/point_files.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/irregular/clusters.hpp"
#include "common/program/options.hpp"
#include "support/catch.hpp"

namespace {

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string with(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name, std::ios::binary) << text;
    return *this / name;
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("point_files_" + std::to_string(getpid()));
};

std::string why_not(const std::string& path) {
  try {
    course::read_points(path);
  } catch (const course::UsageError& error) {
    CHECK(error.message.find('\n') == std::string::npos);
    CHECK(error.message.find(path) == 0);
    return error.message.substr(path.size());
  }
  return "";
}

}  // namespace

TEST_CASE("what is written is read again, in every format") {
  const Folder folder;
  const std::vector<float4> points{{1, 2, 3, 0.5f}, {-1e-3f, 70.25f, 0, 1}, {0, 0, 0, 0}};
  const std::vector<std::uint32_t> labels{0, course::kNoise, 0};
  for (const char* const name : {"a.pcd", "a.ply", "a.bin", "A.PLY"})
    for (const bool labelled : {false, true}) {
      course::write_points(folder / name, points, labelled ? labels : std::vector<std::uint32_t>{});
      const auto read = course::read_points(folder / name);
      REQUIRE(read.size() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(read[i].x == points[i].x);
        CHECK(read[i].y == points[i].y);
        CHECK(read[i].z == points[i].z);
        CHECK(read[i].w == points[i].w);
      }
    }
  std::ifstream file(folder / "a.label", std::ios::binary);
  std::uint32_t numbers[3];
  file.read(reinterpret_cast<char*>(numbers), sizeof numbers);
  CHECK(numbers[0] == 1);
  CHECK(numbers[1] == 0);
  course::write_points(folder / "none.pcd", {});
  CHECK(course::read_points(folder / "none.pcd").empty());
}

TEST_CASE("text, other orders and other types") {
  const Folder folder;
  const auto pcd = course::read_points(folder.with(
      "t.pcd",
      "VERSION .7\nFIELDS rgb z y x\nSIZE 4 8 4 4\nTYPE U F F F\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\n"
      "POINTS 2\nDATA ascii\n7 3 2 1\n8 nan -2e0 4\n"));
  REQUIRE(pcd.size() == 2);
  CHECK(pcd[0].x == 1);
  CHECK(pcd[0].z == 3);
  CHECK(pcd[1].y == -2);
  CHECK(pcd[1].z != pcd[1].z);
  std::string big =
      "ply\nformat binary_big_endian 1.0\ncomment x\nelement vertex 1\nproperty short x\n"
      "property double y\nproperty float z\nelement face 1\nproperty list uchar int "
      "v\nend_header\n";
  big += std::string("\xff\xfe", 2) + std::string("\x40\x08\0\0\0\0\0\0", 8) +
         std::string("\x3f\x80\0\0", 4);
  const auto ply = course::read_points(folder.with("b.ply", big));
  REQUIRE(ply.size() == 1);
  CHECK(ply[0].x == -2);
  CHECK(ply[0].y == 3);
  CHECK(ply[0].z == 1);
}

TEST_CASE("bad files get one line") {
  const Folder folder;
  const std::string head = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 2\n";
  CHECK(why_not(folder / "no.ply") == ": it cannot be read");
  CHECK(why_not(folder / "points.las") ==
        ": what ends so is not read; there are .pcd, .ply and .bin");
  CHECK(why_not(folder.with("a.bin", "12345")) ==
        ": its 5 bytes are no multiple of 16: a point has four floats");
  CHECK(why_not(folder.with("a.pcd", head + "DATA ascii\n1 2 3\n4 5\n")) ==
        ": it ends after 1 of 2 points");
  CHECK(why_not(folder.with("b.pcd", head + "DATA binary_compressed\n")) ==
        ": DATA binary_compressed is not read; there are ascii and binary");
  CHECK(why_not(folder.with("c.pcd", head + "DATA ascii\n1 2 three\n")) ==
        ": \"three\" is not a number");
  CHECK(why_not(folder.with("d.pcd", "FIELDS x y\nSIZE 4 4\nTYPE F F\nPOINTS 0\nDATA ascii\n")) ==
        ": its points have no z");
  CHECK(why_not(folder.with("e.pcd", "hello\n")) == ": \"hello\" is no line of a PCD file's head");
  CHECK(why_not(folder.with("f.pcd", head)) == ": it has no line DATA");
  CHECK(why_not(folder.with("g.pcd", "FIELDS x y z\nSIZE 4 4\n")) ==
        ": SIZE has not one word for each of FIELDS");
  CHECK(why_not(folder.with("h.pcd", "FIELDS x\nSIZE 3\nTYPE F\nPOINTS 0\nDATA ascii\n")) ==
        ": field x is of type F3; there are F4, F8 and I or U with 1, 2, 4 or 8 bytes");
  CHECK(why_not(folder.with("i.pcd", "FIELDS x\nPOINTS -1\n")) ==
        ": POINTS \"-1\" is not a number up to 2^30");
  CHECK(why_not(folder.with("a.ply", "no")) == ": it does not begin with the line \"ply\"");
  CHECK(why_not(folder.with("b.ply", "ply\nelement face 1\n")) ==
        ": its first element is face, not vertex");
  CHECK(why_not(folder.with("c.ply", "ply\nelement vertex 1\nproperty list uchar int x\n")) ==
        ": a vertex has a list, which is not read");
  CHECK(why_not(folder.with("d.ply", "ply\nelement vertex 1\nproperty half x\n")) ==
        ": property x is of type half, which is not read");
  CHECK(why_not(folder.with("e.ply", "ply\n")) == ": it has no line end_header");
  CHECK_THROWS_AS(course::write_points(folder / "no/such/folder.ply", {}), course::UsageError);
  CHECK_THROWS_AS(course::write_points(folder / "a.txt", {}), course::UsageError);
}
