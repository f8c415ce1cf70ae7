// Thrust: transform_reduce, reduce_by_key, inclusive_scan, transform, count_if, inner_product,
// for_each, copy_if.
// long: half a minute of nvcc for kernels that are those of CUB, which has its own programs here
// timeout: 120
// nvcc: --extended-lambda
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <numeric>

#include "../check.cuh"

template <class T>
std::vector<T> host(const thrust::device_vector<T>& device, size_t n) {
  std::vector<T> values(n);
  thrust::copy(device.begin(), device.begin() + n, values.begin());
  return values;
}

struct Square {
  __host__ __device__ long long operator()(int v) const { return 1LL * v * v; }
};
struct Odd {
  __host__ __device__ bool operator()(int v) const { return v % 2 != 0; }
};

int main() {
  for (int n : {0, 1, 31, 1000, 20011}) {
    std::vector<int> values(n), keys(n), want_keys, want_sums, scanned(n), odd;
    long long squares = 0, product = 0;
    for (int i = 0, sum = 0; i < n; ++i) {
      values[i] = noise(i) % 1000, keys[i] = noise(i / 9) % 8;
      if (want_keys.empty() || want_keys.back() != keys[i])
        want_keys.push_back(keys[i]), want_sums.push_back(0);
      want_sums.back() += values[i], squares += 1LL * values[i] * values[i],
          product += 1LL * values[i] * keys[i];
      scanned[i] = sum += values[i];
      if (values[i] % 2) odd.push_back(values[i]);
    }
    thrust::device_vector<int> device(values.begin(), values.end()),
        device_keys(keys.begin(), keys.end()), out_keys(n), out(n);
    report("transform_reduce", n,
           thrust::transform_reduce(device.begin(), device.end(), Square{}, 0LL,
                                    thrust::plus<long long>()),
           squares);
    report("inner_product", n,
           thrust::inner_product(device.begin(), device.end(), device_keys.begin(), 0LL), product);
    const auto ends = thrust::reduce_by_key(device_keys.begin(), device_keys.end(), device.begin(),
                                            out_keys.begin(), out.begin());
    report("reduce_by_key keys", host(out_keys, ends.first - out_keys.begin()), want_keys);
    report("reduce_by_key sums", host(out, ends.second - out.begin()), want_sums);
    thrust::inclusive_scan(device.begin(), device.end(), out.begin());
    report("inclusive_scan", host(out, n), scanned);
    report("count_if", n,
           static_cast<long long>(thrust::count_if(device.begin(), device.end(), Odd{})),
           static_cast<long long>(odd.size()));
    const auto end = thrust::copy_if(device.begin(), device.end(), out.begin(), Odd{});
    report("copy_if", host(out, end - out.begin()), odd);
    int* raw = thrust::raw_pointer_cast(out.data());
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                     [raw] __device__(int i) { raw[i] = 3 * i; });
    std::vector<int> triple(n);
    for (int i = 0; i < n; ++i) triple[i] = 3 * i;
    report("for_each", host(out, n), triple);
  }
  return finish();
}
