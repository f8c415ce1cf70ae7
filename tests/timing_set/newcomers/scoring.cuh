// SPDX-License-Identifier: MIT
// A search engine's BM25 scores of all documents for four queries of four words. Word after word
// with atomic additions to the documents of its list; a thread for a document and a query that
// looks the document up in each list, in double precision; from the words of each document with
// weights in half precision, eight lanes a document, all queries at once; and a tile of documents a
// block, with scores in shared memory and marks where each list enters a tile.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kScoringWords = 2048, kScoringQueries = 4, kScoringLength = 4;
constexpr unsigned kScoringTile = 2048;  // documents

struct ScoringQueries {
  unsigned word[kScoringQueries][kScoringLength];
  float weight[kScoringQueries][kScoringLength];
};

__host__ __device__ inline float scoring_part(float times, float norm) {
  return times * 2.2f / (times + norm);
}

__global__ void scoring_atomic(const unsigned* first, const unsigned* documents,
                               const unsigned char* times, const float* norms,
                               ScoringQueries queries, float* scores, unsigned count) {
  const unsigned query = blockIdx.y / kScoringLength, at = blockIdx.y % kScoringLength;
  const unsigned word = queries.word[query][at];
  const float weight = queries.weight[query][at];
  const unsigned end = first[word + 1];
  for (unsigned i = first[word] + thread_number(); i < end; i += gridDim.x * blockDim.x) {
    const unsigned document = documents[i];
    atomicAdd(scores + query * count + document, weight * scoring_part(times[i], norms[document]));
  }
}

__global__ void scoring_search(const unsigned* first, const unsigned* documents,
                               const unsigned char* times, const float* norms,
                               ScoringQueries queries, float* scores, unsigned count) {
  const unsigned document = blockIdx.x * blockDim.x + threadIdx.x, query = threadIdx.y;
  if (document >= count) return;
  double sum = 0;
  for (unsigned at = 0; at < kScoringLength; ++at) {
    const unsigned word = queries.word[query][at];
    unsigned low = first[word], high = first[word + 1];
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (documents[middle] <= document ? low : high) = middle;
    }
    if (low < high && documents[low] == document) {
      const double often = times[low];
      sum += queries.weight[query][at] * (often * 2.2 / (often + norms[document]));
    }
  }
  scores[query * count + document] = static_cast<float>(sum);
}

struct ScoringEntry {
  unsigned short word;
  __half part;
};

__global__ void __launch_bounds__(512)
    scoring_forward(const unsigned* __restrict__ begins, const ScoringEntry* __restrict__ entries,
                    const float4* __restrict__ weights, float4* __restrict__ scores,
                    unsigned count) {
  __shared__ float4 weight[kScoringWords];
  for (unsigned i = threadIdx.x; i < kScoringWords; i += blockDim.x) weight[i] = weights[i];
  __syncthreads();
  const unsigned lane = threadIdx.x % 8, step = gridDim.x * blockDim.x / 8;
  // All of a warp goes round as often, because of the shuffles.
  for (unsigned base = thread_number() / 32 * 4; base < count; base += step) {
    const unsigned document = base + threadIdx.x % 32 / 8;
    const unsigned begin = document < count ? begins[document] : 0;
    const unsigned end = document < count ? begins[document + 1] : 0;
    float4 sum = make_float4(0, 0, 0, 0);
    for (unsigned i = begin + lane; i < end; i += 8) {
      const ScoringEntry entry = entries[i];
      const float4 w = weight[entry.word];
      const float part = __half2float(entry.part);
      sum.x += w.x * part, sum.y += w.y * part, sum.z += w.z * part, sum.w += w.w * part;
    }
    for (unsigned d = 4; d > 0; d /= 2) {
      sum.x += __shfl_xor_sync(kAll, sum.x, d);
      sum.y += __shfl_xor_sync(kAll, sum.y, d);
      sum.z += __shfl_xor_sync(kAll, sum.z, d);
      sum.w += __shfl_xor_sync(kAll, sum.w, d);
    }
    if (lane == 0 && document < count) scores[document] = sum;
  }
}

