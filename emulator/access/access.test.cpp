// SPDX-License-Identifier: MIT
// ld, ldu and st with a warp made by hand: widths, masks, spaces, faults.
#include "access/access.hpp"

#include <algorithm>

#include "access/fake_warp.test.hpp"
#include "support/catch.hpp"

using namespace emu;
using namespace emu::exec;
using namespace emu::exec::fake;
using memory::AddressSpace;
using memory::Kind;
using ptx::Row;
using ptx::Type;
using Mods = std::vector<std::string_view>;

namespace {

// Device memory that goes when the test ends.
struct Buffer {
  explicit Buffer(std::size_t size, Kind kind = Kind::Device, int device = 0)
      : allocation(AddressSpace::instance().allocate(size, kind, device, 512, "table")),
        address(allocation.address) {
    for (std::size_t i = 0; i < size; ++i) allocation.bytes[i] = std::byte(i * 37 + 11);
  }
  ~Buffer() { AddressSpace::instance().release(address); }
  memory::Allocation& allocation;
  memory::Address address;
};

std::uint64_t bytes_at(const std::byte* p, std::size_t n, bool sign) {
  std::uint64_t v = 0;
  std::memcpy(&v, p, n);
  if (sign && n < 8 && (v >> (8 * n - 1) & 1)) v |= ~std::uint64_t{0} << (8 * n);
  return v;
}

std::uint64_t lane_value(Machine& m, int r, int lane) {
  switch (m.widths[r]) {
    case 2:
      return m.r<std::uint16_t>(r)[lane];
    case 4:
      return m.r<std::uint32_t>(r)[lane];
    default:
      return m.r<std::uint64_t>(r)[lane];
  }
}

FaultKind fault_of(Machine& m, const Instr& in, LaneMask mask, int lane, const std::string& part) {
  try {
    m.run(in, mask);
  } catch (const Fault& f) {
    CHECK(f.lane == lane);
    INFO(f.message);
    CHECK(f.message.find(part) != std::string::npos);
    return f.kind;
  }
  FAIL("no fault");
  return FaultKind::Trap;
}

constexpr Type kTypes[] = {Type::U8,  Type::S8,  Type::B8,  Type::U16, Type::S16, Type::F16,
                           Type::U32, Type::S32, Type::F32, Type::U64, Type::S64, Type::F64};
// How lane addresses are spread: contiguous, all the same, reversed, scattered.
std::uint64_t spread(int how, int lane, std::size_t bytes) {
  switch (how) {
    case 0:
      return lane * bytes;
    case 1:
      return 0;
    case 2:
      return (31 - lane) * bytes;
    default:
      return (lane * 13 % 32) * bytes * 2;
  }
}

}  // namespace

