// SPDX-License-Identifier: MIT
#include "common/several_gpus/nccl.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "common/device.cuh"

#ifdef COURSE_HAS_NCCL
#include <nccl.h>
#endif

namespace course {

namespace {

constexpr const char* kNotEmulated = "NCCL drives the GPU itself and does not run on the emulator";

bool on_the_emulator() {
  const auto device = find_device();
  return device && device->emulated;
}

}  // namespace

#ifdef COURSE_HAS_NCCL

namespace {

void check_nccl(ncclResult_t result, const char* call) {
  if (result != ncclSuccess)
    throw std::runtime_error(std::string(call) + " failed: " + ncclGetErrorString(result));
}

class AllReduceByNccl final : public CubCall::Operation {
 public:
  explicit AllReduceByNccl(const AllReduce& task) : task_(task), comms_(task.ranks->count()) {
    std::vector<int> devices;
    for (int r = 0; r < task.ranks->count(); ++r) devices.push_back((*task.ranks)[r].device);
    check_nccl(ncclCommInitAll(comms_.data(), task.ranks->count(), devices.data()),
               "ncclCommInitAll");
  }
  ~AllReduceByNccl() override {
    for (ncclComm_t comm : comms_) ncclCommDestroy(comm);
  }
  void run() override {
    task_.ranks->fork();
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t r = 0; r < comms_.size(); ++r)
      check_nccl(ncclAllReduce(task_.in[r], task_.out[r], task_.n, ncclFloat32, ncclSum, comms_[r],
                               (*task_.ranks)[static_cast<int>(r)].stream),
                 "ncclAllReduce");
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
    task_.ranks->join();
  }

 private:
  AllReduce task_;
  std::vector<ncclComm_t> comms_;
};

}  // namespace

const char* no_nccl(const AllReduce& task) {
  if (on_the_emulator()) return kNotEmulated;
  if (task.ranks->count() > device_count()) return "NCCL wants a GPU for each rank";
  return nullptr;
}

CubCall nccl_all_reduce(const AllReduce& task) { return CubCall(new AllReduceByNccl(task)); }

#else

const char* no_nccl(const AllReduce&) {
  if (on_the_emulator()) return kNotEmulated;
  return "NCCL was not found when this was built (nccl.h and libnccl, -DNCCL_ROOT=DIR)";
}

CubCall nccl_all_reduce(const AllReduce& task) { throw std::runtime_error(no_nccl(task)); }

#endif

}  // namespace course
