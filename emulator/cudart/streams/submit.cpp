// SPDX-License-Identifier: MIT
// The last checks before work is done.
#include "cudart/streams/submit.hpp"

#include <memory>
#include <string>
#include <utility>

#include "cudart/calls/errors.hpp"
#include "cudart/devices/state.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/startup.hpp"
#include "cudart/streams/capture.hpp"
#include "cudart/streams/order.hpp"
#include "cudart/streams/running.hpp"
#include "cudart/streams/under_way.hpp"

namespace emu::cudart {

cudaError_t do_now(const std::shared_ptr<Stream>& stream, const Operation& operation) {
  const Running running(stream);
  order_begin(*stream, operation);
  const cudaError_t error = operation.run();
  order_end();
  return error;
}

cudaError_t submit(cudaStream_t handle, Operation operation) {
  if (cudaError_t e = check_sticky()) return e;
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  wait_behind_others(*stream);
  if (operation.kind == Operation::Kind::Kernel && stream->device != current_device()) {
    say("the kernel's stream belongs to device " + std::to_string(stream->device) +
        ", but device " + std::to_string(current_device()) + " is current");
    return cudaErrorInvalidResourceHandle;
  }
  if (stream->capture) return capture_operation(*stream, std::move(operation));
  if (cudaError_t e = check_implicit(*stream)) return e;
  if (several_devices()) return submit_with_others(stream, std::move(operation));
  // After a failure a GPU does nothing more; the failure itself shows at the next wait.
  if (device_failed(stream->device) || !operation.run) return cudaSuccess;
  return do_now(stream, operation);
}

cudaError_t submit_and_wait(cudaStream_t handle, const Operation& operation) {
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  wait_behind_others(*stream);
  if (cudaError_t e = check_not_capturing(*stream)) return e;
  if (cudaError_t e = check_implicit(*stream)) return e;
  const cudaError_t error =
      several_devices() ? wait_with_others(stream, operation) : do_now(stream, operation);
  host_waited(*stream);
  // With several devices a kernel that this came behind may have failed meanwhile.
  return error || !several_devices() ? error : check_waited();
}

}  // namespace emu::cudart
