// SPDX-License-Identifier: MIT
// The functions that device code calls and the emulator provides: printf, assert, malloc, free.
#include "control/builtins.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "access/access.hpp"
#include "machine/grid.hpp"

namespace emu::exec {
namespace {

using Offsets = std::vector<std::uint32_t>;

template <class T>
T argument(const Warp& warp, int lane, std::uint32_t offset) {
  T value;
  std::memcpy(
      &value,
      warp.frame->params.data() + std::size_t{warp.frame->code->param_bytes} * lane + offset,
      sizeof value);
  return value;
}

template <class T>
void result(const Warp& warp, int lane, const Offsets& results, T value) {
  if (results.empty()) return;
  std::memcpy(
      warp.frame->params.data() + std::size_t{warp.frame->code->param_bytes} * lane + results[0],
      &value, sizeof value);
}

// One byte at a generic address, as the thread sees it.
const std::byte* byte_at(const Warp& warp, int lane, memory::Address address) {
  const std::uint64_t offset = address & ~memory::kWindowMask;
  switch (address & memory::kWindowMask) {
    case memory::kLocalWindow:
      if (offset < warp.local_stride)
        return warp.local.data() + std::size_t{warp.local_stride} * lane + offset;
      break;
    case memory::kSharedWindow:
      return shared_place(warp, offset, 1, 1, Use::Read, lane).host();
    case memory::kParamWindow:
      if (offset < warp.block->grid->params.size()) return warp.block->grid->params.data() + offset;
      break;
    default:
      return global_place(warp, nullptr, address, 1, 1, Use::Read, lane);
  }
  fault(FaultKind::OutOfBounds, lane, "printf reads outside of local memory");
}

std::string string_at(const Warp& warp, int lane, memory::Address address) {
  constexpr std::size_t kLongest = 1 << 16;
  std::string text;
  if (address == 0) return "(null)";
  for (; text.size() < kLongest; ++address) {
    const char c = static_cast<char>(*byte_at(warp, lane, address));
    if (c == '\0') break;
    text += c;
  }
  return text;
}

// Reads the packed arguments of a vprintf, each at its natural alignment.
class Arguments {
 public:
  Arguments(const Warp& warp, int lane, memory::Address at) : warp_(warp), lane_(lane), at_(at) {}

  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    auto* bytes = reinterpret_cast<std::byte*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = *byte_at(warp_, lane_, at_ + i);
    at_ += sizeof(T);
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const Warp& warp_;
  int lane_;
  memory::Address at_;
  int count_ = 0;
};

template <class... T>
std::string print(const std::string& format, T... values) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), values...);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), values...);
  text.pop_back();
  return text;
}

// An integer whose length was written as so many l and h.
std::string convert_signed(const std::string& spec, int longs, int shorts, Arguments& args) {
  if (longs) return print(spec + PRId64, args.next<std::int64_t>());
  const int value = args.next<int>();
  if (shorts == 1) return print(spec + "d", static_cast<int>(static_cast<short>(value)));
  if (shorts == 2) return print(spec + "d", static_cast<int>(static_cast<signed char>(value)));
  return print(spec + "d", value);
}
std::string convert_unsigned(const std::string& spec, char kind, int longs, int shorts,
                             Arguments& args) {
  if (longs) {
    const std::string wide = kind == 'u'   ? PRIu64
                             : kind == 'x' ? PRIx64
                             : kind == 'X' ? PRIX64
                                           : PRIo64;
    return print(spec + wide, args.next<std::uint64_t>());
  }
  const auto value = args.next<unsigned>();
  if (shorts == 1)
    return print(spec + kind, static_cast<unsigned>(static_cast<unsigned short>(value)));
  if (shorts == 2)
    return print(spec + kind, static_cast<unsigned>(static_cast<unsigned char>(value)));
  return print(spec + kind, value);
}

