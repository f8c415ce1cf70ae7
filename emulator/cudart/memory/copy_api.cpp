// SPDX-License-Identifier: MIT
// cudaMemcpy and cudaMemset in all their forms. Each is put into a Copy or a Fill, checked, and
// submitted.
#include <utility>
#include <vector>

#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/memory/copy.hpp"
#include "cudart/streams/stream.hpp"
#include "cudart/streams/submit.hpp"

using namespace emu::cudart;

namespace {

cudaError_t now(Copy copy) { return submit_and_wait(nullptr, copy_operation(std::move(copy))); }

cudaError_t on(cudaStream_t stream, Copy copy) {
  if (cudaError_t e = emu::cudart::check(copy)) return e;
  return submit(stream, copy_operation(std::move(copy)));
}

Copy rows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
          cudaMemcpyKind kind, const char* api) {
  Copy copy = flat_copy(dst, src, width, kind, api);
  copy.params.srcPtr.pitch = spitch;
  copy.params.dstPtr.pitch = dpitch;
  copy.params.extent.height = height;
  return copy;
}

// The copy of a peer structure: both devices must exist, the pointers say the rest.
cudaError_t peer_box(const cudaMemcpy3DPeerParms* p, const char* api, Copy& out) {
  if (!p) return cudaErrorInvalidValue;
  for (int device : {p->srcDevice, p->dstDevice})
    if (!valid_device(device)) return cudaErrorInvalidDevice;
  out.params = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  out.api = api;
  out.device = current_device();
  return cudaSuccess;
}

cudaError_t peer_flat(void* dst, int dst_device, const void* src, int src_device, size_t count,
                      const char* api, Copy& out) {
  for (int device : {src_device, dst_device})
    if (!valid_device(device)) return cudaErrorInvalidDevice;
  out = flat_copy(dst, src, count, cudaMemcpyDefault, api);
  return cudaSuccess;
}

Fill fill_box(void* dst, size_t pitch, int value, size_t width, size_t height, size_t depth,
              size_t rows_per_layer, const char* api) {
  Fill fill;
  fill.params = {dst, pitch, static_cast<unsigned>(value) & 0xff, 1, width, height};
  fill.depth = depth, fill.rows_per_layer = rows_per_layer;
  fill.api = api;
  fill.device = current_device();
  return fill;
}

Fill fill_pitched(const cudaPitchedPtr& ptr, int value, const cudaExtent& extent, const char* api) {
  return fill_box(ptr.ptr, ptr.pitch, value, extent.width, extent.height, extent.depth, ptr.ysize,
                  api);
}

// cudaMemset returns before the device is done, so a failure before it is not seen here.
cudaError_t fill_on(cudaStream_t stream, Fill fill) {
  if (cudaError_t e = emu::cudart::check(fill)) return e;
  return submit(stream, fill_operation(std::move(fill)));
}

}  // namespace

EMU_API cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return waiting_call([&] { return now(flat_copy(dst, src, count, kind, "cudaMemcpy")); });
}

EMU_API cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
  return call([&] { return on(stream, flat_copy(dst, src, count, kind, "cudaMemcpyAsync")); });
}

EMU_API cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                                 size_t width, size_t height, cudaMemcpyKind kind) {
  return waiting_call(
      [&] { return now(rows(dst, dpitch, src, spitch, width, height, kind, "cudaMemcpy2D")); });
}

EMU_API cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                      size_t width, size_t height, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return call([&] {
    return on(stream, rows(dst, dpitch, src, spitch, width, height, kind, "cudaMemcpy2DAsync"));
  });
}

EMU_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return waiting_call([&]() -> cudaError_t {
    return p ? now(Copy{*p, "cudaMemcpy3D", current_device()}) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    return p ? on(stream, Copy{*p, "cudaMemcpy3DAsync", current_device()}) : cudaErrorInvalidValue;
  });
}

