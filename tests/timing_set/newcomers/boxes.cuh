// SPDX-License-Identifier: MIT
// Overlaps of a detector's boxes, best first. All pairs to a byte each, from four arrays; to bits,
// with boxes in shared memory and no work below the diagonal; greedy suppression by a block per
// image, of uneven sizes; and for evaluation the matching of detections (structs in no order) with
// their image's true boxes, where the best score wins by a 64-bit atomic.
#pragma once

#include <cstring>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBoxesWord = 64, kBoxesMost = 400;

struct BoxesSeen {
  float x0, y0, x1, y1, score;
  int image, label;
};

__host__ __device__ inline float boxes_common(float4 a, float4 b) {
  const float w = fminf(a.z, b.z) - fmaxf(a.x, b.x), h = fminf(a.w, b.w) - fmaxf(a.y, b.y);
  return w <= 0 || h <= 0 ? 0 : w * h;
}
__host__ __device__ inline float boxes_area(float4 a) { return (a.z - a.x) * (a.w - a.y); }

// More than half of what the two cover is common; without rounding, as the corners are integers.
__host__ __device__ inline bool boxes_same(float4 a, float4 b) {
  return 3 * boxes_common(a, b) > boxes_area(a) + boxes_area(b);
}

__global__ void boxes_pairs(const float* x0, const float* y0, const float* x1, const float* y1,
                            unsigned char* same, unsigned n) {
  const unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  const float4 a = make_float4(x0[i], y0[i], x1[i], y1[i]);
  const float4 b = make_float4(x0[j], y0[j], x1[j], y1[j]);
  same[i * n + j] = i < j && boxes_same(a, b);
}

__global__ void __launch_bounds__(kBoxesWord)
    boxes_mask(const float4* __restrict__ boxes, unsigned long long* __restrict__ mask,
               unsigned n) {
  if (blockIdx.y > blockIdx.x) return;
  __shared__ float4 others[kBoxesWord];
  const unsigned begin = blockIdx.x * kBoxesWord, count = min(n - begin, kBoxesWord);
  if (threadIdx.x < count) others[threadIdx.x] = boxes[begin + threadIdx.x];
  __syncthreads();
  const unsigned i = blockIdx.y * kBoxesWord + threadIdx.x;
  if (i >= n) return;
  const float4 mine = boxes[i];
  unsigned long long bits = 0;
  for (unsigned j = blockIdx.x == blockIdx.y ? threadIdx.x + 1 : 0; j < count; ++j)
    if (boxes_same(mine, others[j])) bits |= 1ull << j;
  mask[i * gridDim.x + blockIdx.x] = bits;
}

__global__ void boxes_greedy(const float4* boxes, const unsigned* begins, unsigned char* kept) {
  __shared__ float4 box[kBoxesMost];
  __shared__ unsigned char dead[kBoxesMost];
  const unsigned begin = begins[blockIdx.x], count = begins[blockIdx.x + 1] - begin;
  for (unsigned j = threadIdx.x; j < count; j += blockDim.x) {
    box[j] = boxes[begin + j];
    dead[j] = 0;
  }
  __syncthreads();
  for (unsigned i = 0; i < count; ++i) {
    if (dead[i]) continue;  // for all threads alike: what this round reads was settled before
    for (unsigned j = i + 1 + threadIdx.x; j < count; j += blockDim.x)
      if (!dead[j] && boxes_same(box[i], box[j])) dead[j] = 1;
    __syncthreads();
  }
  for (unsigned j = threadIdx.x; j < count; j += blockDim.x) kept[begin + j] = !dead[j];
}

__host__ __device__ inline int boxes_nearest(const BoxesSeen& seen, const float4* truth,
                                             unsigned begin, unsigned end) {
  const float4 mine = {seen.x0, seen.y0, seen.x1, seen.y1};
  float best = 0.5f;
  int which = -1;
  for (unsigned t = begin; t < end; ++t) {
    const float common = boxes_common(mine, truth[t]);
    const float share = common / (boxes_area(mine) + boxes_area(truth[t]) - common);
    if (share > best) best = share, which = static_cast<int>(t);
  }
  return which;
}

__global__ void boxes_match(const BoxesSeen* seen, const float4* truth, const unsigned* begins,
                            int* matched, unsigned long long* winner, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const BoxesSeen mine = seen[i];
  const int which = boxes_nearest(mine, truth, begins[mine.image], begins[mine.image + 1]);
  matched[i] = which;
  if (which >= 0)
    atomicMax(&winner[which], (unsigned long long)__float_as_uint(mine.score) << 32 | i);
}

// One of several that a detector gives for the same object.
inline float4 boxes_box(unsigned object, unsigned jitter) {
  const unsigned o = mixed(object), j = mixed(jitter + 4242);
  const float x = float(o % 800 + j % 13), y = float((o >> 10) % 800 + (j >> 4) % 13);
  return make_float4(x, y, x + float(40 + (o >> 20) % 60 + (j >> 8) % 11),
                     y + float(40 + (o >> 26) + (j >> 12) % 11));
}
inline float4 boxes_one(unsigned i, unsigned n) { return boxes_box(mixed(i) % (n / 6 + 1), i); }

