// Dense and sparse switches, fall-through, switches in loops with break and continue: a small stack
// machine per lane.
#include "../check.cuh"

enum Op : unsigned char { kPush, kAdd, kMul, kSub, kDup, kSwap, kNeg, kJumpIfZero, kHalt };

__host__ __device__ int interpret(const unsigned char* code, int input) {
  int stack[8], top = 0;
  stack[0] = input;
  for (int pc = 0;;) {
    switch (code[pc++]) {
      case kPush:
        stack[++top] = code[pc++];
        break;
      case kAdd:
        --top, stack[top] += stack[top + 1];
        break;
      case kMul:
        --top, stack[top] *= stack[top + 1];
        break;
      case kSub:
        --top, stack[top] -= stack[top + 1];
        break;
      case kDup:
        ++top, stack[top] = stack[top - 1];
        break;
      case kSwap: {
        const int held = stack[top];
        stack[top] = stack[top - 1];
        stack[top - 1] = held;
        break;
      }
      case kNeg:
        stack[top] = -stack[top];
        break;
      case kJumpIfZero:
        pc = stack[top--] == 0 ? code[pc] : pc + 1;
        break;
      case kHalt:
        return stack[top];
      default:
        return -999;
    }
  }
}

__host__ __device__ int sparse(int v) {
  int r = 0;
  switch (v) {
    case -1000:
      r = 1;
      break;
    case 7:
      r += 10;  // on to the next
    case 8:
      r += 20;
      break;
    case 1 << 20:
      r = 3;
      break;
    case 500:
    case 501:
    case 502:
      r = 4;
      break;
    default:
      r = -1;
  }
  return r;
}

__constant__ unsigned char program[] = {kDup, kPush, 3,    kMul,  kSwap, kJumpIfZero, 10,   kPush,
                                        1,    kAdd,  kNeg, kPush, 100,   kSub,        kHalt};
const unsigned char host_program[] = {kDup, kPush, 3,    kMul,  kSwap, kJumpIfZero, 10,   kPush,
                                      1,    kAdd,  kNeg, kPush, 100,   kSub,        kHalt};

__global__ void run(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = interpret(program, in[i]) * 100 + sparse(in[i]);
}

int main() {
  for (int n : kSizes) {
    const int special[] = {0, -1000, 7, 8, 1 << 20, 500, 502, 503};
    std::vector<int> values(n), want(n);
    for (int i = 0; i < n; ++i)
      values[i] = i % 3 ? special[i % 8] : i,
      want[i] = interpret(host_program, values[i]) * 100 + sparse(values[i]);
    int* out = upload(std::vector<int>(n));
    run<<<blocks_for(n, 64), 64>>>(upload(values), n, out);
    CHECK_KERNEL();
    report("stack machine", download(out, n), want);
  }
  return finish();
}
