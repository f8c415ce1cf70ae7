// The second file of separate_compilation.cu.
__device__ int counter = 0;
__constant__ int offsets[4] = {1000, 2000, 3000, 4000};
extern __device__ int called_back(int);

__device__ int elsewhere(int x) { return called_back(x) + 1; }

__global__ void their_kernel(int* out) { *out = counter; }
