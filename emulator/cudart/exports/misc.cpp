// SPDX-License-Identifier: MIT
// Calls that have an answer without a GPU or a driver behind them.
#include <cuda_profiler_api.h>

#include "cudart/calls/call.hpp"

using namespace emu::cudart;

namespace {

// There is no driver: every symbol is "not found", which is a result and not an error.
cudaError_t no_entry_point(const char* symbol, void** out,
                           cudaDriverEntryPointQueryResult* status) {
  if (!symbol || !out) return cudaErrorInvalidValue;
  *out = nullptr;
  if (status) *status = cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

EMU_API cudaError_t cudaProfilerStart() {
  return call([] { return cudaSuccess; });
}

EMU_API cudaError_t cudaProfilerStop() {
  return call([] { return cudaSuccess; });
}

EMU_API cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** out, unsigned long long,
                                            cudaDriverEntryPointQueryResult* status) {
  return call([&] { return no_entry_point(symbol, out, status); });
}

EMU_API cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** out, unsigned int,
                                                     unsigned long long,
                                                     cudaDriverEntryPointQueryResult* status) {
  return call([&] { return no_entry_point(symbol, out, status); });
}
