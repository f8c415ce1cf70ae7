// SPDX-License-Identifier: MIT
// Where copies and fills are checked and done.
#include "cudart/memory/copy.hpp"

#include <cstring>
#include <utility>

#include "cudart/devices/clock.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/checks.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/loading/module.hpp"
#include "cudart/memory/memory.hpp"

namespace emu::cudart {

namespace {

using memory::Address;
using memory::AddressSpace;
using memory::Allocation;
using memory::Kind;

enum class Side { Any, Host, Device };

// A sum of products that knows when it does not fit into 64 bits.
struct Extent {
  std::size_t bytes = 0;
  bool fits = true;
  Extent& add(std::size_t n, std::size_t each) {
    std::size_t product = 0;
    fits &= !__builtin_mul_overflow(n, each, &product);
    fits &= !__builtin_add_overflow(bytes, product, &bytes);
    return *this;
  }
};

// A box: rows of `width` bytes, `pitch` apart, in layers `layer` apart.
struct Box {
  Address start = 0;
  std::size_t width = 0, height = 0, depth = 0, pitch = 0, layer = 0;
  bool fits = true;  // none of these numbers, nor its end, is beyond the last address

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  std::size_t span() const { return (depth - 1) * layer + (height - 1) * pitch + width; }
  // Sets `fits` from the numbers and from where the start was computed.
  void check(const Extent& before) {
    start = before.bytes;
    Extent end = before;
    if (!empty()) end.add(depth - 1, layer).add(height - 1, pitch).add(1, width);
    fits = end.fits;
  }
};

bool only_on_device(const Allocation& a) { return !a.host_visible(); }

Box box_of(const cudaPitchedPtr& ptr, const cudaPos& pos, const cudaExtent& extent) {
  Box box;
  box.width = extent.width, box.height = extent.height, box.depth = extent.depth;
  box.pitch = ptr.pitch;
  const Extent layer = Extent{}.add(ptr.pitch, ptr.ysize);
  box.layer = layer.bytes;
  Extent start{address_of(ptr.ptr), layer.fits || (box.depth <= 1 && pos.z == 0)};
  start.add(pos.z, box.layer).add(pos.y, box.pitch).add(1, pos.x);
  box.check(start);
  return box;
}

cudaError_t too_large(const std::string& api) {
  say(api +
      ": the box ends beyond the last address: width, height, depth, pitch or position is too "
      "large");
  return cudaErrorInvalidValue;
}

// Once per program: the copy works on a GPU too, but the direction is a mistake.
void hint_direction(const std::string& what, const std::string& where) {
  static bool told = false;
  if (std::exchange(told, true)) return;
  say("note: a copy's direction says that " + what + " is on the host, but it is device memory (" +
      where + "); the copy is made all the same");
}

// The host's address of the box, or nullptr with `why`.
std::byte* resolve(const Box& box, Side side, const std::string& what, std::string& why) {
  const auto& space = AddressSpace::instance();
  std::size_t n = box.span();
  if (box.start == 0) {
    why = what + " is a null pointer";
    return nullptr;
  }
  const Allocation* a = space.find(box.start);
  bool device_only = (a && only_on_device(*a)) || (!a && space.in_device_range(box.start));
  // With unified addressing the pointer says where it is; only the "device" side of a direction is
  // held to its word.
  if (side == Side::Host && device_only) hint_direction(what, describe_pointer(box.start, n));
  if (!a && !device_only) {
    if (side == Side::Device) {
      why = "the copy direction says that " + what +
            " is on the device: " + describe_pointer(box.start, n);
      return nullptr;
    }
    return reinterpret_cast<std::byte*>(box.start);  // ordinary host memory: cannot be checked
  }
  std::byte* bytes = space.host(box.start, n);
  // Host memory that only begins in a registered range is still host memory.
  if (!bytes && a && !only_on_device(*a) && side == Side::Host && a->kind == Kind::Registered)
    return reinterpret_cast<std::byte*>(box.start);
  if (!bytes)
    why = "the " + std::to_string(n) + " bytes of " + what +
          " do not lie in one allocation: " + describe_pointer(box.start, n);
  return bytes;
}

struct Sides {
  Side src = Side::Any, dst = Side::Any;
  bool known = true;
};

Sides sides_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return {Side::Host, Side::Host};
    case cudaMemcpyHostToDevice:
      return {Side::Host, Side::Device};
    case cudaMemcpyDeviceToHost:
      return {Side::Device, Side::Host};
    case cudaMemcpyDeviceToDevice:
      return {Side::Device, Side::Device};
    case cudaMemcpyDefault:
      return {Side::Any, Side::Any};
  }
  return {Side::Any, Side::Any, false};
}

