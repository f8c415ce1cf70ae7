// Loads and stores by inline PTX: cache operators, vectors, volatile and ordered accesses, address
// spaces, prefetch.
#include "../check.cuh"

__global__ void copies(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int a, b, c, d;
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(__cvta_generic_to_global(in + 4 * t)));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + 4 * t));
  const unsigned slot = static_cast<unsigned>(__cvta_generic_to_shared(s + 4 * t));
  asm volatile("st.shared.v2.s32 [%0], {%1, %2};" ::"r"(slot), "r"(d), "r"(c) : "memory");
  asm volatile("st.volatile.shared.s32 [%0+8], %1;" ::"r"(slot), "r"(b) : "memory");
  asm volatile("st.shared.s32 [%0+12], %1;" ::"r"(slot), "r"(a) : "memory");
  __syncwarp();
  int x, y, z, w;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(slot));
  asm volatile("st.global.wt.s32 [%0], %1;" ::"l"(out + 4 * t), "r"(x) : "memory");
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(out + 4 * t + 1), "r"(y) : "memory");
  asm volatile("st.release.sys.global.s32 [%0], %1;" ::"l"(out + 4 * t + 2), "r"(z) : "memory");
  asm volatile("st.cs.s32 [%0], %1;" ::"l"(out + 4 * t + 3), "r"(w) : "memory");
}

// Narrow loads extend by their type.
__global__ void narrow(const unsigned char* in, int* out) {
  const int t = threadIdx.x;
  short s8;
  unsigned short u8;
  int s16;
  asm("ld.global.s8 %0, [%1];" : "=h"(s8) : "l"(in + 2 * t));
  asm("ld.global.cg.u8 %0, [%1+1];" : "=h"(u8) : "l"(in + 2 * t));
  asm("ld.global.ca.s16 %0, [%1];" : "=r"(s16) : "l"(in + 2 * t));
  out[3 * t] = s8, out[3 * t + 1] = u8, out[3 * t + 2] = s16;
}

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void spaces(int* out) {
  __shared__ int s;
  int local[2] = {1, 2};
  const void* pointers[] = {out, &s, &local[threadIdx.x % 2], table};
  for (int k = 0; k < 4; ++k)
    out[k] = __isGlobal(pointers[k]) | __isShared(pointers[k]) << 1 | __isLocal(pointers[k]) << 2 |
             __isConstant(pointers[k]) << 3;
}

int main() {
  std::vector<int> values(128), want(128);
  for (int i = 0; i < 128; ++i) values[i] = noise(i);
  for (int i = 0; i < 128; ++i) want[i] = values[i / 4 * 4 + 3 - i % 4];
  int* in = upload(values);
  int* out = upload(std::vector<int>(128));
  copies<<<1, 32>>>(in, out);
  CHECK_KERNEL();
  report("copies", download(out, 128), want);
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  want.clear();
  for (int t = 0; t < 32; ++t)
    for (int v : {static_cast<int>(static_cast<signed char>(bytes[2 * t])),
                  static_cast<int>(bytes[2 * t + 1]),
                  static_cast<int>(static_cast<short>(bytes[2 * t] | bytes[2 * t + 1] << 8))})
      want.push_back(v);
  narrow<<<1, 32>>>(reinterpret_cast<const unsigned char*>(in), out);
  CHECK_KERNEL();
  report("narrow", download(out, 96), want);
  spaces<<<1, 1>>>(out);
  CHECK_KERNEL();
  report("spaces", download(out, 4), {1, 2, 4, 8});
  return finish();
}
