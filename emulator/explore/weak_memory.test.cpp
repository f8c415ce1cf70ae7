// SPDX-License-Identifier: MIT
// The weak memory mode against the PTX memory model: what must show for some seed, and what never.
#include "explore/weak_litmus.test.hpp"

using namespace emu::exec;
using namespace emu::exec::testing;

namespace {

const std::string kStoreX = "st.global.u32 [%out], 1;", kLoadX = "ld.global.u32 %r11, [%out];";
std::string store_y(const std::string& how) { return "st" + how + ".global.u32 [%out+128], 1;"; }
std::string load_y(const std::string& how) { return "ld" + how + ".global.u32 %r10, [%out+128];"; }

// Message passing: the writer stores x and then the flag y; the reader reads the flag and then x.
// Whether for some seed it saw the flag and not the message.
bool loses(const std::string& writer, const std::string& reader, Apart apart = Apart::Blocks) {
  const Results seen = litmus({kStoreX + writer, reader + kLoadX}, apart);
  CHECK(seen.count({0, 11}));  // the flag is seen by some seed, or nothing is shown
  return seen.count({0, 10}) != 0;
}

// Store buffering: each stores to one word and reads the other's. Whether both read zero.
bool both_zero(const std::string& fence, Apart apart = Apart::Blocks) {
  const auto body = [&](const char* mine, const char* other) {
    return "st.relaxed.gpu.global.u32 [%out+" + std::string(mine) + "], 1;" + fence +
           "ld.relaxed.gpu.global.u32 %r11, [%out+" + other + "];";
  };
  return litmus({body("0", "128"), body("128", "0")}, apart).count({0, 0}) != 0;
}

}  // namespace

TEST_CASE("weak: a plain, relaxed or volatile flag does not publish what was stored before it") {
  CHECK(loses(store_y(""), load_y("")));
  CHECK(loses(store_y(".relaxed.gpu"), load_y(".relaxed.gpu")));
  CHECK(loses(store_y(".volatile"), load_y(".volatile")));
  CHECK(loses(store_y(".relaxed.gpu"), load_y(".relaxed.gpu"), Apart::Warps));
  CHECK(loses(store_y(".relaxed.gpu"), load_y(".relaxed.gpu"), Apart::Lanes));
}

TEST_CASE("weak: one side of the synchronisation is not enough") {
  CHECK(loses("fence.acq_rel.gpu;" + store_y(".relaxed.gpu"), load_y(".relaxed.gpu")));
  CHECK(loses(store_y(".relaxed.gpu"), load_y(".relaxed.gpu") + "fence.acq_rel.gpu;"));
  CHECK(loses(store_y(".release.gpu"), load_y(".relaxed.gpu")));
  CHECK(loses(store_y(".relaxed.gpu"), load_y(".acquire.gpu")));
  CHECK(loses(store_y(".release.gpu"), load_y("")));
  CHECK(loses(store_y(""), load_y(".acquire.gpu")));
  CHECK(loses("fence.sc.gpu;" + store_y(""), load_y("") + "fence.acq_rel.gpu;"));
}

TEST_CASE("weak: release and acquire, or fences on both sides, pass the message on") {
  CHECK_FALSE(loses(store_y(".release.gpu"), load_y(".acquire.gpu")));
  CHECK_FALSE(loses(store_y(".release.sys"), load_y(".acquire.gpu")));
  CHECK_FALSE(loses("fence.acq_rel.gpu;" + store_y(".relaxed.gpu"),
                    load_y(".relaxed.gpu") + "fence.acq_rel.gpu;"));
  CHECK_FALSE(loses("membar.gl;" + store_y(".volatile"), load_y(".volatile") + "membar.gl;"));
  CHECK_FALSE(loses("fence.acq_rel.gpu;" + store_y(".relaxed.gpu"), load_y(".acquire.gpu")));
  CHECK_FALSE(loses(store_y(".release.gpu"), load_y(".relaxed.gpu") + "fence.acq_rel.gpu;"));
  CHECK_FALSE(loses("atom.release.gpu.global.exch.b32 %r13, [%out+128], 1;",
                    "atom.acquire.gpu.global.or.b32 %r10, [%out+128], 0;"));
  CHECK_FALSE(loses("red.release.gpu.global.add.u32 [%out+128], 1;", load_y(".acquire.gpu")));
}

TEST_CASE("weak: a scope that is too narrow does not reach another block") {
  CHECK(loses(store_y(".release.cta"), load_y(".acquire.gpu")));
  CHECK(loses(store_y(".release.gpu"), load_y(".acquire.cta")));
  CHECK(loses("fence.acq_rel.cta;" + store_y(".relaxed.gpu"),
              load_y(".relaxed.gpu") + "fence.acq_rel.gpu;"));
  CHECK(loses("membar.cta;" + store_y(".volatile"), load_y(".volatile") + "membar.cta;"));
  CHECK(loses("fence.acq_rel.gpu;" + store_y(".relaxed.cta"),
              load_y(".relaxed.gpu") + "fence.acq_rel.gpu;"));
  CHECK(loses(store_y(".release.cluster"), load_y(".acquire.cluster")));
}

