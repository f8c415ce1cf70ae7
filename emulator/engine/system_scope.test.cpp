// SPDX-License-Identifier: MIT
// Atomics at the scope of the system are atomics for the host's threads too.
#include <cstring>
#include <thread>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

// A kernel changes two words of managed memory 64000 times while a thread of the host adds to them.
std::uint32_t with_the_host(const std::string& body, std::uint32_t host_times, int word) {
  Run run("mov.u32 %r9, 0; L: " + body +
          " add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 2000; @%p1 bra L;");
  auto& space = memory::AddressSpace::instance();
  auto& memory = space.allocate(64, memory::Kind::Managed, 0);
  std::memset(memory.bytes, 0, 64);
  auto* const words = reinterpret_cast<std::uint32_t*>(memory.bytes);
  run.request.params.resize(8);
  std::memcpy(run.request.params.data(), &memory.address, 8);
  std::thread host([&] {
    for (std::uint32_t i = 0; i < host_times; ++i)
      __atomic_fetch_add(&words[word], 1u, __ATOMIC_RELAXED);
  });
  launch(run.request);
  host.join();
  const std::uint32_t sum = words[word];
  space.release(memory.address);
  return sum;
}

TEST_CASE("no addition of the kernel or of the host is lost") {
  constexpr std::uint32_t kTimes = 400'000;
  CHECK(with_the_host("atom.global.sys.add.u32 %r2, [%out], 1;", kTimes, 0) == 64000 + kTimes);
  CHECK(with_the_host("red.relaxed.sys.global.add.u32 [%out+4], 1;", kTimes, 1) == 64000 + kTimes);
}

TEST_CASE("exchange, compare-and-swap, minimum and float addition at the scope of the system") {
  const Words got = Run(R"(
      setp.ne.u32 %p1, %t, 0; @%p1 bra DONE;
      st.global.u32 [%out], 5; st.global.u32 [%out+4], 5; st.global.u32 [%out+12], 0x40000000;
      atom.global.sys.exch.b32 %r2, [%out], 9; atom.global.sys.cas.b32 %r3, [%out+4], 5, 8;
      atom.global.sys.cas.b32 %r4, [%out+4], 5, 7; atom.sys.global.min.s32 %r5, [%out+8], -3;
      mov.b32 %r6, 0f3F800000; red.sys.global.add.f32 [%out+12], %r6;
      st.global.u32 [%out+16], %r2; st.global.u32 [%out+20], %r3; st.global.u32 [%out+24], %r4;
      mov.u64 %rd2, 0x100000000; atom.sys.global.add.u64 %rd3, [%out+32], %rd2;
      DONE:)")
                        .words(10);
  CHECK(got == Words{9, 8, 0xfffffffdu, 0x40400000, 5, 5, 8, 0, 0, 1});
}

}  // namespace
}  // namespace emu::exec::testing