// Of which device the bytes are.
int owner_of(Address address) {
  const Allocation* a = AddressSpace::instance().find(address);
  return a && only_on_device(*a) ? a->device : kHost;
}

void take_time(const Box& from, const Box& to, int device) {
  const std::size_t bytes = from.empty() ? 0 : from.width * from.height * from.depth;
  const int source = owner_of(from.start), target = owner_of(to.start);
  if (!several_devices() || source == target) return advance_clock_by_copy(bytes, device);
  const auto& space = AddressSpace::instance();
  const bool peers = source != kHost && target != kHost &&
                     (space.peer_allowed(source, target) || space.peer_allowed(target, source));
  advance_clock_by_transfer(bytes, source, target, peers);
}

cudaError_t resolve_copy(const Copy& copy, Box& from, Box& to, std::byte*& src, std::byte*& dst) {
  const auto& p = copy.params;
  from = box_of(p.srcPtr, p.srcPos, p.extent);
  to = box_of(p.dstPtr, p.dstPos, p.extent);
  Sides sides = sides_of(p.kind);
  if (!sides.known) return cudaErrorInvalidMemcpyDirection;
  if (p.srcArray || p.dstArray) {
    say(copy.api + ": CUDA arrays are not supported");
    return cudaErrorNotSupported;
  }
  if (from.empty()) return cudaSuccess;
  if (!from.fits || !to.fits) return too_large(copy.api);
  bool rows = from.height > 1 || from.depth > 1;
  if (from.width > from.pitch || to.width > to.pitch)
    return rows ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  std::string why;
  dst = resolve(to, sides.dst, "the destination", why);
  if (dst) src = resolve(from, sides.src, "the source", why);
  if (src && dst) return cudaSuccess;
  say(copy.api + ": " + why);
  return cudaErrorInvalidValue;
}

bool on_host(const Box& box) {
  const memory::Allocation* const found = AddressSpace::instance().find(box.start);
  return !found || found->kind == memory::Kind::Pinned || found->kind == memory::Kind::Registered;
}

// What is copied on the device goes through its L2 cache.
void touch_l2(const Box& box, observe::TouchedBy by) {
  if (box.empty() || on_host(box)) return;
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y)
      touch_modelled_l2(box.start + z * box.layer + y * box.pitch, box.width, by);
}

// Tells the checks of it, row by row where something lies between them.
void tell_checks(const Box& box, bool writes, const std::string& api) {
  check::Checker* const checker = launch_checker();
  if (!checker || box.empty()) return;
  const bool rows_join = box.height == 1 || box.pitch == box.width;
  const bool all_join = rows_join && (box.depth == 1 || box.layer == box.height * box.pitch);
  const std::size_t layers = all_join ? 1 : box.depth;
  for (std::size_t z = 0; z < layers; ++z) {
    check::Rows rows{box.start + z * box.layer, box.width, box.pitch, box.height};
    if (rows_join) rows = {rows.begin, all_join ? box.span() : box.height * box.width, 0, 1};
    for (std::size_t y = 0; writes && y < rows.count; ++y)
      checker->written(rows.begin + y * rows.pitch, rows.width);
    checker->api_use(rows, writes, api);
  }
}

cudaError_t perform(const Copy& copy) {
  Box from, to;
  std::byte *src = nullptr, *dst = nullptr;
  if (cudaError_t e = resolve_copy(copy, from, to, src, dst)) return e;
  tell_checks(from, false, copy.api);
  tell_checks(to, true, copy.api);
  if (!from.empty())
    for (std::size_t z = 0; z < from.depth; ++z)
      for (std::size_t y = 0; y < from.height; ++y)
        std::memmove(dst + z * to.layer + y * to.pitch, src + z * from.layer + y * from.pitch,
                     from.width);
  using enum observe::TouchedBy;
  const bool upload = !from.empty() && on_host(from);
  touch_l2(from, Reader);
  touch_l2(to, upload ? FromHost : Writer);
  take_time(from, to, copy.device);
  return cudaSuccess;
}

