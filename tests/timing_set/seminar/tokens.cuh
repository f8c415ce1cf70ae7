// SPDX-License-Identifier: MIT
// Text as bytes: the words of it are counted, a byte for each thread; its capital letters become small ones in place,
// sixteen bytes at a time; prices in decimals are read into numbers, a line for each thread; and the places of three short
// patterns are found in a long sequence, of which a block keeps a piece in shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

__host__ __device__ inline bool tokens_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

__global__ void tokens_words(const unsigned char* text, unsigned* words, unsigned n) {
  const unsigned i = thread_number();
  const bool begins = i < n && tokens_letter(text[i]) && (i == 0 || !tokens_letter(text[i - 1]));
  const int here = __syncthreads_count(begins);
  if (threadIdx.x == 0) atomicAdd(words, static_cast<unsigned>(here));
}

// Four letters at a time; what is no ASCII stays.
__device__ inline unsigned tokens_small(unsigned four) {
  const unsigned low = four & 0x7f7f7f7fu;
  const unsigned from_a = low + 0x01010101u * (0x80 - 'A');
  const unsigned after_z = low + 0x01010101u * (0x7f - 'Z');
  return four | ((from_a & ~after_z & ~four & 0x80808080u) >> 2);
}

__global__ void tokens_fold(unsigned char* text, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 16) {
    uint4* all = reinterpret_cast<uint4*>(text);
    uint4 mine = all[i];
    mine.x = tokens_small(mine.x);
    mine.y = tokens_small(mine.y);
    mine.z = tokens_small(mine.z);
    mine.w = tokens_small(mine.w);
    all[i] = mine;
  } else if (i == n / 16) {
    for (unsigned k = n / 16 * 16; k < n; ++k)
      if (text[k] >= 'A' && text[k] <= 'Z') text[k] += 'a' - 'A';
  }
}

__global__ void tokens_prices(const char* text, const unsigned* begins, double* price,
                              unsigned lines) {
  const unsigned line = thread_number();
  if (line >= lines) return;
  unsigned at = begins[line];
  const unsigned end = begins[line + 1] - 1;  // the line's end
  const bool negative = text[at] == '-';
  if (negative) ++at;
  double number = 0, scale = 1;
  bool decimals = false;
  for (; at < end; ++at) {
    const char c = text[at];
    if (c == '.') {
      decimals = true;
    } else {
      number = number * 10 + (c - '0');
      if (decimals) scale *= 10;
    }
  }
  price[line] = (negative ? -number : number) / scale;
}

constexpr unsigned kTokensPatterns = 3, kTokensLength = 7, kTokensTile = 1024, kTokensX = 64;
struct TokensPatterns {
  char letters[kTokensPatterns][kTokensLength + 1];
};
constexpr TokensPatterns kTokensWanted = {{"GATTACA", "CCATGGC", "TTTAGGG"}};

// A row of threads for each pattern; the places are appended in any order.
__global__ void __launch_bounds__(kTokensX* kTokensPatterns)
    tokens_match(const char* text, TokensPatterns patterns, unsigned* places, unsigned* counts,
                 unsigned most, unsigned n) {
  __shared__ char tile[kTokensTile + kTokensLength - 1];
  __shared__ char wanted[kTokensPatterns][kTokensLength];
  const unsigned begin = blockIdx.x * kTokensTile;
  const unsigned count = min(kTokensTile + kTokensLength - 1, n - begin);
  for (unsigned k = threadIdx.y * kTokensX + threadIdx.x; k < count;
       k += kTokensX * kTokensPatterns)
    tile[k] = text[begin + k];
  if (threadIdx.x < kTokensLength)
    wanted[threadIdx.y][threadIdx.x] = patterns.letters[threadIdx.y][threadIdx.x];
  __syncthreads();
  const char* pattern = wanted[threadIdx.y];
  for (unsigned x = threadIdx.x; x < kTokensTile && x + kTokensLength <= count; x += kTokensX) {
    unsigned k = 0;
    while (k < kTokensLength && tile[x + k] == pattern[k]) ++k;
    if (k == kTokensLength)
      places[threadIdx.y * most + atomicAdd(&counts[threadIdx.y], 1u)] = begin + x;
  }
}

// Letters and what is between words, and now and then a byte that is no ASCII.
inline Shared<unsigned char> tokens_text(unsigned n) {
  return array<unsigned char>(n, [](unsigned i) {
    const unsigned x = mixed(i + 51), letter = (x >> 8) % 26;
    if (x % 6 == 0) return " \n.,;[@`{~"[(x >> 8) % 10] & 0xff;
    if (x % 97 == 0) return static_cast<int>(0xc0 + letter);
    return static_cast<int>((x % 5 == 0 ? 'A' : 'a') + letter);
  });
}

