// SPDX-License-Identifier: MIT
// Bags of words, each the mean of its words' 128 numbers in a table (some words are frequent, some bags empty): a thread
// for each number of a bag, a thread for a whole bag, a warp for a bag with four numbers a lane; and the gradient, which
// adds each bag's to the rows of its words with atomics.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEmbeddingWide = 128, kEmbeddingWordsPerBag = 5;

__global__ void embedding_plain(const float* table, const int* first, const int* words, float* out,
                                int bags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bag = i / kEmbeddingWide, d = i % kEmbeddingWide;
  if (bag >= bags) return;
  const int begin = first[bag], end = first[bag + 1];
  float sum = 0;
  for (int k = begin; k < end; ++k) sum += table[words[k] * kEmbeddingWide + d];
  out[i] = end > begin ? sum / (end - begin) : 0.0f;
}

__global__ void embedding_serial(const float* table, const int* first, const int* words, float* out,
                                 int bags) {
  const int bag = blockIdx.x * blockDim.x + threadIdx.x;
  if (bag >= bags) return;
  const int begin = first[bag], end = first[bag + 1];
  for (unsigned d = 0; d < kEmbeddingWide; ++d) {
    float sum = 0;
    for (int k = begin; k < end; ++k) sum += table[words[k] * kEmbeddingWide + d];
    out[bag * kEmbeddingWide + d] = end > begin ? sum / (end - begin) : 0.0f;
  }
}

__global__ void embedding_warp(const float* table, const int* first, const int* words, float* out,
                               int bags) {
  const int bag = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (bag >= bags) return;
  const int begin = first[bag], count = first[bag + 1] - begin;
  const int mine = lane < count ? words[begin + lane] : 0;  // a bag has fewer than 32 words
  const float4* const rows = reinterpret_cast<const float4*>(table);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < count; ++k) {
    const float4 row = rows[__shfl_sync(kAll, mine, k) * (kEmbeddingWide / 4) + lane];
    sum.x += row.x;
    sum.y += row.y;
    sum.z += row.z;
    sum.w += row.w;
  }
  const float scale = count > 0 ? 1.0f / count : 0.0f;
  reinterpret_cast<float4*>(out)[bag * (kEmbeddingWide / 4) + lane] =
      make_float4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale);
}

__global__ void embedding_gradient(const float* of_bags, const int* first, const int* words,
                                   float* of_table, int bags) {
  const int bag = blockIdx.x * blockDim.y + threadIdx.y, d = threadIdx.x;
  if (bag >= bags) return;
  const int begin = first[bag], end = first[bag + 1];
  if (begin == end) return;
  const float part = of_bags[bag * kEmbeddingWide + d] / (end - begin);
  for (int k = begin; k < end; ++k) atomicAdd(&of_table[words[k] * kEmbeddingWide + d], part);
}

struct EmbeddingBags {
  unsigned bags, rows;
  Shared<int> first, words;
};
// 0 to 15 words a bag; a word's frequency falls with the square root of its number.
inline EmbeddingBags embedding_bags(unsigned bags) {
  const unsigned rows = bags * kEmbeddingWordsPerBag;
  std::vector<int> first(bags + 1);
  for (unsigned b = 0; b < bags; ++b)
    first[b + 1] = first[b] + static_cast<int>(mixed(b + 77) % 16);
  auto words = array<int>(first.back(), [rows](unsigned i) {
    const double u = mixed(i ^ 0x5a000000u) / 4294967296.0;
    return std::min(rows - 1, static_cast<unsigned>(u * u * rows));
  });
  return {bags, rows, array(std::move(first)), words};
}

template <class Function>
std::function<Problem(unsigned)> embedding_problem(Function kernel, unsigned threads_per_bag,
                                                   unsigned block) {
  return [=](unsigned n) {
    const EmbeddingBags bags = embedding_bags(n);
    auto table = uniform(std::size_t{bags.rows} * kEmbeddingWide, 5);
    auto out = room<float>(std::size_t{n} * kEmbeddingWide);
    const unsigned grid = blocks_of(std::size_t{n} * threads_per_bag, block);
    return Problem{[=] {
                     kernel<<<grid, block>>>(table->data(), bags.first->data(), bags.words->data(),
                                             out->data(), static_cast<int>(n));
                   },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       const int begin = bags.first->host[i / kEmbeddingWide];
                       const int end = bags.first->host[i / kEmbeddingWide + 1];
                       double sum = 0;
                       for (int k = begin; k < end; ++k)
                         sum +=
                             table->host[bags.words->host[k] * kEmbeddingWide + i % kEmbeddingWide];
                       return end > begin ? sum / (end - begin) : 0.0;
                     });
                   }};
  };
}

inline Problem embedding_gradient_problem(unsigned n) {
  const EmbeddingBags bags = embedding_bags(n);
  auto of_bags = uniform(std::size_t{n} * kEmbeddingWide, 6);
  auto of_table = room<float>(std::size_t{bags.rows} * kEmbeddingWide);
  clear(of_table);
  return Problem{[=] {
                   embedding_gradient<<<blocks_of(n, 4), dim3(kEmbeddingWide, 4)>>>(
                       of_bags->data(), bags.first->data(), bags.words->data(), of_table->data(),
                       static_cast<int>(n));
                 },
                 [=] {
                   std::vector<float> wanted(std::size_t{bags.rows} * kEmbeddingWide);
                   for (unsigned b = 0; b < n; ++b) {
                     const int begin = bags.first->host[b], end = bags.first->host[b + 1];
                     for (int k = begin; k < end; ++k)
                       for (unsigned d = 0; d < kEmbeddingWide; ++d)
                         wanted[bags.words->host[k] * kEmbeddingWide + d] +=
                             of_bags->host[b * kEmbeddingWide + d] /
                             static_cast<float>(end - begin);
                   }
                   return agrees(of_table, [&](unsigned i) { return wanted[i]; });
                 },
                 [=] { clear(of_table); }};
}

inline void add_embedding(Set& set) {
  const std::vector<unsigned> sizes = {48, 3000, 30000};
  set.add("embedding_plain", sizes, embedding_problem(embedding_plain, kEmbeddingWide, 256));
  set.add("embedding_serial", sizes, embedding_problem(embedding_serial, 1, 64));
  set.add("embedding_warp", sizes, embedding_problem(embedding_warp, 32, 128));
  set.add("embedding_gradient", sizes, embedding_gradient_problem);
}

}  // namespace timing_set
