// SPDX-License-Identifier: MIT
// Questions about pointers and symbols, and access between devices.
#include "cudart/calls/call.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/loading/module.hpp"
#include "cudart/memory/memory.hpp"

using namespace emu::cudart;
using emu::memory::AddressSpace;
using emu::memory::Kind;

namespace {

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes out{};
  void* plain = const_cast<void*>(pointer);
  const auto* a = AddressSpace::instance().find(address_of(pointer));
  if (!a) {
    out.type = cudaMemoryTypeUnregistered;
    out.device = cudaInvalidDeviceId;
    out.hostPointer =
        AddressSpace::instance().in_device_range(address_of(pointer)) ? nullptr : plain;
    return out;
  }
  out.device = a->device;
  out.devicePointer = plain;
  if (a->host_visible()) out.hostPointer = plain;
  out.type = a->kind == Kind::Managed ? cudaMemoryTypeManaged
             : a->host_visible()      ? cudaMemoryTypeHost
                                      : cudaMemoryTypeDevice;
  return out;
}

}  // namespace

EMU_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes,
                                             const void* pointer) {
  return call([&]() -> cudaError_t {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = attributes_of(pointer);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
  return call([&]() -> cudaError_t {
    if (!out) return cudaErrorInvalidValue;
    cudaError_t why = cudaErrorInvalidSymbol;
    const auto* variable = find_symbol(symbol, current_device(), &why);
    if (!variable) return why;
    *out = reinterpret_cast<void*>(variable->address);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaGetSymbolSize(size_t* out, const void* symbol) {
  return call([&]() -> cudaError_t {
    if (!out) return cudaErrorInvalidValue;
    cudaError_t why = cudaErrorInvalidSymbol;
    const auto* variable = find_symbol(symbol, current_device(), &why);
    if (!variable) return why;
    *out = variable->size;
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceCanAccessPeer(int* out, int device, int peer) {
  return call([&]() -> cudaError_t {
    if (!valid_device(device) || !valid_device(peer)) return cudaErrorInvalidDevice;
    if (!out) return cudaErrorInvalidValue;
    *out = can_be_peers(device, peer);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!valid_device(peer)) return cudaErrorInvalidDevice;
    if (!can_be_peers(current_device(), peer)) return cudaErrorPeerAccessUnsupported;
    if (flags != 0) return cudaErrorInvalidValue;
    auto& space = AddressSpace::instance();
    if (space.peer_allowed(current_device(), peer)) return cudaErrorPeerAccessAlreadyEnabled;
    space.allow_peer(current_device(), peer, true);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call([&]() -> cudaError_t {
    if (!valid_device(peer)) return cudaErrorInvalidDevice;
    auto& space = AddressSpace::instance();
    if (peer == current_device() || !space.peer_allowed(current_device(), peer))
      return cudaErrorPeerAccessNotEnabled;
    space.allow_peer(current_device(), peer, false);
    return cudaSuccess;
  });
}