// marks: for each word the place in its list where each tile begins.
__global__ void scoring_tiles(const unsigned* marks, const unsigned* documents,
                              const unsigned char* times, const float* norms,
                              ScoringQueries queries, float* scores, unsigned count) {
  __shared__ float sums[kScoringTile];
  const unsigned tile = blockIdx.x, query = blockIdx.y, base = tile * kScoringTile;
  for (unsigned i = threadIdx.x; i < kScoringTile; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  for (unsigned at = 0; at < kScoringLength; ++at) {
    const unsigned* mark = marks + queries.word[query][at] * (gridDim.x + 1) + tile;
    const unsigned end = mark[1];
    const float weight = queries.weight[query][at];
    for (unsigned i = mark[0] + threadIdx.x; i < end; i += blockDim.x) {
      const unsigned document = documents[i];
      sums[document - base] += weight * scoring_part(times[i], norms[document]);
    }
    __syncthreads();  // a list has a document once, the next list may have it again
  }
  for (unsigned i = threadIdx.x; i < kScoringTile && base + i < count; i += blockDim.x)
    scores[query * count + base + i] = sums[i];
}

// The words of each document and how often they are there; and the documents of each word.
struct ScoringIndex {
  std::vector<unsigned> begins = {0}, first, documents;
  std::vector<unsigned short> words;
  std::vector<unsigned char> counts, times;
  std::vector<float> norms;
  ScoringQueries queries;

  explicit ScoringIndex(unsigned count) : first(kScoringWords + 1) {
    words.reserve(12 * count);
    counts.reserve(12 * count);
    unsigned seed = 0;
    for (unsigned document = 0; document < count; ++document) add_document(mixed(++seed), seed);
    for (unsigned word = 0; word < kScoringWords; ++word) first[word + 1] += first[word];
    invert(count);
    for (unsigned q = 0; q < kScoringQueries; ++q)
      for (unsigned i = 0; i < kScoringLength; ++i) {
        const unsigned word = i == 0 ? q + 1 : mixed(q * 10 + i) % (30u << 2 * i);
        const float in = static_cast<float>(first[word + 1] - first[word]);
        queries.word[q][i] = word;
        queries.weight[q][i] = std::log(1 + (count - in + 0.5f) / (in + 0.5f));
      }
  }
  double wanted(unsigned query, unsigned document) const {
    double sum = 0;
    for (unsigned e = begins[document]; e < begins[document + 1]; ++e)
      for (unsigned i = 0; i < kScoringLength; ++i)
        if (queries.word[query][i] == words[e])
          sum += queries.weight[query][i] * scoring_part(counts[e], norms[document]);
    return sum;
  }
  // Ever wider steps through the words: the first words are in many documents.
  void add_document(unsigned random, unsigned& seed) {
    const unsigned length = 4 + random % 17;
    unsigned word = (random >> 8) % 8;
    for (unsigned i = 0; i < length && word < kScoringWords; ++i) {
      random = mixed(++seed);
      words.push_back(static_cast<unsigned short>(word));
      counts.push_back(static_cast<unsigned char>(1 + random % 4));
      ++first[word + 1];
      word += 1 + (random >> 4) % (word + 4);
    }
    begins.push_back(static_cast<unsigned>(words.size()));
    norms.push_back(1.2f * (0.25f + 0.75f * length / 12));
  }
  void invert(unsigned count) {
    documents.resize(words.size());
    times.resize(words.size());
    std::vector<unsigned> next = first;
    for (unsigned document = 0; document < count; ++document)
      for (unsigned e = begins[document]; e < begins[document + 1]; ++e) {
        documents[next[words[e]]] = document;
        times[next[words[e]]++] = counts[e];
      }
  }
};

inline std::vector<unsigned> scoring_marks(const ScoringIndex& index, unsigned tiles) {
  std::vector<unsigned> marks;
  for (unsigned word = 0; word < kScoringWords; ++word) {
    const auto begin = index.documents.begin() + index.first[word];
    const auto end = index.documents.begin() + index.first[word + 1];
    for (unsigned tile = 0; tile <= tiles; ++tile)
      marks.push_back(static_cast<unsigned>(std::lower_bound(begin, end, tile * kScoringTile) -
                                            index.documents.begin()));
  }
  return marks;
}

// tiles: 0 for lists that are whole.
template <class Start>
Problem scoring_problem(unsigned count, unsigned tiles, Start start) {
  auto index = std::make_shared<ScoringIndex>(count);
  auto first = array(tiles ? scoring_marks(*index, tiles) : index->first);
  auto documents = array(index->documents);
  auto times = array(index->times);
  auto norms = array(index->norms), scores = array(std::vector<float>(kScoringQueries * count));
  return Problem{[=] {
                   start(first->data(), documents->data(), times->data(), norms->data(),
                         index->queries, scores->data());
                 },
                 [=] {
                   return agrees(scores,
                                 [&](unsigned i) { return index->wanted(i / count, i % count); });
                 },
                 [=] { clear(scores); }};
}

inline Problem scoring_forward_problem(unsigned count) {
  auto index = std::make_shared<ScoringIndex>(count);
  std::vector<ScoringEntry> all(index->words.size());
  for (unsigned document = 0; document < count; ++document)
    for (unsigned e = index->begins[document]; e < index->begins[document + 1]; ++e)
      all[e] = {index->words[e],
                __float2half(scoring_part(index->counts[e], index->norms[document]))};
  std::vector<float> dense(kScoringWords * kScoringQueries);
  for (unsigned q = 0; q < kScoringQueries; ++q)
    for (unsigned i = 0; i < kScoringLength; ++i)
      dense[index->queries.word[q][i] * kScoringQueries + q] += index->queries.weight[q][i];
  auto entries = array(std::move(all));
  auto begins = array(index->begins);
  auto weights = array(std::move(dense)), scores = room<float>(kScoringQueries * count);
  return Problem{[=] {
                   scoring_forward<<<std::min(blocks_of(8 * count, 512), 396u), 512>>>(
                       begins->data(), entries->data(),
                       reinterpret_cast<const float4*>(weights->data()),
                       reinterpret_cast<float4*>(scores->data()), count);
                 },
                 [=] {
                   return agrees(
                       scores, [&](unsigned i) { return index->wanted(i % 4, i / 4); }, 2e-3);
                 }};
}

inline void add_scoring(Set& set) {
  const std::vector<unsigned> sizes = {3000, 70000, 330001};  // documents
  set.add("scoring_atomic", sizes, [](unsigned n) {
    const dim3 grid(std::min(blocks_of(n, 512), 150u), kScoringQueries * kScoringLength);
    return scoring_problem(n, 0, [=](auto... a) { scoring_atomic<<<grid, 128>>>(a..., n); });
  });
  set.add("scoring_search", sizes, [](unsigned n) {
    const dim3 block(64, kScoringQueries);
    return scoring_problem(
        n, 0, [=](auto... a) { scoring_search<<<blocks_of(n, 64), block>>>(a..., n); });
  });
  set.add("scoring_forward", sizes, scoring_forward_problem);
  set.add("scoring_tiles", sizes, [](unsigned n) {
    const dim3 grid(blocks_of(n, kScoringTile), kScoringQueries);
    return scoring_problem(n, grid.x, [=](auto... a) { scoring_tiles<<<grid, 512>>>(a..., n); });
  });
}

}  // namespace timing_set