inline Problem tokens_words_problem(unsigned n) {
  auto text = tokens_text(n);
  auto words = room<unsigned>(1);
  return Problem{[=] { tokens_words<<<blocks_of(n), kBlock>>>(text->data(), words->data(), n); },
                 [=] {
                   unsigned wanted = 0;
                   bool inside = false;
                   for (const unsigned char c : text->host) {
                     const bool letter = tokens_letter(c);
                     wanted += letter && !inside;
                     inside = letter;
                   }
                   return words->device.download()[0] == wanted;
                 },
                 [=] { clear(words); }};
}

inline Problem tokens_fold_problem(unsigned n) {
  auto text = tokens_text(n);
  return Problem{[=] { tokens_fold<<<blocks_of(n / 16 + 1, 384), 384>>>(text->data(), n); },
                 [=] {
                   const auto wanted = [&](unsigned i) {
                     const int c = text->host[i];
                     return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
                   };
                   return agrees(text, wanted, 0);
                 },
                 [=] { text->restore(); }};
}

inline Problem tokens_prices_problem(unsigned lines) {
  const auto cents = [](unsigned line) {
    const unsigned x = mixed(line + 61), large = mixed(x) % 10000000;
    const int number = static_cast<int>(x % 3 == 0 ? large : large % 20000);
    return x % 7 == 0 ? -number : number;
  };
  const auto whole = [](unsigned line) { return mixed(line + 62) % 4 == 0; };  // without decimals
  std::vector<char> all;
  std::vector<unsigned> starts = {0};
  for (unsigned line = 0; line < lines; ++line) {
    const int number = cents(line), positive = std::abs(number);
    if (number < 0) all.push_back('-');
    for (const char c : std::to_string(whole(line) ? positive : positive / 100)) all.push_back(c);
    if (!whole(line)) {
      all.push_back('.');
      all.push_back(static_cast<char>('0' + positive / 10 % 10));
      all.push_back(static_cast<char>('0' + positive % 10));
    }
    all.push_back('\n');
    starts.push_back(static_cast<unsigned>(all.size()));
  }
  auto text = array(std::move(all));
  auto begins = array(std::move(starts));
  auto price = room<double>(lines);
  return Problem{
      [=] {
        tokens_prices<<<blocks_of(lines, 128), 128>>>(text->data(), begins->data(), price->data(),
                                                      lines);
      },
      [=] {
        return agrees(
            price, [=](unsigned line) { return cents(line) / (whole(line) ? 1.0 : 100.0); }, 1e-12);
      }};
}

inline Problem tokens_match_problem(unsigned n) {
  auto text = array<char>(n, [](unsigned i) { return "ACGT"[mixed(i + 71) % 4]; });
  std::vector<std::vector<unsigned>> found(kTokensPatterns);
  std::size_t most = 1;
  for (unsigned p = 0; p < kTokensPatterns; ++p) {
    const std::string pattern(kTokensWanted.letters[p]);
    for (unsigned i = 0; i + kTokensLength <= n; ++i)
      if (std::equal(pattern.begin(), pattern.end(), text->host.begin() + i)) found[p].push_back(i);
    most = std::max(most, found[p].size());
  }
  auto places = room<unsigned>(kTokensPatterns * most);
  auto counts = room<unsigned>(kTokensPatterns);
  return Problem{[=] {
                   tokens_match<<<blocks_of(n, kTokensTile), dim3(kTokensX, kTokensPatterns)>>>(
                       text->data(), kTokensWanted, places->data(), counts->data(),
                       static_cast<unsigned>(most), n);
                 },
                 [=] {
                   const std::vector<unsigned> got = places->device.download();
                   const std::vector<unsigned> number = counts->device.download();
                   for (unsigned p = 0; p < kTokensPatterns; ++p) {
                     if (number[p] != found[p].size()) return false;
                     const auto begin = got.begin() + static_cast<std::ptrdiff_t>(p * most);
                     std::vector<unsigned> own(begin, begin + number[p]);
                     std::sort(own.begin(), own.end());
                     if (own != found[p]) return false;
                   }
                   return true;
                 },
                 [=] {
                   clear(counts);
                   COURSE_CHECK(cudaMemset(places->data(), 0xff, places->device.bytes()));
                 }};
}

inline void add_tokens(Set& set) {
  set.add("tokens_words", {30001, 2500000, 14000000}, tokens_words_problem);
  set.add("tokens_fold", {50003, 10000000, 70000001}, tokens_fold_problem);
  set.add("tokens_prices", {3000, 700000, 4000001}, tokens_prices_problem);
  set.add("tokens_match", {20000, 1000003, 6000000}, tokens_match_problem);
}

}  // namespace timing_set
