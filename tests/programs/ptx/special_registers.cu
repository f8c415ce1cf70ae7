// Special registers read by inline PTX: lane, warp and block numbers, lane masks, clocks that go
// on, sizes of shared memory.
#include "../check.cuh"

#define REGISTER(name)                                 \
  [] {                                                 \
    unsigned r;                                        \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(r)); \
    return r;                                          \
  }()
#define REGISTER64(name)                               \
  [] {                                                 \
    unsigned long long r;                              \
    asm volatile("mov.u64 %0, %%" name ";" : "=l"(r)); \
    return r;                                          \
  }()

__global__ void registers(int* wrong, int* seen, int multiprocessors) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[5];
  fixed[threadIdx.x % 5] = dynamic[threadIdx.x % 4] = 0;
  __syncthreads();
  const unsigned t = threadIdx.x + threadIdx.y * blockDim.x, lane = t % 32;
  int bad = fixed[0] + dynamic[0];
  bad += REGISTER("laneid") != lane;
  bad += REGISTER("lanemask_eq") != 1u << lane;
  bad += REGISTER("lanemask_lt") != (1u << lane) - 1;
  bad += REGISTER("lanemask_le") != (2u << lane) - 1;
  bad += REGISTER("lanemask_gt") != ~((2u << lane) - 1);
  bad += REGISTER("lanemask_ge") != ~((1u << lane) - 1);
  bad += REGISTER("tid.y") != threadIdx.y || REGISTER("ntid.x") != blockDim.x ||
         REGISTER("ctaid.x") != blockIdx.x || REGISTER("nctaid.x") != gridDim.x;
  bad += REGISTER("nwarpid") < blockDim.x * blockDim.y / 32;
  bad += REGISTER("warpid") >= REGISTER("nwarpid");
  bad += REGISTER("smid") >= REGISTER("nsmid") ||
         REGISTER("nsmid") < static_cast<unsigned>(multiprocessors);
  bad += REGISTER("dynamic_smem_size") != 16;
  bad += REGISTER("total_smem_size") < 36;
  bad += REGISTER("cluster_nctaid.x") != 1 || REGISTER("cluster_ctarank") != 0;
  const unsigned long long clock_before = REGISTER64("clock64"),
                           time_before = REGISTER64("globaltimer");
  const long long before = clock64();
  __nanosleep(1000);
  bad += clock64() <= before;
  bad += REGISTER64("clock64") <= clock_before;
  bad += REGISTER64("globaltimer") < time_before;
  if (bad != 0) atomicAdd(wrong, bad);
  atomicAdd(seen, 1);
}

int main() {
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  int* counts = upload(std::vector<int>(2));
  registers<<<5, dim3(20, 7), 16>>>(counts, counts + 1, multiprocessors);
  CHECK_KERNEL();
  report("wrong", 700, download(counts, 1)[0], 0);
  report("threads", 700, download(counts + 1, 1)[0], 700);
  return finish();
}
