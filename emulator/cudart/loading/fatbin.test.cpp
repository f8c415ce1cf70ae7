// SPDX-License-Identifier: MIT
// Fatbins made by nvcc (testdata/), and what must happen when their bytes are damaged.
#include "cudart/loading/fatbin.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"

using namespace emu::cudart;
using Kind = FatbinEntry::Kind;
using Packing = FatbinEntry::Packing;

namespace {

std::vector<std::byte> fixture(const std::string& name) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "testdata" / (name + ".fatbin");
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  const void* const* parts = nullptr;
};

// Reads everything there is; FatbinError is the only thing that may come out.
bool readable(std::span<const std::byte> bytes) {
  try {
    for (const auto& entry : read_fatbin(bytes))
      if (entry.kind == Kind::Ptx) (void)unpack_ptx(entry);
    return true;
  } catch (const FatbinError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("fatbin: the same PTX comes out of every compression mode") {
  const auto text = [](const char* name) {
    const auto bytes = fixture(name);
    const auto entries = read_fatbin(bytes);
    REQUIRE(entries.size() == 1);
    REQUIRE(entries[0].kind == Kind::Ptx);
    REQUIRE(entries[0].arch() == "sm_90");
    return unpack_ptx(entries[0]);
  };
  const std::string plain = text("ptx_none");
  REQUIRE(plain.find(".visible .entry add(") != std::string::npos);
  REQUIRE(plain.find('\0') == std::string::npos);
  REQUIRE(text("ptx_default") == plain);
  REQUIRE(text("ptx_speed") == plain);
  REQUIRE(text("ptx_size") == plain);
}

TEST_CASE("fatbin: the packing of an entry is known from its flags") {
  const auto packing = [](const char* name) { return read_fatbin(fixture(name)).at(0).packing; };
  REQUIRE(packing("ptx_none") == Packing::Plain);
  REQUIRE(packing("ptx_speed") == Packing::Lz4);
  REQUIRE(packing("ptx_default") == Packing::Zstd);
}

TEST_CASE("fatbin: the newest PTX the GPU can take is chosen") {
  const auto bytes = fixture("multi");  // 75, 90, 90a, 100
  const auto entries = read_fatbin(bytes);
  REQUIRE(entries.size() == 4);
  const auto chosen = [&](std::uint32_t sm) {
    return choose_ptx(entries, sm).entry.value().arch();
  };
  REQUIRE(chosen(75) == "sm_75");
  REQUIRE(chosen(89) == "sm_75");
  REQUIRE(chosen(90) == "sm_90a");
  REQUIRE(chosen(100) == "sm_100");
  REQUIRE(chosen(120) == "sm_100");
}

TEST_CASE("fatbin: PTX for one GPU or one family runs nowhere else") {
  FatbinEntry only;
  only.kind = Kind::Ptx;
  only.sm = 90;
  only.suffix = 'a';
  REQUIRE(choose_ptx(std::vector{only}, 90).entry);
  REQUIRE_FALSE(choose_ptx(std::vector{only}, 100).entry);
  only.sm = 100;
  only.suffix = 'f';
  REQUIRE(choose_ptx(std::vector{only}, 103).entry);
  REQUIRE_FALSE(choose_ptx(std::vector{only}, 120).entry);
  REQUIRE_FALSE(choose_ptx(std::vector{only}, 90).entry);
}

TEST_CASE("fatbin: a program without usable PTX is told why in one sentence") {
  const auto sass = choose_ptx(read_fatbin(fixture("sass")), 90);
  REQUIRE_FALSE(sass.entry);
  REQUIRE(sass.why.find("machine code for sm_90 only and no PTX") != std::string::npos);
  REQUIRE(sass.why.find("-gencode arch=compute_90,code=compute_90") != std::string::npos);

  FatbinEntry newer;
  newer.kind = Kind::Ptx;
  newer.sm = 100;
  const auto late = choose_ptx(std::vector{newer}, 90);
  REQUIRE(late.why.find("the program holds PTX for sm_100, the modelled GPU is sm_90") == 0);

  REQUIRE(choose_ptx({}, 90).why.find("no device code") != std::string::npos);
}

TEST_CASE("fatbin: machine code for the GPU allows PTX of a later one (-arch=all-major)") {
  FatbinEntry own, ptx;
  own.kind = Kind::Sass;
  own.sm = 80;
  ptx.kind = Kind::Ptx;
  ptx.sm = 120;
  REQUIRE(choose_ptx(std::vector{own, ptx}, 80).entry);
  REQUIRE(choose_ptx(std::vector{own, ptx}, 86).entry);
  REQUIRE_FALSE(choose_ptx(std::vector{own, ptx}, 90).entry);
}

TEST_CASE("fatbin: a part of a relocatable program holds its PTX beside its machine code") {
  const auto bytes = fixture("rdc");
  const auto entries = read_fatbin(bytes);
  REQUIRE(entries.size() == 2);
  const auto choice = choose_ptx(entries, 90);
  REQUIRE(choice.entry);
  REQUIRE(unpack_ptx(*choice.entry).find(".entry add(") != std::string::npos);
}

TEST_CASE("fatbin: wrappers of version 1 give one fatbin, of version 2 all parts of the link") {
  const auto one = fixture("ptx_none"), two = fixture("rdc");
  Wrapper v1;
  v1.data = one.data();
  auto read = read_wrapper(&v1);
  REQUIRE_FALSE(read.relocatable);
  REQUIRE(read.fatbins.size() == 1);
  REQUIRE(read.fatbins[0].size() == one.size());

  const void* parts[] = {two.data(), one.data(), nullptr};
  Wrapper v2;
  v2.version = 2;
  v2.data = one.data();
  v2.parts = parts;
  read = read_wrapper(&v2);
  REQUIRE(read.relocatable);
  REQUIRE(read.fatbins.size() == 2);
  REQUIRE(read.fatbins[0].data() == two.data());
}

TEST_CASE("fatbin: what is not a wrapper is refused") {
  const auto one = fixture("ptx_none");
  Wrapper w;
  REQUIRE_THROWS_AS(read_wrapper(nullptr), FatbinError);
  REQUIRE_THROWS_AS(read_wrapper(&w), FatbinError);  // no address in it
  w.data = one.data();
  w.version = 3;
  REQUIRE_THROWS_AS(read_wrapper(&w), FatbinError);
  w.version = 1;
  w.magic = 1;
  REQUIRE_THROWS_AS(read_wrapper(&w), FatbinError);
  w.magic = 0x466243b1;
  w.data = reinterpret_cast<const char*>(one.data()) + 16;
  REQUIRE_THROWS_AS(read_wrapper(&w), FatbinError);
}

TEST_CASE("fatbin: cut off anywhere, it is refused") {
  for (const char* name : {"ptx_default", "ptx_speed", "ptx_none", "multi"}) {
    const auto bytes = fixture(name);
    REQUIRE(readable(bytes));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      // A copy of exactly that size, so that a sanitizer sees a read past its end.
      const std::vector<std::byte> part(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(n));
      INFO(name << " cut at " << n);
      REQUIRE_FALSE(readable(part));
    }
  }
}

TEST_CASE("fatbin: with any byte changed it is read or refused, nothing else") {
  for (const char* name : {"ptx_default", "ptx_speed", "multi"}) {
    auto bytes = fixture(name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (int flip : {0x01, 0x80, 0xff}) {
        const std::byte before = bytes[i];
        bytes[i] ^= static_cast<std::byte>(flip);
        (void)readable(bytes);
        bytes[i] = before;
      }
    }
    REQUIRE(readable(bytes));
  }
}

TEST_CASE("fatbin: a text longer than 512 MiB is not unpacked") {
  auto entry = read_fatbin(fixture("ptx_default")).at(0);
  entry.unpacked_bytes = (std::uint64_t{512} << 20) + 1;
  REQUIRE_THROWS_AS(unpack_ptx(entry), FatbinError);
}
