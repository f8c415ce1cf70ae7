// SPDX-License-Identifier: MIT
// How sectors are kept, and how much the checks keep of arrays that are used in this way or that.
#include "shadow/sectors.hpp"

#include <malloc.h>

#include "check/check.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::check {
namespace {

using exec::testing::Run;

Piece piece_of(Bytes bytes, std::uint32_t record, int lane, std::uint8_t shift) {
  Piece piece;
  piece.bytes = bytes;
  piece.set(0, {Slot(record, lane, true, false), shift});
  return piece;
}

std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

constexpr std::uint32_t kBytes = 1 << 21;

// How many bytes the checks keep of each byte of an array of 2 MiB. The body has the number of a thread in %r9 and the
// address of its byte in %rd2.
double kept(const std::string& body, const std::string& index = "mov.u32 %r9, %r9;") {
  Findings findings(nullptr);
  Wanted wanted;
  wanted.race = wanted.init = true;
  const std::size_t before = in_use();
  Checker checker(wanted, findings);
  Run run("mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ntid.x; mad.lo.u32 %r9, %r7, %r8, %t;" + index +
          "and.b32 %r9, %r9, 2097151; cvt.u64.u32 %rd2, %r9; add.u64 %rd2, %rd2, %out;" + body);
  run.block(256).grid(kBytes / 256);
  run.request.observer = &checker;
  run.words(kBytes / 4 + 1024);
  for (const Finding& f : findings.all()) CHECK((f.check != Check::Race || f.id == "race-not-all"));
  return double(in_use() - before) / kBytes;
}

}  // namespace

TEST_CASE("a sector that lanes use side by side is one piece") {
  Pages pages;
  Pages::Page& page = pages.of(0x1000);
  pages.put(page, 3, piece_of(0x0000ffff, 7, 0, 0));
  pages.put(page, 3, piece_of(0xffff0000, 7, 0, 0));
  REQUIRE(page.count[3] == 1);
  CHECK(pages.cell(page, 3, 21).write == Slot(7, 21, true, false));
  CHECK(pages.cell(page, 4, 21) == Cell{});
}

TEST_CASE("memory that is freed takes no room any more") {
  constexpr std::uint64_t kEach = 1 << 20, kRounds = 64;
  Pages pages;
  Findings findings(nullptr);
  Wanted wanted;
  wanted.init = true;
  Checker checker(wanted, findings);
  const std::size_t before = in_use();
  for (std::uint64_t i = 1; i <= kRounds; ++i) {
    const std::uint64_t address = i * 2 * kEach;
    for (std::uint64_t at = 0; at < kEach; at += kSectorBytes) {
      pages.put(pages.of(address + at), Pages::sector_of(at), piece_of(~Bytes{0}, 7, 0, 0));
    }
    checker.written(address, kEach);
    pages.drop(address, kEach);
    checker.freed(address, kEach);
    CHECK(pages.used(address) == nullptr);
  }
  // The room of one of them, which the next one uses again.
  CHECK(in_use() - before < 2 * kEach);
  Pages::Page& page = pages.of(kRounds * 2 * kEach);
  CHECK(pages.cell(page, 0, 0) == Cell{});
}

TEST_CASE("bytes of a piece that others use are taken out of it") {
  Pages pages;
  Pages::Page& page = pages.of(0);
  pages.put(page, 0, piece_of(~0u, 7, 0, 1));  // half words
  pages.put(page, 0, piece_of(0x00000100, 8, 30, Pattern::kOneLane));
  CHECK(page.count[0] == 2);
  CHECK(pages.cell(page, 0, 7).write == Slot(7, 3, true, false));
  CHECK(pages.cell(page, 0, 8).write == Slot(8, 30, true, false));
  CHECK(pages.cell(page, 0, 9).write == Slot(7, 4, true, false));
  CHECK(pages.words(page, 0) == nullptr);
}

TEST_CASE("words in no order are kept word by word, and whole sectors make one piece again") {
  Pages pages;
  Pages::Page& page = pages.of(0);
  for (unsigned w = 0; w < kSectorWords; ++w) {
    const Pattern lane = Pattern::of(Slot(9, static_cast<int>(w * 5 % 32), true, false), 4 * w, 2);
    Piece piece;
    piece.bytes = 0xfu << 4 * w;
    piece.set(0, lane);
    pages.put(page, 0, piece);
  }
  REQUIRE(page.count[0] == Pages::kWords);
  for (unsigned w = 0; w < kSectorWords; ++w) {
    CHECK(pages.cell(page, 0, 4 * w + 1).write ==
          Slot(9, static_cast<int>(w * 5 % 32), true, false));
  }
  const Pages::Pieces pieces = pages.pieces(page, 0);
  CHECK(pieces.count == kSectorWords);
  CHECK(pages.cell(page, 0, 31).write == Slot(9, 35 % 32, true, false));
  pages.put(page, 0, piece_of(~0u, 10, 8, 2));
  CHECK(page.count[0] == 1);
}

TEST_CASE("records that nothing means any more make room") {
  Records records;
  for (std::uint32_t i = 1; i <= 5000; ++i) records.add({i, 0, 0, 0});
  std::vector<std::uint32_t> kept(records.size());
  kept[17] = kept[4999] = 1;
  records.compact(kept);
  CHECK(records.size() == 3);
  CHECK(records[kept[17]].time == 17);
  CHECK(records[kept[4999]].time == 4999);
}

TEST_CASE("the checks keep less than four times what a program uses, in whatever order") {
  CHECK(kept("st.global.u8 [%rd2], %r9;") < 2);
  CHECK(kept("st.global.u8 [%rd2+3], %r9;") < 4);
  CHECK(kept("ld.global.u8 %r1, [%rd2]; ld.global.u8 %r2, [%rd2+1]; ld.global.u8 %r3, [%rd2+2];") <
        4);
  // Each byte by a thread of another warp, in no order that anybody knows.
  CHECK(kept("st.global.u8 [%rd2], %r9;", "mul.lo.u32 %r9, %r9, 40503;") < 4);
}

}  // namespace emu::check