// One conversion from '%' on; i is left behind it.
std::string convert(const std::string& format, std::size_t& i, Arguments& args, const Warp& warp,
                    int lane) {
  std::string spec = "%";
  for (++i; i < format.size() && std::strchr("-+ #0", format[i]); ++i) spec += format[i];
  const auto number = [&] {
    if (i < format.size() && format[i] == '*') {
      spec += std::to_string(args.next<int>());
      ++i;
    }
    while (i < format.size() && format[i] >= '0' && format[i] <= '9') spec += format[i++];
  };
  number();
  if (i < format.size() && format[i] == '.') {
    spec += format[i++];
    number();
  }
  int longs = 0, shorts = 0;
  for (; i < format.size() && std::strchr("hlLjzt", format[i]); ++i) {
    if (format[i] == 'h') {
      ++shorts;
    } else {
      ++longs;
    }
  }
  if (i >= format.size()) return spec;
  const char kind = format[i++];
  switch (kind) {
    case '%':
      return "%";
    case 'd':
    case 'i':
      return convert_signed(spec, longs, shorts, args);
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return convert_unsigned(spec, kind, longs, shorts, args);
    case 'c':
      return print(spec + "c", args.next<int>());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return print(spec + kind, args.next<double>());
    case 's':
      return print(spec + "s", string_at(warp, lane, args.next<std::uint64_t>()).c_str());
    case 'p':
      return print(spec + "p", reinterpret_cast<void*>(args.next<std::uint64_t>()));
    default:
      return spec + kind;
  }
}

// int vprintf(const char* format, void* arguments): one thread after the other. Returns the number
// of arguments.
void device_vprintf(Warp& warp, LaneMask mask, const Offsets& arguments, const Offsets& results) {
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::string format =
        string_at(warp, lane, argument<std::uint64_t>(warp, lane, arguments.at(0)));
    Arguments args(warp, lane, argument<std::uint64_t>(warp, lane, arguments.at(1)));
    std::string text;
    for (std::size_t i = 0; i < format.size();) {
      if (format[i] == '%') {
        text += convert(format, i, args, warp, lane);
      } else {
        text += format[i++];
      }
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    result<std::int32_t>(warp, lane, results, args.count());
  }
}

// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
// size_t charSize)
void device_assertfail(Warp& warp, LaneMask mask, const Offsets& arguments, const Offsets&) {
  const int lane = first_lane(mask);
  const auto text = [&](std::size_t i) {
    return string_at(warp, lane, argument<std::uint64_t>(warp, lane, arguments.at(i)));
  };
  fault(FaultKind::Assert, lane,
        text(1) + ":" + std::to_string(argument<std::uint32_t>(warp, lane, arguments.at(2))) +
            ": " + text(3) + ": Assertion `" + text(0) + "` failed.");
}

// void* malloc(size_t): nullptr when the device heap (cudaLimitMallocHeapSize) is full.
void device_malloc(Warp& warp, LaneMask mask, const Offsets& arguments, const Offsets& results) {
  auto& space = memory::AddressSpace::instance();
  const Grid& grid = *warp.block->grid;
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const auto size = argument<std::uint64_t>(warp, lane, arguments.at(0));
    std::uint64_t address = 0;
    if (size != 0 && size <= grid.heap_limit &&
        space.heap_bytes(grid.device) + size <= grid.heap_limit) {
      address = space.allocate(size, memory::Kind::Heap, grid.device, 16).address;
    }
    result(warp, lane, results, address);
  }
  ++warp.block->grid->memory_changes;
}

void device_free(Warp& warp, LaneMask mask, const Offsets& arguments, const Offsets&) {
  auto& space = memory::AddressSpace::instance();
  for (LaneMask m = mask; m; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const auto address = argument<std::uint64_t>(warp, lane, arguments.at(0));
    if (address == 0) continue;
    const auto* allocation = space.find(address);
    if (!allocation || allocation->kind != memory::Kind::Heap || !space.release(address)) {
      fault(FaultKind::FreedMemory, lane,
            "free() in a kernel of a pointer that malloc() in a kernel did not give, or gave and "
            "has taken back");
    }
  }
  ++warp.block->grid->memory_changes;
}

}  // namespace

Builtin find_builtin(std::string_view name) {
  if (name == "vprintf") return &device_vprintf;
  if (name == "__assertfail") return &device_assertfail;
  if (name == "malloc") return &device_malloc;
  if (name == "free") return &device_free;
  return nullptr;
}

BuiltinShape shape_of_builtin(std::string_view name) {
  if (name == "vprintf") return {{8, 8}, {4}};
  if (name == "__assertfail") return {{8, 8, 4, 8, 8}, {}};
  if (name == "malloc") return {{8}, {8}};
  return {{8}, {}};
}

}  // namespace emu::exec
