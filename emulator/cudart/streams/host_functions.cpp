// SPDX-License-Identifier: MIT
// cudaLaunchHostFunc and its older relative. The program's code runs without the runtime's lock.
#include "cudart/streams/host_functions.hpp"

#include <utility>

#include "cudart/calls/call.hpp"
#include "cudart/devices/clock.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/submit.hpp"
#include "cudart/streams/under_way.hpp"

namespace emu::cudart {

Operation host_operation(cudaHostNodeParams params) {
  Operation op;
  op.kind = Operation::Kind::Host;
  op.run = [params] {
    {
      ApiUnlock unlocked;
      params.fn(params.userData);
    }
    advance_clock_by_host_function();
    return cudaSuccess;
  };
  op.detail = params;
  return op;
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* data) {
  return call([&]() -> cudaError_t {
    if (!fn) return cudaErrorInvalidValue;
    return submit(stream, host_operation({fn, data}));
  });
}

EMU_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                          void* data, unsigned int flags) {
  return call([&]() -> cudaError_t {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    wait_behind_others(*stream);
    if (several_devices()) finish_before(*stream);
    if (cudaError_t e = check_not_capturing(*stream)) return e;
    if (cudaError_t e = check_implicit(*stream)) return e;
    // Unlike a host function, a callback is called after a failure too, and told of it.
    cudaError_t status = check_device();
    const Running running(stream);
    ApiUnlock unlocked;
    callback(handle, status, data);
    return cudaSuccess;
  });
}
