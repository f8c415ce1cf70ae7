// SPDX-License-Identifier: MIT
// The text of a trace, to the letter.
#include "trace/trace.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

struct Traced {
  std::string text;
  observe::Trace trace{[this](const std::string& line) { text += line; }};

  // The trace without the number of the allocation, which depends on what ran before.
  const std::string& of(Run& run, std::size_t n = 32) {
    text.clear();
    run.request.tracer = &trace;
    run.words(n);
    return hide_numbers();
  }
  const std::string& hide_numbers() {
    for (auto at = text.find("alloc"); at != text.npos; at = text.find("alloc", at + 5)) {
      const auto end = text.find('+', at);
      text.replace(at, end - at, "alloc" + std::string(end - at - 5, '#'));
    }
    return text;
  }
};

// Allocations have numbers of one or more digits, so columns behind them may move.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '#' && out.ends_with('#')) continue;
    if (c == ' ' && out.ends_with(' ')) continue;
    out += c;
  }
  return out;
}

TEST_CASE("operations, values and addresses of one thread") {
  Run run(R"(
    st.global.u32 [%out], 5; ld.relaxed.gpu.global.u32 %r2, [%out]; atom.acq_rel.gpu.global.cas.b32 %r3, [%out], 5, 7;
    atom.relaxed.sys.global.cas.b32 %r3, [%out], 5, 8; fence.acq_rel.gpu; membar.gl; red.global.add.u32 [%out], 1;
    atom.shared.exch.b32 %r4, [s+4], %r3; st.volatile.global.v2.u32 [%out+8], {%r2, %r3}; mov.b64 %rd1, {%r2, %r3};
    st.release.gpu.global.u64 [%out+16], %rd1; st.global.f32 [%out+24], 0f3fc00000; ld.acquire.sys.global.s32 %r5, [c];
    bar.sync 0; nanosleep.u32 20; activemask.b32 %r6; st.global.u32 [%out+28], 0xcdcdcdcd;)",
          ".shared .align 4 .b8 s[8]; .global .align 4 .s32 c = -3;");
  run.block(1);
  Traced traced;
  CHECK(squeezed(traced.of(run)) == R"(trace of k<<<1, 1>>>
 1 b0 t0 store weak alloc#+0 0 -> 5
 2 b0 t0 load relaxed.gpu alloc#+0 5
 3 b0 t0 cas acq_rel.gpu alloc#+0 5 -> 7
 4 b0 t0 cas relaxed.sys alloc#+0 7 is not 5
 5 b0 t0 fence acq_rel.gpu
 6 b0 t0 fence sc.gpu
 7 b0 t0 add relaxed.gpu alloc#+0 7 -> 8
 8 b0 t0 exch relaxed.gpu shared+4 0xcdcdcdcd -> 7
 9 b0 t0 store volatile alloc#+8 {0, 0} -> {5, 7}
 10 b0 t0 store release.gpu alloc#+16 0 -> 0x7'00000005
 11 b0 t0 store weak alloc#+24 0 -> 1.5
 12 b0 t0 load acquire.sys c -3
 13 b0 t0 barrier
 14 b0 t0 sleep
 15 b0 t0 active mask 0x00000001
 16 b0 t0 store weak alloc#+28 0 -> 0xcdcdcdcd
end after 16 steps
)");
}

TEST_CASE("columns, source lines and the seed") {
  const auto folder = std::filesystem::temp_directory_path() / "warpladder_trace_test";
  std::filesystem::create_directory(folder);
  const auto path = folder / "t.cu";
  std::ofstream(path) << "first line\n\t  second line;  \n";
  Run run(
      R"(.loc 1 2 0
    atom.global.add.u32 %r2, [c], 2;
    .loc 1 1 0
    st.shared.u32 [s], %t;)",
      ".file 1 \"" + path.string() + "\"\n.shared .align 4 .b8 s[8]; .global .align 4 .u32 c = 1;");
  run.grid(2).block(2);
  run.request.schedule = parse_schedule("random:1");
  Traced traced;
  const std::string text = traced.of(run);
  std::filesystem::remove_all(folder);
  CHECK(text == R"(trace of k<<<2, 2>>>, schedule random:1
    1  b1 t0    add relaxed.gpu    c            1 -> 3           t.cu:2           second line;
    2  b1 t0    store weak         shared+0     0xcdcdcdcd -> 0  t.cu:1           first line
    3  b0 t0    add relaxed.gpu    c            3 -> 5           t.cu:2           second line;
    4  b0 t0    store weak         shared+0     0xcdcdcdcd -> 0  t.cu:1           first line
    5  b0 t1    add relaxed.gpu    c            5 -> 7           t.cu:2           second line;
    6  b0 t1    store weak         shared+0     0 -> 1           t.cu:1           first line
    7  b1 t1    add relaxed.gpu    c            7 -> 9           t.cu:2           second line;
    8  b1 t1    store weak         shared+0     0 -> 1           t.cu:1           first line
end after 8 steps, schedule random:1
)");
}

TEST_CASE("lanes that act together have one line where there are no values") {
  Run run("fence.sc.gpu; bar.sync 0;");
  run.block(40);
  Traced traced;
  CHECK(traced.of(run) == R"(trace of k<<<1, 40>>>
    1  b0 t0-31  fence sc.gpu
    2  b0 t0-31  barrier
    3  b0 t32-39  fence sc.gpu
    4  b0 t32-39  barrier
end after 4 steps
)");
}

TEST_CASE("a launch that is traced gives what it gives otherwise") {
  const std::string body = R"(
    and.b32 %r2, %t, 3; mad.wide.u32 %rd1, %r2, 4, %out; atom.global.add.u32 %r3, [%rd1+256], %t; st.global.u32 [%out4], %r3;
    st.global.u32 [%rd1+512], %t; ld.global.u32 %r4, [%rd1+512]; red.global.xor.b32 [%out4], %r4;)";
  Run plain(body), watched(body);
  plain.block(64);
  watched.block(64);
  Traced traced;
  watched.request.tracer = &traced.trace;
  CHECK(plain.words(256) == watched.words(256));
  CHECK(plain.stats.warp_instructions == watched.stats.warp_instructions);
}

TEST_CASE("the operation that fails is the last of its trace") {
  Run run("ld.global.u32 %r2, [%out]; st.global.u32 [%out+4000], %t;");
  run.block(1);
  run.request.schedule = parse_schedule("pct:2:4");
  Traced traced;
  run.request.tracer = &traced.trace;
  run.error(FaultKind::OutOfBounds);
  CHECK(says(traced.text, "fails\nan error ends the kernel after 2 steps, schedule pct:2:4\n"));
}

TEST_CASE("what weak memory does to stores and atomics is told") {
  Run run(
      "mov.u32 %r8, %ctaid.x; add.u32 %r8, %r8, 1; st.global.u32 [%out], %r8;"
      "atom.relaxed.cta.global.add.u32 %r9, [%out+64], 1;");
  run.grid(2).block(1);
  run.request.weak_memory = true;
  run.request.schedule = Schedule{};
  Traced traced;
  std::string all;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    run.request.schedule->seed = seed;
    all += squeezed(traced.of(run));
  }
  CHECK(all.find("store weak alloc#+0 2 (comes before the newest: 1)") != all.npos);
  CHECK(all.find("add relaxed.cta alloc#+64 0 (stale: newest is 1) -> 1") != all.npos);
}

}  // namespace
}  // namespace emu::exec::testing
