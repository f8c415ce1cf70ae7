// Inline PTX with labels, predicates and loops of its own: each asm block is a scope, so the same
// names may occur again.
#include "../check.cuh"

__device__ int collatz_steps(int n) {
  int steps;
  asm("{\n"
      "  .reg .pred p, q;\n"
      "  .reg .b32 x, bit;\n"
      "  mov.b32 x, %1;\n"
      "  mov.b32 %0, 0;\n"
      "again:\n"
      "  setp.le.s32 p, x, 1;\n"
      "  @p bra done;\n"
      "  and.b32 bit, x, 1;\n"
      "  setp.eq.s32 q, bit, 0;\n"
      "  @q shr.s32 x, x, 1;\n"
      "  @!q mad.lo.s32 x, x, 3, 1;\n"
      "  add.s32 %0, %0, 1;\n"
      "  bra again;\n"
      "done:\n"
      "}\n"
      : "=&r"(steps)
      : "r"(n));
  return steps;
}

__device__ int greatest_common_divisor(int a, int b) {
  int r;
  asm("{\n"
      "  .reg .pred p;\n"
      "  .reg .b32 x, y, t;\n"
      "  mov.b32 x, %1;\n"
      "  mov.b32 y, %2;\n"
      "again:\n"
      "  setp.eq.s32 p, y, 0;\n"
      "  @p bra done;\n"
      "  rem.s32 t, x, y;\n"
      "  mov.b32 x, y;\n"
      "  mov.b32 y, t;\n"
      "  bra again;\n"
      "done:\n"
      "  mov.b32 %0, x;\n"
      "}\n"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}

__device__ int clamp(int v, int low, int high) {
  int r;
  asm("{\n"
      "  .reg .pred a, b, either;\n"
      "  setp.lt.s32 a, %1, %2;\n"
      "  setp.gt.s32 b, %1, %3;\n"
      "  or.pred either, a, b;\n"
      "  selp.b32 %0, %2, %3, a;\n"
      "  @!either mov.b32 %0, %1;\n"
      "}\n"
      : "=&r"(r)
      : "r"(v), "r"(low), "r"(high));
  return r;
}

__global__ void run(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = collatz_steps(i + 1) + 1000 * greatest_common_divisor(i + 1, 360) +
             1000000 * (clamp(i - 50, -7, 90) + 7);
}

int main() {
  for (int n : {1, 33, 200}) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) {
      int steps = 0, a = i + 1, b = 360;
      for (int x = i + 1; x > 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
      while (b != 0) {
        const int t = a % b;
        a = b, b = t;
      }
      const int clamped = i - 50 < -7 ? -7 : i - 50 > 90 ? 90 : i - 50;
      want[i] = steps + 1000 * a + 1000000 * (clamped + 7);
    }
    int* out = upload(std::vector<int>(n));
    run<<<blocks_for(n, 64), 64>>>(n, out);
    CHECK_KERNEL();
    const std::vector<int> got = download(out, n);
    report("control flow", got, want);
    std::printf("%d\n", got.back());
  }
  return finish();
}