TEST_CASE(
    "ld reads every type into every register width, for any address pattern, mask and space") {
  Machine m;
  Buffer buffer(8192);
  std::memcpy(m.block.shared.data(), buffer.allocation.bytes, 4096);
  struct Where {
    Mods mods;
    std::uint64_t base;
    bool narrow;
  };
  const Where places[] = {{{"global"}, buffer.address, false},
                          {{"global", "nc"}, buffer.address, false},
                          {{"shared"}, 0, true},
                          {{"shared"}, 0, false},
                          {{}, buffer.address, false},
                          {{}, memory::kSharedWindow, false},
                          {{"volatile"}, memory::kSharedWindow, false}};
  for (const auto& place : places) {
    for (const Type type : kTypes) {
      const std::size_t n = ptx::size_of(type);
      for (std::uint32_t width = n < 2 ? 2 : n; width <= 8; width *= 2) {
        for (int how = 0; how < 4; ++how) {
          for (const LaneMask mask : {kAllLanes, 0x1u, 0x80000000u, 0x0f0f1234u}) {
            for (int i = 0; i < 32; ++i) {
              if (place.narrow)
                m.r<std::uint32_t>(0)[i] = spread(how, i, n);
              else
                m.r<std::uint64_t>(0)[i] = place.base + spread(how, i, n);
              m.r<std::uint64_t>(1)[i] = 0x5555'5555'5555'5555;
            }
            m.widths[1] = width;
            m.widths[0] = place.narrow ? 4 : 8;
            const Instr in = m.bind(Row::ld, bind_ld, place.mods, {type}, {reg(1), mem(0, 16)});
            for (int again = 0; again < 2; ++again) m.run(in, mask);
            for (int i = 0; i < 32; ++i) {
              const auto* p = buffer.allocation.bytes + 16 + spread(how, i, n);
              std::uint64_t expected = bytes_at(p, n, ptx::is_signed(type));
              if (!(mask >> i & 1)) expected = 0x5555'5555'5555'5555;
              if (width < 8) expected &= (std::uint64_t{1} << (8 * width)) - 1;
              if (lane_value(m, 1, i) != expected)
                FAIL("lane " << i << " of " << ptx::name_of(type));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("st writes the low bytes of every register width to the lanes of the mask only") {
  Machine m;
  Buffer buffer(8192);
  for (const bool shared : {false, true}) {
    std::byte* const memory = shared ? m.block.shared.data() : buffer.allocation.bytes;
    for (const Type type : kTypes) {
      const std::size_t n = ptx::size_of(type);
      for (std::uint32_t width = n < 2 ? 2 : n; width <= 8; width *= 2) {
        for (const int how : {0, 2, 3}) {
          for (const LaneMask mask : {kAllLanes, 0x00ff0081u}) {
            std::memset(memory, 0xee, 4096);
            for (int i = 0; i < 32; ++i) {
              m.r<std::uint64_t>(0)[i] = (shared ? 0 : buffer.address) + spread(how, i, n);
              const std::uint64_t v = 0x0102'0304'0506'0700u * (i + 1);
              std::memcpy(reinterpret_cast<std::byte*>(m.r<std::uint64_t>(1)) + i * width, &v,
                          width);
            }
            m.widths[1] = width;
            const Instr in = m.bind(Row::st, bind_st, {shared ? "shared" : "global"}, {type},
                                    {mem(0, 8), reg(1)});
            for (int again = 0; again < 2; ++again) m.run(in, mask);
            for (int i = 0; i < 32; ++i) {
              const std::uint64_t v = 0x0102'0304'0506'0700u * (i + 1);
              const std::uint64_t expected = mask >> i & 1 ? v : 0xeeee'eeee'eeee'eeee;
              if (std::memcmp(memory + 8 + spread(how, i, n), &expected, n)) FAIL("lane " << i);
            }
          }
        }
      }
    }
  }
  CHECK(m.grid.memory_changes > 0);
}

TEST_CASE("vector loads and stores move between consecutive elements and registers") {
  Machine m;
  Buffer buffer(16384), copy(16384);
  for (const Type type : {Type::U8, Type::S8, Type::U16, Type::F32, Type::B64}) {
    for (const int n : {2, 4}) {
      const std::size_t bytes = ptx::size_of(type) * n;
      for (const int how : {0, 1, 3}) {
        for (const LaneMask mask : {kAllLanes, 0xf0000001u}) {
          std::vector<ptx::Operand> regs;
          for (int e = 0; e < n; ++e) {
            m.widths[2 + e] = std::max<std::uint32_t>(2, ptx::size_of(type));
            regs.push_back(reg(2 + e));
          }
          for (int i = 0; i < 32; ++i) {
            m.r<std::uint64_t>(0)[i] = buffer.address + spread(how, i, bytes);
            m.r<std::uint64_t>(1)[i] = copy.address + i * bytes;
          }
          const Mods mods = {"global", n == 2 ? "v2" : "v4"};
          const Instr load = m.bind(Row::ld, bind_ld, mods, {type}, {vec(regs), mem(0)});
          const Instr store = m.bind(Row::st, bind_st, mods, {type}, {mem(1), vec(regs)});
          for (int again = 0; again < 2; ++again) m.run(load, mask), m.run(store, mask);
          for (int i = 0; i < 32; ++i) {
            if (!(mask >> i & 1)) continue;
            const auto* from = buffer.allocation.bytes + spread(how, i, bytes);
            if (std::memcmp(copy.allocation.bytes + i * bytes, from, bytes)) FAIL("lane " << i);
          }
        }
      }
    }
  }
}

TEST_CASE("ld.b128 and st.b128 move 16 bytes per lane") {
  Machine m;
  Buffer buffer(1024);
  m.widths[1] = 16;
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] = buffer.address + 16 * (31 - i);
  const Instr load = m.bind(Row::ld, bind_ld, {"global"}, {Type::B128}, {reg(1), mem(0)});
  const Instr store = m.bind(Row::st, bind_st, {}, {Type::B128}, {mem(0, 512), reg(1)});
  for (int again = 0; again < 2; ++again) m.run(load), m.run(store);
  CHECK(std::memcmp(buffer.allocation.bytes, buffer.allocation.bytes + 512, 512) == 0);
}

TEST_CASE("a load may overwrite the register its addresses come from") {
  Machine m;
  Buffer buffer(4096);
  auto* words = reinterpret_cast<std::uint64_t*>(buffer.allocation.bytes);
  for (int i = 0; i < 32; ++i) {
    words[i * 3 % 64] = buffer.address + 8 * i;
    m.r<std::uint64_t>(0)[i] = buffer.address + 8 * (i * 3 % 64);
  }
  const Instr in = m.bind(Row::ld, bind_ld, {"global"}, {Type::U64}, {reg(0), mem(0)});
  m.run(in);
  for (int i = 0; i < 32; ++i) CHECK(m.r<std::uint64_t>(0)[i] == buffer.address + 8 * i);
}

TEST_CASE("of lanes that store to one address the highest wins") {
  Machine m;
  for (int i = 0; i < 32; ++i) m.r<std::uint32_t>(0)[i] = 64, m.r<std::uint32_t>(1)[i] = i;
  const Instr in = m.bind(Row::st, bind_st, {"shared"}, {Type::U32}, {mem(0), reg(1)});
  m.run(in, 0x00ffffff);
  CHECK(std::to_integer<int>(m.block.shared[64]) == 23);
  m.run(in);
  CHECK(std::to_integer<int>(m.block.shared[64]) == 31);
}

TEST_CASE("lanes of one generic load may be in global, shared, local and parameter memory") {
  Machine m;
  Buffer buffer(256);
  m.grid.params.assign(64, std::byte{0x44});
  std::fill(m.block.shared.begin(), m.block.shared.end(), std::byte{0x22});
  std::fill(m.warp.local.begin(), m.warp.local.end(), std::byte{0x33});
  std::memset(buffer.allocation.bytes, 0x11, 256);
  const std::uint64_t bases[] = {buffer.address, memory::kSharedWindow, memory::kLocalWindow,
                                 memory::kParamWindow};
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] = bases[i % 4] + 4 * (i / 4);
  m.r<std::uint32_t>(1);
  m.run(m.bind(Row::ld, bind_ld, {}, {Type::U32}, {reg(1), mem(0)}));
  for (int i = 0; i < 32; ++i) CHECK(m.r<std::uint32_t>(1)[i] == 0x1111'1111u * (i % 4 + 1));
}

TEST_CASE("each lane has its own local memory, by local and by generic address") {
  Machine m;
  for (int i = 0; i < 32; ++i) {
    m.r<std::uint64_t>(0)[i] = 8 * (i % 3);
    m.r<std::uint64_t>(1)[i] = memory::kLocalWindow + 8 * (i % 3);
    m.r<std::uint32_t>(2)[i] = 1000 + i;
  }
  m.r<std::uint32_t>(3);
  m.run(m.bind(Row::st, bind_st, {"local"}, {Type::U32}, {mem(0), reg(2)}));
  const auto changes = m.grid.memory_changes;
  m.run(m.bind(Row::ld, bind_ld, {}, {Type::U32}, {reg(3), mem(1)}));
  for (int i = 0; i < 32; ++i) CHECK(m.r<std::uint32_t>(3)[i] == 1000u + i);
  CHECK(changes == 0);
  m.r<std::uint64_t>(0)[5] = 256;
  const Instr in = m.bind(Row::ld, bind_ld, {"local"}, {Type::U32}, {reg(3), mem(0)});
  CHECK(fault_of(m, in, kAllLanes, 5, "local offset 256") == FaultKind::OutOfBounds);
}

TEST_CASE(
    "ld.param reads the kernel's parameters; st.param and ld.param use the frame of a function") {
  Machine m;
  m.grid.params.resize(16);
  const std::uint32_t answer = 42;
  std::memcpy(m.grid.params.data() + 8, &answer, 4);
  m.r<std::uint32_t>(1);
  m.run(m.bind(Row::ld, bind_ld, {"param"}, {Type::U32}, {reg(1), param(8, true)}));
  CHECK(m.r<std::uint32_t>(1)[31] == 42);
  m.body.param_bytes = 24;
  m.frame.params.resize(24 * 32);
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(2)[i] = 7 * i, m.r<std::uint64_t>(3)[i] = 0;
  m.run(m.bind(Row::st, bind_st, {"param"}, {Type::B64}, {param(16, false), reg(2)}));
  m.run(m.bind(Row::ld, bind_ld, {"param"}, {Type::B64}, {reg(3), param(16, false)}), 0x80000001);
  CHECK(m.r<std::uint64_t>(3)[31] == 217);
  CHECK(m.r<std::uint64_t>(3)[30] == 0);
  const Instr write = m.bind(Row::st, bind_st, {"param"}, {Type::B64}, {param(8, true), reg(2)});
  CHECK(fault_of(m, write, 1, 0, "only read its parameters") == FaultKind::InvalidSpace);
}

TEST_CASE("ldu loads like ld") {
  Machine m;
  Buffer buffer(256);
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] = buffer.address + 4;
  m.r<std::uint32_t>(1);
  m.run(m.bind(Row::ldu, bind_ldu, {"global"}, {Type::U32}, {reg(1), mem(0)}));
  CHECK(m.r<std::uint32_t>(1)[9] == bytes_at(buffer.allocation.bytes + 4, 4, false));
}

TEST_CASE("an access past the end of an allocation faults with its lane and names the allocation") {
  Machine m;
  Buffer buffer(1024);
  m.r<std::uint32_t>(1);
  const Instr load =
      m.bind(Row::ld, bind_ld, {"global"}, {Type::U32}, {reg(1), (m.r<std::uint64_t>(0), mem(0))});
  const Instr store = m.bind(Row::st, bind_st, {"global"}, {Type::U32}, {mem(0), reg(1)});
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] = buffer.address + 4 * i;
  m.run(load);
  m.run(store);
  m.r<std::uint64_t>(0)[17] = buffer.address + 1028;
  CHECK(fault_of(m, store, kAllLanes, 17, "write of 4 bytes at 0x") == FaultKind::OutOfBounds);
  CHECK(fault_of(m, load, kAllLanes, 17, "is 4 bytes past the end of a 1024-byte allocation") ==
        FaultKind::OutOfBounds);
  m.run(load, ~(1u << 17));  // a lane that is switched off is not checked
  for (int i = 0; i < 32; ++i)
    m.r<std::uint64_t>(0)[i] = buffer.address + 904 + 4 * i;  // contiguous, runs out
  CHECK(fault_of(m, load, kAllLanes, 30, "right behind the end") == FaultKind::OutOfBounds);
  m.r<std::uint64_t>(0)[0] = 0;
  CHECK(fault_of(m, load, 1, 0, "0x0 is a null pointer") == FaultKind::OutOfBounds);
}

TEST_CASE("misaligned accesses fault by the width of the whole vector") {
  Machine m;
  Buffer buffer(1024);
  for (int i = 0; i < 32; ++i)
    m.r<std::uint64_t>(0)[i] = buffer.address + 8 * i, m.r<std::uint32_t>(5)[i] = 4 * i + 2;
  m.r<std::uint32_t>(1), m.r<std::uint32_t>(2);
  const Instr two =
      m.bind(Row::ld, bind_ld, {"global", "v2"}, {Type::F32}, {vec({reg(1), reg(2)}), mem(0)});
  m.run(two);
  for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] += 4;
  CHECK(fault_of(m, two, kAllLanes, 0, "must be a multiple of 8") == FaultKind::Misaligned);
  const Instr shared = m.bind(Row::ld, bind_ld, {"shared"}, {Type::F32}, {reg(1), mem(5)});
  CHECK(fault_of(m, shared, 0xfffffff0, 4, "shared offset 18 is misaligned") ==
        FaultKind::Misaligned);
}

TEST_CASE("shared accesses stay within the block's shared memory") {
  Machine m;
  m.r<std::uint32_t>(1);
  for (int i = 0; i < 32; ++i) m.r<std::uint32_t>(0)[i] = 3976 + 4 * i;
  const Instr in = m.bind(Row::ld, bind_ld, {"shared"}, {Type::U32}, {reg(1), mem(0)});
  CHECK(fault_of(m, in, kAllLanes, 30,
                 "shared offset 4096 is past the 4096 bytes of shared memory of this block") ==
        FaultKind::OutOfBounds);
  for (int i = 0; i < 32; ++i) m.r<std::uint32_t>(0)[i] = 0xfffffffcu;
  CHECK(fault_of(m, in, kAllLanes, 0, "shared offset -4 is before the start of shared memory") ==
        FaultKind::OutOfBounds);
}

TEST_CASE("freed, host, foreign and constant memory is refused") {
  Machine m;
  memory::Address gone = 0;
  m.r<std::uint32_t>(1), m.r<std::uint64_t>(0);
  const Instr load = m.bind(Row::ld, bind_ld, {"global"}, {Type::U32}, {reg(1), mem(0)});
  const Instr store = m.bind(Row::st, bind_st, {"global"}, {Type::U32}, {mem(0), reg(1)});
  const auto aim = [&](std::uint64_t at) {
    for (int i = 0; i < 32; ++i) m.r<std::uint64_t>(0)[i] = at;
  };
  {
    Buffer buffer(64);
    gone = buffer.address;
    aim(gone);
    m.run(load);
  }
  CHECK(fault_of(m, load, kAllLanes, 0, "which was freed") == FaultKind::FreedMemory);
  std::vector<int> on_host(64);
  aim(reinterpret_cast<std::uint64_t>(on_host.data()));
  CHECK(fault_of(m, load, 4, 2, "is a host address") == FaultKind::HostMemory);
  Buffer constant(64, Kind::Constant);
  aim(constant.address);
  m.run(load);
  CHECK(fault_of(m, store, 1, 0, "constant variable \"table\": kernels can only read it") ==
        FaultKind::InvalidSpace);
  Buffer other(64, Kind::Device, 1);
  aim(other.address);
  CHECK(fault_of(m, load, 1, 0, "no peer access") == FaultKind::OutOfBounds);
  AddressSpace::instance().allow_peer(0, 1, true);
  m.run(load);
  AddressSpace::instance().allow_peer(0, 1, false);
  CHECK(fault_of(m, load, 1, 0, "no peer access") == FaultKind::OutOfBounds);
}

TEST_CASE("the observer sees one access per space with offsets and addresses") {
  struct Log : observe::Observer {
    std::vector<observe::MemoryAccess> seen;
    std::uint64_t lane8 = 0;
    void memory(const Warp&, const Instr&, const observe::MemoryAccess& a) override {
      seen.push_back(a);
      lane8 = a.addresses[8];
    }
  } log;
  Machine m;
  Buffer buffer(256);
  for (int i = 0; i < 32; ++i)
    m.r<std::uint64_t>(0)[i] = i < 8 ? buffer.address + 4 * i : memory::kSharedWindow + 4 * i;
  m.r<std::uint32_t>(1);
  m.warp.observer = &log;
  m.run(m.bind(Row::ld, bind_ld, {}, {Type::U32}, {reg(1), mem(0)}));
  REQUIRE(log.seen.size() == 2);
  CHECK(log.seen[0].space == observe::MemorySpace::Global);
  CHECK(log.seen[0].mask == 0xffu);
  CHECK(log.seen[1].space == observe::MemorySpace::Shared);
  CHECK(log.seen[1].mask == 0xffffff00u);
  CHECK(log.seen[1].bytes_per_lane == 4);
  CHECK(log.lane8 == 32);
}
