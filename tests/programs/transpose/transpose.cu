// Matrix transpose: naive, through a padded tile in shared memory, and in place.
#include <utility>

#include "../check.cuh"

constexpr int kTile = 32, kRows = 8;

__global__ void naive(const float* in, int rows, int columns, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

__global__ void tiled(const float* in, int rows, int columns, float* out) {
  __shared__ float
      tile[kTile][kTile + 1];  // one column more: a column of the tile lies in 32 different banks
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void in_place(float* square, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= x) return;
  const float upper = square[y * side + x];
  square[y * side + x] = square[x * side + y];
  square[x * side + y] = upper;
}

int main() {
  for (const auto& [rows, columns] : {std::pair{1, 1}, std::pair{1, 50}, std::pair{33, 31},
                                      std::pair{64, 64}, std::pair{100, 45}}) {
    std::vector<float> values(rows * columns), want(rows * columns);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        want[x * rows + y] = values[y * columns + x] =
            static_cast<float>(noise(y * columns + x) % 10000);
    float* in = upload(values);
    float* out = upload(std::vector<float>(values.size()));
    std::printf("%d x %d\n", rows, columns);
    naive<<<dim3(blocks_for(columns, 16), blocks_for(rows, 16)), dim3(16, 16)>>>(in, rows, columns,
                                                                                 out);
    CHECK_KERNEL();
    report("naive", download(out, values.size()), want);
    CHECK(cudaMemset(out, 0, values.size() * sizeof(float)));
    tiled<<<dim3(blocks_for(columns, kTile), blocks_for(rows, kTile)), dim3(kTile, kRows)>>>(
        in, rows, columns, out);
    CHECK_KERNEL();
    report("tiled", download(out, values.size()), want);
    if (rows != columns) continue;
    in_place<<<dim3(blocks_for(rows, 16), blocks_for(rows, 16)), dim3(16, 16)>>>(in, rows);
    CHECK_KERNEL();
    report("in_place", download(in, values.size()), want);
  }
  return finish();
}