EMU_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return waiting_call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = peer_box(p, "cudaMemcpy3DPeer", copy);
    return e ? e : now(std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = peer_box(p, "cudaMemcpy3DPeerAsync", copy);
    return e ? e : on(stream, std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyPeer(void* dst, int dst_device, const void* src, int src_device,
                                   size_t count) {
  return waiting_call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = peer_flat(dst, dst_device, src, src_device, count, "cudaMemcpyPeer", copy);
    return e ? e : now(std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device,
                                        size_t count, cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = peer_flat(dst, dst_device, src, src_device, count, "cudaMemcpyPeerAsync", copy);
    return e ? e : on(stream, std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                       size_t offset, cudaMemcpyKind kind) {
  return waiting_call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = symbol_copy(symbol, const_cast<void*>(src), count, offset, kind, true,
                                "cudaMemcpyToSymbol", copy);
    return e ? e : now(std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset,
                                         cudaMemcpyKind kind) {
  return waiting_call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e =
        symbol_copy(symbol, dst, count, offset, kind, false, "cudaMemcpyFromSymbol", copy);
    return e ? e : now(std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                            size_t offset, cudaMemcpyKind kind,
                                            cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e = symbol_copy(symbol, const_cast<void*>(src), count, offset, kind, true,
                                "cudaMemcpyToSymbolAsync", copy);
    return e ? e : on(stream, std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count,
                                              size_t offset, cudaMemcpyKind kind,
                                              cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    Copy copy;
    cudaError_t e =
        symbol_copy(symbol, dst, count, offset, kind, false, "cudaMemcpyFromSymbolAsync", copy);
    return e ? e : on(stream, std::move(copy));
  });
}

EMU_API cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                         const size_t* sizes, size_t count,
                                         cudaMemcpyAttributes* attributes,
                                         size_t* attribute_indices, size_t attribute_count,
                                         cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    if (count == 0 || !dsts || !srcs || !sizes || attribute_count == 0 || !attributes ||
        !attribute_indices)
      return cudaErrorInvalidValue;
    auto target = find_stream(stream);
    if (!target) return cudaErrorInvalidResourceHandle;
    if (target->legacy) return cudaErrorInvalidValue;  // documented: not on the legacy stream
    std::vector<Copy> copies;
    for (size_t i = 0; i < count; ++i) {
      copies.push_back(
          flat_copy(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault, "cudaMemcpyBatchAsync"));
      if (cudaError_t e = emu::cudart::check(copies.back())) return e;
    }
    for (auto& copy : copies)
      if (cudaError_t e = submit(stream, copy_operation(std::move(copy)))) return e;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaMemset(void* dst, int value, size_t count) {
  return call(
      [&] { return fill_on(nullptr, fill_box(dst, count, value, count, 1, 1, 0, "cudaMemset")); });
}

EMU_API cudaError_t cudaMemsetAsync(void* dst, int value, size_t count, cudaStream_t stream) {
  return call([&] {
    return fill_on(stream, fill_box(dst, count, value, count, 1, 1, 0, "cudaMemsetAsync"));
  });
}

EMU_API cudaError_t cudaMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return call([&] {
    return fill_on(nullptr, fill_box(dst, pitch, value, width, height, 1, 0, "cudaMemset2D"));
  });
}

EMU_API cudaError_t cudaMemset2DAsync(void* dst, size_t pitch, int value, size_t width,
                                      size_t height, cudaStream_t stream) {
  return call([&] {
    return fill_on(stream, fill_box(dst, pitch, value, width, height, 1, 0, "cudaMemset2DAsync"));
  });
}

EMU_API cudaError_t cudaMemset3D(cudaPitchedPtr ptr, int value, cudaExtent extent) {
  return call([&] { return fill_on(nullptr, fill_pitched(ptr, value, extent, "cudaMemset3D")); });
}

EMU_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr ptr, int value, cudaExtent extent,
                                      cudaStream_t stream) {
  return call(
      [&] { return fill_on(stream, fill_pitched(ptr, value, extent, "cudaMemset3DAsync")); });
}
