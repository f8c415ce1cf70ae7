// Virtual functions: objects made by a kernel on the device, called through their base by lanes of
// one warp.
#include "../check.cuh"

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 4; }
};

struct Rectangle : Shape {
  int width, height;
  __device__ Rectangle(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
};

struct Square final : Rectangle {
  __device__ explicit Square(int side) : Rectangle(side, side) {}
  __device__ int corners() const override { return 40; }
};

struct Triangle : Shape {
  int base;
  __device__ explicit Triangle(int b) : base(b) {}
  __device__ int area() const override { return base * base / 2; }
  __device__ int corners() const override { return 3; }
};

__global__ void make(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 3 == 0) shapes[i] = new Rectangle(i, 2);
  if (i % 3 == 1) shapes[i] = new Square(i);
  if (i % 3 == 2) shapes[i] = new Triangle(i);
}

__global__ void measure(Shape* const* shapes, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = shapes[i]->area() * 100 + shapes[i]->corners();
}

__global__ void destroy(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}

int main() {
  for (int n : {0, 1, 33, 200}) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i)
      want[i] = i % 3 == 0 ? i * 200 + 4 : i % 3 == 1 ? i * i * 100 + 40 : i * i / 2 * 100 + 3;
    Shape** shapes = upload(std::vector<Shape*>(n));
    int* out = upload(std::vector<int>(n));
    make<<<blocks_for(n, 64), 64>>>(shapes, n);
    measure<<<blocks_for(n, 64), 64>>>(shapes, n, out);
    destroy<<<blocks_for(n, 64), 64>>>(shapes, n);
    CHECK_KERNEL();
    report("shapes", download(out, n), want);
  }
  return finish();
}