TEST_CASE("weak: inside a block its own scope is enough") {
  CHECK_FALSE(loses(store_y(".release.cta"), load_y(".acquire.cta"), Apart::Warps));
  CHECK_FALSE(loses(store_y(".release.cta"), load_y(".acquire.gpu"), Apart::Warps));
  CHECK_FALSE(loses(store_y(".release.gpu"), load_y(".acquire.cta"), Apart::Lanes));
  CHECK_FALSE(loses("membar.cta;" + store_y(".volatile"), load_y(".volatile") + "membar.cta;",
                    Apart::Warps));
}

TEST_CASE("weak: store buffering is forbidden by sequentially consistent fences only") {
  CHECK(both_zero(""));
  CHECK(both_zero("fence.acq_rel.gpu;"));
  CHECK(both_zero("fence.sc.cta;"));
  CHECK_FALSE(both_zero("fence.sc.gpu;"));
  CHECK_FALSE(both_zero("membar.gl;"));
  CHECK_FALSE(both_zero("fence.sc.cta;", Apart::Warps));
}

TEST_CASE("weak: a word never goes back, and 64 bits are read whole") {
  const Results twice =
      litmus({"st.relaxed.gpu.global.u32 [%out], 1;"
              "st.relaxed.gpu.global.u32 [%out], 2;",
              "ld.relaxed.gpu.global.u32 %r10, [%out];"
              "ld.relaxed.gpu.global.u32 %r11, [%out];"});
  for (const std::uint32_t back : {10u, 20u, 21u}) CHECK_FALSE(twice.count({0, back}));
  for (const std::uint32_t forth : {1u, 2u, 12u, 22u}) CHECK(twice.count({0, forth}));
  const Results whole =
      litmus({"mov.b64 %rd3, {1, 1}; st.global.u64 [%out], %rd3;"
              "mov.b64 %rd3, {2, 2}; st.global.u64 [%out], %rd3;",
              "ld.global.u64 %rd3, [%out]; mov.b64 {%r10, %r11}, %rd3;"});
  CHECK(whole == Results{{0, 0}, {0, 11}, {0, 22}});
}

TEST_CASE("weak: neighbours in one 8-byte word are ordered on their own") {
  const Results seen = litmus({"st.global.u32 [%out], 1; st.relaxed.gpu.global.u32 [%out+4], 1;",
                               "ld.relaxed.gpu.global.u32 %r10, [%out+4];" + kLoadX});
  CHECK(seen.count({0, 10}));
  const Results kept = litmus({"st.global.u32 [%out], 1; st.release.gpu.global.u32 [%out+4], 1;",
                               "ld.acquire.gpu.global.u32 %r10, [%out+4];" + kLoadX});
  CHECK_FALSE(kept.count({0, 10}));
}

TEST_CASE("weak: a thread sees its own stores and those its atomics read") {
  const Results own =
      litmus({"st.global.u32 [%out], 7; ld.global.u32 %r11, [%out];"
              "st.global.u32 [%out], 5; ld.global.u32 %r10, [%out];",
              "st.global.u32 [%out+128], 3;"});
  CHECK(own == Results{{57, 0}});
  const Results sum = litmus({"atom.global.add.u32 %r13, [%out], 1; ld.global.u32 %r10, [%out];",
                              "atom.global.add.u32 %r13, [%out], 1; ld.global.u32 %r10, [%out];"});
  for (const Result& o : sum) CHECK((o[0] == 20 || o[1] == 20));
}

TEST_CASE("weak: two readers may disagree on the order of two writers, unless fences say no") {
  const std::string one = "st.relaxed.gpu.global.u32 [%out], 1;";
  const std::string two = "st.relaxed.gpu.global.u32 [%out+128], 1;";
  const auto readers = [&](const std::string& how, const std::string& fence) {
    const auto read = [&](const char* reg, const char* at) {
      return "ld" + how + ".gpu.global.u32 " + reg + ", [%out+" + at + "];";
    };
    return litmus({one, two, read("%r10", "0") + fence + read("%r11", "128"),
                   read("%r10", "128") + fence + read("%r11", "0")},
                  Apart::Blocks, 2 * kSeeds)
               .count({0, 0, 10, 10}) != 0;
  };
  CHECK(readers(".acquire", ""));
  CHECK(readers(".relaxed", "fence.acq_rel.gpu;"));
  CHECK_FALSE(readers(".relaxed", "fence.sc.gpu;"));
}

