// printf from a kernel in every format: integers, floats, strings, width and precision, many
// arguments, per-block lines.
#include "../check.cuh"

__global__ void formats() {
  printf("plain\n");
  printf("%d %i %u %x %X %o\n", -5, 7, 4000000000u, 0xbeef, 0xbeef, 8);
  printf("%lld %llu %llx %ld %lu\n", -1234567890123LL, 12345678901234567890ULL, 0xfeedfacecafeULL,
         -9L, 9UL);
  printf("%hd %hu %c %c %c\n", (short)-3, (unsigned short)200, 'a', 'b', 'c');
  printf("%f %e %g %G %F\n", 3.25, 12345.678, 0.0001, 1e20, -0.5);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
  printf("[%10.3f] [%-10.2e] [%.0f] [%8s] [%-8s] [%.2s]\n", 3.14159, 3.14159, 2.5, "right", "left",
         "cut");
  printf("[%#x] [%#o] [%-6.3d] [%+.2f]\n", 255, 8, 7, 2.5);
  printf("100%% %s %s\n", "one", "");
  printf("%a %f %f\n", 1.5, INFINITY, -INFINITY);
  const int k = threadIdx.x;
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", k, 1, 2, 3, 4, 5, 6, 7, 8,
         9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  float single = 0.1f;  // floats travel as doubles
  printf("%.10f %d %s %lld %.1f\n", single, 1, "mixed", 2LL, 3.0);
}

__global__ void returned(int* out) { *out = printf("%d and %d\n", 1, 2); }

__global__ void lanes() {
  if (threadIdx.x % 7 == 3 && threadIdx.x < 4)
    printf("thread %d of block (%d,%d)\n", threadIdx.x, blockIdx.x, blockIdx.y);
}

int main() {
  formats<<<1, 1>>>();
  CHECK_KERNEL();
  int* out = upload(std::vector<int>{0});
  returned<<<1, 1>>>(out);
  CHECK_KERNEL();
  report("arguments", 0, download(out, 1)[0],
         2);  // the number of arguments, unlike the host's printf
  for (int block = 0; block < 2; ++block) {
    lanes<<<1, 40>>>();
    CHECK_KERNEL();
  }
  return finish();
}
