// SPDX-License-Identifier: MIT
// Blocks that do the same at the same time.
#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"
#include "timing/what_if.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

TEST_CASE("two blocks of a multiprocessor that go in step hide nothing of each other's way") {
  const auto time = [](double in_step, double blocks) {
    Parts parts;
    parts.memory_sharpness = devices::timing(*devices::find("h200")).memory_sharpness;
    parts[Limit::Path] = 40;
    parts[Limit::Shared] = 60;
    parts.in_step = in_step;
    parts.blocks = blocks;
    Modelled m;
    put_together(m, parts);
    return m.ns;
  };
  CHECK(time(0, 2) < 70);
  CHECK(time(0, 2) == Approx(time(1, 8)));
  CHECK(time(1, 2) == Approx(94).epsilon(0.05));
  CHECK(time(1, 4) < time(1, 2));
}

TEST_CASE("blocks go in step where each has many passes behind its barrier, and they are few") {
  // The time beside the way and the passes; each load is of 32 words of one bank.
  const auto together = [](std::uint32_t threads, int loads) {
    std::string body =
        ".shared .align 4 .b32 tile[1024]; ld.global.u32 %r2, [%out4]; bar.sync 0; "
        "and.b32 %r5, %t, 31; shl.b32 %r5, %r5, 7; mov.u32 %r6, tile; "
        "add.u32 %r5, %r5, %r6; ";
    for (int i = 0; i < loads; ++i)
      body += "ld.shared.u32 %r3, [%r5+" + std::to_string(4 * i) + "]; add.u32 %r2, %r2, %r3; ";
    Run run(body + "st.global.u32 [%out4], %r2;");
    run.grid(132 * 4 * 2048 / threads).block(threads);
    run.request.resident_blocks = 132 * 2048 / threads;
    Modelling modelling;
    run.request.observer = &modelling;
    run.words(132 * 4 * 2048);
    const Modelled m = modelling.last();
    return m.ns / (m.alone[static_cast<std::size_t>(Limit::Path)] +
                   m.alone[static_cast<std::size_t>(Limit::Shared)]);
  };
  CHECK(together(1024, 1) > 1.1 * together(256, 4));
}

}  // namespace
}  // namespace emu::observe
