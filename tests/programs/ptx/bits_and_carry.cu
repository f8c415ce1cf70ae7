// Inline PTX on bits: prmt in its modes, lop3, shf, bfe, bfi, bmsk, szext, fns, and 128-bit sums
// and products by carry chains.
#include "../check.cuh"

struct Wide {
  unsigned w[4];
};

__device__ Wide add(Wide a, Wide b) {
  Wide r;
  asm("{\n  add.cc.u32 %0, %4, %8;\n  addc.cc.u32 %1, %5, %9;\n  addc.cc.u32 %2, %6, %10;\n  "
      "addc.u32 %3, %7, %11;\n}\n"
      : "=&r"(r.w[0]), "=&r"(r.w[1]), "=&r"(r.w[2]), "=&r"(r.w[3])
      : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
        "r"(b.w[3]));
  return r;
}

__device__ Wide subtract(Wide a, Wide b) {
  Wide r;
  asm("{\n  sub.cc.u32 %0, %4, %8;\n  subc.cc.u32 %1, %5, %9;\n  subc.cc.u32 %2, %6, %10;\n  "
      "subc.u32 %3, %7, %11;\n}\n"
      : "=&r"(r.w[0]), "=&r"(r.w[1]), "=&r"(r.w[2]), "=&r"(r.w[3])
      : "r"(a.w[0]), "r"(a.w[1]), "r"(a.w[2]), "r"(a.w[3]), "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]),
        "r"(b.w[3]));
  return r;
}

// (a1:a0) * (b1:b0), the whole 128 bits.
__device__ Wide multiply(unsigned a0, unsigned a1, unsigned b0, unsigned b1) {
  Wide r;
  asm("{\n"
      "  mul.lo.u32 %0, %4, %6;\n"
      "  mul.hi.u32 %1, %4, %6;\n"
      "  mad.lo.cc.u32 %1, %4, %7, %1;\n"
      "  madc.hi.u32 %2, %4, %7, 0;\n"
      "  mad.lo.cc.u32 %1, %5, %6, %1;\n"
      "  madc.hi.cc.u32 %2, %5, %6, %2;\n"
      "  madc.hi.u32 %3, %5, %7, 0;\n"
      "  mad.lo.cc.u32 %2, %5, %7, %2;\n"
      "  addc.u32 %3, %3, 0;\n"
      "}\n"
      : "=&r"(r.w[0]), "=&r"(r.w[1]), "=&r"(r.w[2]), "=&r"(r.w[3])
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
  return r;
}

#define ASM3(text, a, b, c)                                          \
  [&] {                                                              \
    unsigned r;                                                      \
    asm(text " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); \
    return r;                                                        \
  }()
#define ASM2(text, a, b)                                 \
  [&] {                                                  \
    unsigned r;                                          \
    asm(text " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); \
    return r;                                            \
  }()

__global__ void bits(const unsigned* in, unsigned* out) {
  const int t = threadIdx.x;
  const unsigned a = in[t], b = in[t + 1], c = in[t + 2];
  unsigned* r = out + 32 * t;
  int k = 0;
  r[k++] = ASM3("prmt.b32", a, b, c & 0xffffu);
  r[k++] = ASM3("prmt.b32.f4e", a, b, c), r[k++] = ASM3("prmt.b32.b4e", a, b, c),
  r[k++] = ASM3("prmt.b32.rc8", a, b, c);
  r[k++] = ASM3("prmt.b32.ecl", a, b, c), r[k++] = ASM3("prmt.b32.ecr", a, b, c),
  r[k++] = ASM3("prmt.b32.rc16", a, b, c);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[k++]) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r[k++]) : "r"(a), "r"(b), "r"(c));
  r[k++] = ASM3("shf.l.wrap.b32", a, b, c), r[k++] = ASM3("shf.r.clamp.b32", a, b, c);
  r[k++] = ASM3("bfe.u32", a, b & 63, c & 63), r[k++] = ASM3("bfe.s32", a, b & 63, c & 63);
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r[k++]) : "r"(a), "r"(b), "r"(c & 63), "r"(a & 63));
  r[k++] = ASM2("bmsk.clamp.b32", a & 63, b & 63), r[k++] = ASM2("bmsk.wrap.b32", a & 63, b & 63);
  r[k++] = ASM2("szext.clamp.s32", a, b & 63), r[k++] = ASM2("szext.wrap.u32", a, b & 63);
  asm("fns.b32 %0, %1, %2, %3;"
      : "=r"(r[k++])
      : "r"(a), "r"(b & 31), "r"(static_cast<int>(c % 7) - 3));
  asm("bfind.u32 %0, %1;" : "=r"(r[k++]) : "r"(a));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(r[k++]) : "r"(a));
  r[k++] = ASM3("sad.s32", a, b, c), r[k++] = ASM3("mad.hi.s32", a, b, c),
  r[k++] = ASM3("mad24.lo.u32", a, b, c);
  asm("cnot.b32 %0, %1;" : "=r"(r[k++]) : "r"(a));
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(r[k++]) : "r"(a), "r"(b), "r"(c));
}

__global__ void carries(const unsigned* in, Wide* out) {
  const int t = threadIdx.x;
  const Wide a = {in[t], in[t + 1], in[t + 2], in[t + 3]},
             b = {in[t + 4], in[t + 5], in[t + 6], in[t + 7]};
  out[3 * t] = add(a, b), out[3 * t + 1] = subtract(a, b),
          out[3 * t + 2] = multiply(a.w[0], a.w[1], b.w[0], b.w[1]);
}

unsigned __int128 wide(const unsigned* w) {
  unsigned __int128 r = 0;
  for (int i = 3; i >= 0; --i) r = r << 32 | w[i];
  return r;
}

int main() {
  std::vector<unsigned> values = {0,           1, ~0u, ~0u,         ~0u, ~0u, 0x80000000u, 5, 33,
                                  0x12345678u, 0, 31,  0xdeadbeefu, 40,  3,   0x7fffffffu};
  while (values.size() < 40) values.push_back(noise(values.size()));
  unsigned* in = upload(values);
  Wide* sums = nullptr;
  CHECK(cudaMalloc(&sums, 96 * sizeof(Wide)));
  carries<<<1, 32>>>(in, sums);
  CHECK_KERNEL();
  const std::vector<Wide> got = download(sums, 96);
  int wrong = 0;
  for (int t = 0; t < 32; ++t) {
    const unsigned __int128 a = wide(&values[t]), b = wide(&values[t + 4]);
    const unsigned __int128 product =
        static_cast<unsigned __int128>(static_cast<unsigned long long>(a)) *
        static_cast<unsigned long long>(b);
    wrong += wide(got[3 * t].w) != a + b, wrong += wide(got[3 * t + 1].w) != a - b,
        wrong += wide(got[3 * t + 2].w) != product;
  }
  report("carry chains wrong", 96, wrong, 0);
  unsigned* out = upload(std::vector<unsigned>(32 * 32));
  bits<<<1, 16>>>(in, out);
  CHECK_KERNEL();
  const std::vector<unsigned> rows = download(out, 32 * 16);
  for (int t = 0; t < 16; ++t)
    for (int k = 0; k < 26; ++k) std::printf("%x%c", rows[32 * t + k], k == 25 ? '\n' : ' ');
  return finish();
}