TEST_CASE("weak: an atomic continues the release it read, a store of another thread does not") {
  const std::string writer = kStoreX + store_y(".release.gpu");
  const std::string wait = spin("ld.relaxed.gpu.global.u32 %r13, [%out+128];", "1", "WAIT1");
  const std::string reader =
      spin("ld.acquire.gpu.global.u32 %r13, [%out+128];", "2", "WAIT2") + kLoadX;
  const auto through = [&](const std::string& middle) {
    return litmus({writer, wait + middle, reader});
  };
  CHECK(through("atom.relaxed.gpu.global.add.u32 %r13, [%out+128], 1;") == Results{{0, 0, 1}});
  const Results broken = through("st.relaxed.gpu.global.u32 [%out+128], 2;");
  CHECK(broken == Results{{0, 0, 0}, {0, 0, 1}});
  // At the scope of the block the atomic and its reader do not count for each other.
  CHECK(through("atom.relaxed.cta.global.add.u32 %r13, [%out+128], 1;").count({0, 0, 0}));
}

TEST_CASE("weak: an atomic that changes nothing neither hides a release nor loses its own") {
  // A failing compare-and-swap of another block at a narrow scope.
  const Results narrow = litmus({kStoreX + store_y(".release.gpu"),
                                 "atom.relaxed.cta.global.cas.b32 %r13, [%out+128], 5, 6;",
                                 load_y(".acquire.gpu") + kLoadX});
  CHECK_FALSE(narrow.count({0, 0, 10}));
  // z says that the atomic was made: who then adds nothing to y must see what came before it.
  const Results own = litmus(
      {kStoreX +
           "red.release.gpu.global.add.u32 [%out+128], 0; st.relaxed.gpu.global.u32 [%out+256], 1;",
       "ld.relaxed.gpu.global.u32 %r10, [%out+256];"
       "atom.acquire.gpu.global.add.u32 %r13, [%out+128], 0;" +
           kLoadX});
  CHECK_FALSE(own.count({0, 10}));
  CHECK(own.count({0, 11}));
}

TEST_CASE(
    "weak: later stores of the releasing thread, and later acquires of the same word, count") {
  const Results later =
      litmus({kStoreX + store_y(".release.gpu") + "st.relaxed.gpu.global.u32 [%out+128], 2;",
              spin("ld.acquire.gpu.global.u32 %r13, [%out+128];", "2", "WAIT") + kLoadX});
  CHECK(later == Results{{0, 1}});
  const Results pair =
      litmus({kStoreX + store_y(".release.gpu"),
              spin("ld.relaxed.gpu.global.u32 %r13, [%out+128];", "1", "WAIT") +
                  "st.relaxed.gpu.global.u32 [%out+128], 2;",
              load_y(".relaxed.gpu") + "ld.acquire.gpu.global.u32 %r13, [%out+128];" + kLoadX});
  CHECK_FALSE(pair.count({0, 0, 10}));
}

TEST_CASE("weak: what was acquired goes on with the next release") {
  const auto chain = [&](const std::string& middle_load) {
    return litmus({kStoreX + store_y(".release.gpu"),
                   spin(middle_load, "1", "WAIT1") + "st.release.gpu.global.u32 [%out+256], 1;",
                   spin("ld.acquire.gpu.global.u32 %r13, [%out+256];", "1", "WAIT2") + kLoadX});
  };
  CHECK(chain("ld.acquire.gpu.global.u32 %r13, [%out+128];") == Results{{0, 0, 1}});
  CHECK(chain("ld.relaxed.gpu.global.u32 %r13, [%out+128];").count({0, 0, 0}));
}

TEST_CASE("weak: barriers and __syncwarp publish, shuffles do not") {
  const auto with = [&](const std::string& meet, Apart apart, const std::string& at) {
    return litmus({"st" + at + ", 1;" + meet, meet + "ld" + at.substr(0, at.find(' ')) + " %r11," +
                                                  at.substr(at.find(' ')) + ";"},
                  apart);
  };
  for (const std::string at : {".global.u32 [%out]", ".shared.u32 [s]"}) {
    CHECK(with("barrier.sync 0;", Apart::Warps, at) == Results{{0, 1}});
    CHECK(with("bar.warp.sync 3;", Apart::Lanes, at) == Results{{0, 1}});
    CHECK(with("shfl.sync.bfly.b32 %r13, %r12, 1, 31, 3;", Apart::Lanes, at).size() == 2);
  }
  const Results arrived =
      litmus({kStoreX + "barrier.arrive 1, 64;", "barrier.sync 1, 64;" + kLoadX}, Apart::Warps);
  CHECK(arrived == Results{{0, 1}});
}

TEST_CASE("weak: the same seed reads the same, and memory ends with the newest") {
  Run run(litmus_text({kStoreX + store_y(""), load_y("") + kLoadX}, Apart::Blocks));
  run.grid(2).block(1);
  for (int seed = 1; seed <= 50; ++seed) {
    make_weak(run.request, seed);
    const Words first = run.words(512), second = run.words(512);
    CHECK(first == second);
    CHECK((first[0] == 1 && first[32] == 1));
  }
}