inline Problem boxes_pairs_problem(unsigned n) {
  auto x0 = array<float>(n, [n](unsigned i) { return boxes_one(i, n).x; });
  auto y0 = array<float>(n, [n](unsigned i) { return boxes_one(i, n).y; });
  auto x1 = array<float>(n, [n](unsigned i) { return boxes_one(i, n).z; });
  auto y1 = array<float>(n, [n](unsigned i) { return boxes_one(i, n).w; });
  auto same = room<unsigned char>(std::size_t(n) * n);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(n, 16), blocks_of(n, 16)), block(16, 16);
        boxes_pairs<<<grid, block>>>(x0->data(), y0->data(), x1->data(), y1->data(), same->data(),
                                     n);
      },
      [=] {
        const std::vector<unsigned char> got = same->device.download();
        for (unsigned i = 0; i < n; i += (n - 1 - i) / 50 + 1)
          for (unsigned j = 0; j < n; ++j)
            if (got[i * n + j] != (i < j && boxes_same(boxes_one(i, n), boxes_one(j, n))))
              return false;
        return true;
      }};
}

inline Problem boxes_mask_problem(unsigned n) {
  const unsigned words = blocks_of(n, kBoxesWord);
  auto boxes = array<float4>(n, [n](unsigned i) { return boxes_one(i, n); });
  auto mask = room<unsigned long long>(std::size_t(n) * words);
  clear(mask);
  return Problem{
      [=] { boxes_mask<<<dim3(words, words), kBoxesWord>>>(boxes->data(), mask->data(), n); },
      [=] {
        const std::vector<unsigned long long> got = mask->device.download();
        for (unsigned i = 0; i < n; i += (n - 1 - i) / 50 + 1)
          for (unsigned j = 0; j < n; ++j)
            if ((got[i * words + j / kBoxesWord] >> j % kBoxesWord & 1) !=
                (i < j && boxes_same(boxes->host[i], boxes->host[j])))
              return false;
        return true;
      }};
}

inline std::vector<unsigned> boxes_begins(unsigned groups, unsigned least, unsigned most) {
  std::vector<unsigned> begins = {0};
  for (unsigned g = 0; g < groups; ++g)
    begins.push_back(begins.back() + least + mixed(g + 17) % (most - least + 1));
  return begins;
}

inline Problem boxes_greedy_problem(unsigned images) {
  auto begins = array(boxes_begins(images, 40, kBoxesMost));
  const unsigned n = begins->host.back();
  auto boxes = array<float4>(n, [](unsigned i) { return boxes_box(mixed(i) % 40, i); });
  auto kept = room<unsigned char>(n);
  const auto right = [=] {
    const std::vector<unsigned char> got = kept->device.download();
    for (unsigned image = 0; image < images; image += (images - 1 - image) / 30 + 1) {
      const unsigned begin = begins->host[image], end = begins->host[image + 1];
      for (unsigned j = begin; j < end; ++j) {
        bool wanted = true;
        for (unsigned i = begin; i < j; ++i)
          wanted = wanted && !(got[i] && boxes_same(boxes->host[i], boxes->host[j]));
        if (got[j] != wanted) return false;
      }
    }
    return true;
  };
  return Problem{
      [=] { boxes_greedy<<<images, 128>>>(boxes->data(), begins->data(), kept->data()); }, right};
}

inline Problem boxes_match_problem(unsigned n) {
  const unsigned images = n / 200 + 1;
  auto begins = array(boxes_begins(images, 0, 36));
  const unsigned truths = begins->host.back();
  auto truth = array<float4>(truths, [](unsigned t) { return boxes_box(t, 0); });
  auto seen = array<BoxesSeen>(n, [=](unsigned i) {
    const unsigned image = mixed(i + 3) % images, begin = begins->host[image];
    const unsigned count = begins->host[image + 1] - begin;
    const float4 b = boxes_box(begin + mixed(i + 8) % (count + 4), i);
    const float score = float(mixed(i + 21) % 1000 + 1) / 1024;
    return BoxesSeen{b.x, b.y, b.z, b.w, score, int(image), int(i % 7)};
  });
  auto matched = room<int>(n);
  auto winner = room<unsigned long long>(truths);
  clear(winner);
  const auto right = [=] {
    std::vector<unsigned long long> best(truths, 0);
    const std::vector<int> got = matched->device.download();
    for (unsigned i = 0; i < n; ++i) {
      const BoxesSeen& s = seen->host[i];
      const unsigned* range = &begins->host[s.image];
      const int which = boxes_nearest(s, truth->host.data(), range[0], range[1]);
      if (got[i] != which) return false;
      unsigned bits;
      std::memcpy(&bits, &s.score, sizeof bits);
      if (which >= 0) best[which] = std::max(best[which], (unsigned long long)bits << 32 | i);
    }
    return winner->device.download() == best;
  };
  return Problem{[=] {
                   boxes_match<<<blocks_of(n), kBlock>>>(seen->data(), truth->data(),
                                                         begins->data(), matched->data(),
                                                         winner->data(), n);
                 },
                 right, [=] { clear(winner); }};
}

inline void add_boxes(Set& set) {
  const std::vector<unsigned> sizes = {150, 1100, 4507};  // boxes
  set.add("boxes_pairs", sizes, boxes_pairs_problem);
  set.add("boxes_mask", sizes, boxes_mask_problem);
  set.add("boxes_greedy", {3, 60, 1000}, boxes_greedy_problem);        // images
  set.add("boxes_match", {700, 40000, 1000000}, boxes_match_problem);  // detections
}

}  // namespace timing_set
