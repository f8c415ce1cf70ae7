// SPDX-License-Identifier: MIT
// Runs every kernel of the catalogue on a real GPU and writes the results: `record_vectors FILE`.
// Uses the driver API alone, because it takes PTX text; scripts/record_vectors.sh builds it.
#include <cuda.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>

#include "vectors/catalogue.hpp"
#include "vectors/recording.hpp"

namespace {

using namespace emu::vectors;

struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char *name = nullptr, *words = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &words);
  throw DriverError(std::string(call) + ": " + (name ? name : "?") + ", " + (words ? words : "?"));
}
#define CHECK(call) check((call), #call)

// A kernel that faults spoils its context, so each failure is followed by a new one.
class Device {
 public:
  Device() {
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device_, 0));
    renew();
  }
  void renew() {
    if (context_) cuDevicePrimaryCtxRelease(device_), cuDevicePrimaryCtxReset(device_);
    CHECK(cuDevicePrimaryCtxRetain(&context_, device_));
    CHECK(cuCtxSetCurrent(context_));
  }
  std::string description() const {
    char name[128] = "";
    int driver = 0;
    cuDeviceGetName(name, sizeof name, device_);
    cuDriverGetVersion(&driver);
    const std::time_t now = std::time(nullptr);
    char date[16] = "";
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return std::string(name) + ", CUDA " + std::to_string(driver / 1000) + "." +
           std::to_string(driver % 1000 / 10) + ", " + date;
  }

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

class Module {
 public:
  explicit Module(const std::string& ptx) {
    static char log[8192];
    log[0] = 0;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    const CUresult result = cuModuleLoadDataEx(&module_, ptx.c_str(), 2, options, values);
    if (result != CUDA_SUCCESS && log[0]) throw DriverError(log);
    check(result, "cuModuleLoadDataEx");
  }
  ~Module() { cuModuleUnload(module_); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  CUfunction kernel() const {
    CUfunction f = nullptr;
    CHECK(cuModuleGetFunction(&f, module_, "k"));
    return f;
  }

 private:
  CUmodule module_ = nullptr;
};

struct Buffer {
  explicit Buffer(std::size_t bytes) {
    CHECK(cuMemAlloc(&address, bytes));
    CHECK(cuMemsetD8(address, 0, bytes));
  }
  ~Buffer() { cuMemFree(address); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  CUdeviceptr address = 0;
};

// A kernel that hangs cannot be stopped: what follows cannot be run.
struct Hang : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void wait_for_kernel() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (;;) {
    const CUresult state = cuStreamQuery(nullptr);
    if (state != CUDA_ERROR_NOT_READY) return check(state, "the kernel");
    if (Clock::now() - start > std::chrono::seconds(20))
      throw Hang("the kernel does not end; the ones after it were not run");
  }
}

std::vector<std::byte> run(const Variant& v) {
  const Module module(v.ptx);
  const Buffer in(v.input.size()), out(v.output_bytes + v.scratch_bytes + 16);
  CHECK(cuMemcpyHtoD(in.address, v.input.data(), v.input.size()));
  CUlaunchAttribute cluster;
  std::memset(&cluster, 0, sizeof cluster);
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = v.cluster[0];
  cluster.value.clusterDim.y = v.cluster[1];
  cluster.value.clusterDim.z = v.cluster[2];
  const bool clustered = v.cluster[0] * v.cluster[1] * v.cluster[2] > 1;
  CUlaunchConfig config;
  std::memset(&config, 0, sizeof config);
  config.gridDimX = v.grid[0], config.gridDimY = v.grid[1], config.gridDimZ = v.grid[2];
  config.blockDimX = v.block[0], config.blockDimY = v.block[1], config.blockDimZ = v.block[2];
  config.sharedMemBytes = v.dynamic_shared;
  config.attrs = clustered ? &cluster : nullptr;
  config.numAttrs = clustered ? 1 : 0;
  CUdeviceptr addresses[] = {in.address, out.address};
  void* arguments[] = {&addresses[0], &addresses[1]};
  CHECK(cuLaunchKernelEx(&config, module.kernel(), arguments, nullptr));
  wait_for_kernel();
  std::vector<std::byte> output(v.output_bytes);
  CHECK(cuMemcpyDtoH(output.data(), out.address, output.size()));
  return output;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: record_vectors FILE\n", stderr);
    return 2;
  }
  try {
    Device device;
    Recording recording;
    recording.device = device.description();
    std::size_t failed = 0;
    bool hung = false;
    for (const Variant& v : catalogue()) {
      Recorded& r = recording.by_kernel[v.fingerprint()];
      try {
        r.output = run(v);
      } catch (const DriverError& error) {
        r.problem = error.what();
        std::printf("%s: %s\n  %s\n", v.row.c_str(), v.text.c_str(), error.what());
        ++failed;
        device.renew();
      } catch (const Hang& error) {
        r.problem = error.what();
        std::printf("%s: %s\n  %s\n%s\n", v.row.c_str(), v.text.c_str(), error.what(),
                    v.ptx.c_str());
        hung = true;
        break;
      }
    }
    const std::string bytes = to_bytes(recording);
    std::ofstream file(argv[1], std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write the file");
    std::printf("%s: %zu kernels, %zu failed, %zu bytes\n", recording.device.c_str(),
                catalogue().size(), failed, bytes.size());
    std::fflush(stdout);
    if (hung) std::_Exit(4);  // the driver would wait for it
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_vectors: %s\n", error.what());
    return 1;
  }
  return 0;
}
