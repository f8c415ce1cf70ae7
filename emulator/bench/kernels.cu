// SPDX-License-Identifier: MIT
// What the benchmark runs. Compiled to PTX by nvcc when the benchmark is built.

// Integer arithmetic: a multiply-add chain with shifts and logic, full warps.
extern "C" __global__ void integer_arithmetic(unsigned* out, int rounds) {
  unsigned x = threadIdx.x + blockIdx.x * blockDim.x, y = x ^ 0x9e3779b9u;
  for (int i = 0; i < rounds; ++i) {
    x = x * 1664525u + y;
    y ^= x >> 13;
    x += (y << 7) & 0x55555555u;
    y = y * 22695477u + (x | 1u);
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = x ^ y;
}

// Floating point: independent multiply-adds.
extern "C" __global__ void float_arithmetic(float* out, int rounds) {
  float a = threadIdx.x, b = a * 0.5f, c = a - 3.0f, d = 1.0f;
  for (int i = 0; i < rounds; ++i) {
    a = a * 0.999f + 0.5f;
    b = b * 0.998f + a;
    c = c * 0.997f - b;
    d = d * 0.25f + c * 0.125f;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = a + b + c + d;
}

// Coalesced loads and stores in global memory.
extern "C" __global__ void load_store(const float* in, float* out, int n, int rounds) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    for (int j = i; j < n; j += step) out[j] = in[j] + 1.0f;
  }
}

// Arithmetic, loads and stores together: y = a x + y, and a dot product on the side.
extern "C" __global__ void mixed(const float* x, float* y, float a, int n, int rounds) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  float dot = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    for (int j = i; j < n; j += step) {
      const float v = x[j], w = y[j];
      dot += v * w;
      y[j] = a * v + w * 0.5f;
    }
  }
  if (dot == 42.0f) y[0] = dot;
}

// Shared memory with barriers.
extern "C" __global__ void shared_memory(float* out, int rounds) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float v = 0.0f;
  for (int r = 0; r < rounds; ++r) {
    v += s[(threadIdx.x + r) & 255];
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = v;
}

// Warp shuffles.
extern "C" __global__ void shuffles(int* out, int rounds) {
  int v = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = v;
}

// Every second lane takes the other side of a branch.
extern "C" __global__ void divergent(int* out, int rounds) {
  int v = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    if (v & 1) {
      v = v * 3 + 1;
      out[threadIdx.x] = v;
    } else {
      v = (v >> 1) + r;
      out[threadIdx.x + blockDim.x] = v;
    }
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = v;
}

// Atomics on 256 addresses.
extern "C" __global__ void atomics(unsigned* bins, const unsigned* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  for (int j = i; j < n; j += step) atomicAdd(&bins[in[j] & 255], 1u);
}

// Values of one, two and four bytes, copied.
template <class T>
__device__ void copy(const T* in, T* out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  for (int j = i; j < n; j += step) out[j] = in[j];
}
extern "C" __global__ void copy_words(const int* in, int* out, int n) { copy(in, out, n); }
extern "C" __global__ void copy_halves(const short* in, short* out, int n) { copy(in, out, n); }
extern "C" __global__ void copy_bytes(const char* in, char* out, int n) { copy(in, out, n); }
// Bytes that three lanes read each, and bytes that each belong to another warp than their neighbours.
extern "C" __global__ void blur_bytes(const char* in, char* out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  for (int j = i; j < n - 2; j += step) out[j] = (in[j] + in[j + 1] + in[j + 2]) / 3;
}
extern "C" __global__ void scatter_bytes(const char* in, char* out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
  for (int j = i; j < n; j += step) out[j * 40503u % unsigned(n)] = in[j];
}

// The tree of lesson 02: one element per thread, partial sums to memory.
extern "C" __global__ void tree_reduction(const float* in, float* partial, int n) {
  __shared__ float s[256];
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// Block b of each rank copies its part, meets block b of all the others, and reads what the next rank has copied.
extern "C" __global__ void copy_and_meet(const int* in, int* all, int* out, unsigned* words, int n,
                                         int rank, int ranks) {
  copy(in, all + rank * n, n);
  __syncthreads();
  unsigned* const mine = words + blockIdx.x * ranks * ranks;
  if (threadIdx.x < ranks) {
    asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(mine + threadIdx.x * ranks + rank) : "memory");
    unsigned seen = 0;
    while (seen == 0) {
      asm volatile("ld.acquire.sys.u32 %0, [%1];"
                   : "=r"(seen)
                   : "l"(mine + rank * ranks + threadIdx.x)
                   : "memory");
    }
  }
  __syncthreads();
  copy(all + (rank + 1) % ranks * n, out, n);
}