Box box_of(const Fill& fill) {
  Box box;
  const Extent width = Extent{}.add(fill.params.width, fill.params.elementSize);
  const Extent layer = Extent{}.add(fill.params.pitch, fill.rows_per_layer);
  box.width = width.bytes;
  box.height = fill.params.height, box.depth = fill.depth;
  box.pitch = fill.params.pitch, box.layer = layer.bytes;
  box.check({address_of(fill.params.dst), width.fits && (layer.fits || box.depth <= 1)});
  return box;
}

cudaError_t resolve_fill(const Fill& fill, Box& box, std::byte*& dst) {
  unsigned size = fill.params.elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  box = box_of(fill);
  if (box.empty()) return cudaSuccess;
  if (!box.fits) return too_large(fill.api);
  if ((box.height > 1 || box.depth > 1) && box.width > box.pitch) return cudaErrorInvalidValue;
  if (box.start % size != 0) return cudaErrorInvalidValue;
  std::string why;
  dst = resolve(box, Side::Any, "the destination", why);
  if (dst && !AddressSpace::instance().find(box.start)) {
    why = "the destination is not device memory: " + describe_pointer(box.start, box.span());
    dst = nullptr;
  }
  if (dst) return cudaSuccess;
  say(fill.api + ": " + why);
  return cudaErrorInvalidValue;
}

cudaError_t perform(const Fill& fill) {
  Box box;
  std::byte* dst = nullptr;
  if (cudaError_t e = resolve_fill(fill, box, dst)) return e;
  tell_checks(box, true, fill.api);
  unsigned size = fill.params.elementSize, value = fill.params.value;
  for (std::size_t z = 0; dst && z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y) {
      std::byte* row = dst + z * box.layer + y * box.pitch;
      if (size == 1) {
        std::memset(row, static_cast<int>(value & 0xff), box.width);
        continue;
      }
      unsigned char pattern[4] = {};
      for (unsigned i = 0; i < size; ++i) pattern[i] = static_cast<unsigned char>(value >> (8 * i));
      for (std::size_t x = 0; x < box.width; x += size) std::memcpy(row + x, pattern, size);
    }
  touch_l2(box, observe::TouchedBy::Writer);
  modelled_memset();
  advance_clock_by_fill(box.empty() ? 0 : box.width * box.height * box.depth, fill.device);
  return cudaSuccess;
}

}  // namespace

Copy flat_copy(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind,
               const char* api) {
  Copy copy;
  copy.params.srcPtr = {const_cast<void*>(src), count, count, 1};
  copy.params.dstPtr = {dst, count, count, 1};
  copy.params.extent = {count, 1, 1};
  copy.params.kind = kind;
  copy.api = api;
  copy.device = current_device();
  return copy;
}

cudaError_t symbol_copy(const void* symbol, void* memory, std::size_t count, std::size_t offset,
                        cudaMemcpyKind kind, bool to_symbol, const char* api, Copy& out) {
  cudaError_t why = cudaErrorInvalidSymbol;
  const auto* variable = find_symbol(symbol, current_device(), &why);
  if (!variable) return why;
  if (offset > variable->size || count > variable->size - offset) {
    say(std::string(api) + ": " + std::to_string(count) + " bytes at offset " +
        std::to_string(offset) + " do not fit into a variable of " +
        std::to_string(variable->size) + " bytes");
    return cudaErrorInvalidValue;
  }
  if (kind == cudaMemcpyHostToHost ||
      kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice))
    return cudaErrorInvalidMemcpyDirection;
  void* inside = reinterpret_cast<void*>(variable->address + offset);
  out = to_symbol ? flat_copy(inside, memory, count, kind, api)
                  : flat_copy(memory, inside, count, kind, api);
  return cudaSuccess;
}

cudaError_t check(const Copy& copy) {
  Box from, to;
  std::byte *src = nullptr, *dst = nullptr;
  return resolve_copy(copy, from, to, src, dst);
}

Operation copy_operation(Copy copy) {
  Operation op;
  op.kind = Operation::Kind::Memcpy;
  op.run = [copy] { return perform(copy); };
  op.detail = copy.params;
  return op;
}

cudaError_t check(const Fill& fill) {
  Box box;
  std::byte* dst = nullptr;
  return resolve_fill(fill, box, dst);
}

Operation fill_operation(Fill fill) {
  Operation op;
  op.kind = Operation::Kind::Memset;
  op.run = [fill] { return perform(fill); };
  op.detail = fill.params;
  return op;
}

}  // namespace emu::cudart
