// SPDX-License-Identifier: MIT
// How often does each word of a text occur? A word becomes a number of 64 bits, its key in a table of wide
// slots; beside it, the numbers are sorted and runs counted. Program 11_hash_table.words.
#include "common/irregular/cub_group.hpp"
#include "lessons/11_hash_table/many.cuh"
#include "lessons/11_hash_table/uses.cuh"
#include "lessons/11_hash_table/wide_table.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson11::words {
namespace {

constexpr unsigned kBlock = 256;

__host__ __device__ bool letter(char c) { return c != ' ' && c != '\n'; }
// FNV-1a over the letters: different words get different numbers, but for one chance in 2^64 for each two
// of them. A program that must be sure compares the letters too.
__host__ __device__ Word number_of(const char* text, std::size_t i, std::size_t n) {
  Word h = 0xcbf29ce484222325ull;
  for (; i < n && letter(text[i]); ++i)
    h = (h ^ static_cast<unsigned char>(text[i])) * 0x100000001b3ull;
  return h == kNoWideKey ? 0 : h;
}
__device__ bool word_begins(const char* text, std::size_t i, std::size_t n) {
  return i < n && letter(text[i]) && (i == 0 || !letter(text[i - 1]));
}
// Many add to the same few words: an addition of 64 bits, which never fails, and not exchanges of 128.
using WordTable = WideTable<KeyThenValue>;
// A thread per letter: the one at which a word begins reads it. Lanes with the same word become one.
__global__ void count_words(WordTable table, const char* text, std::size_t n, unsigned* full) {
  const std::size_t i = thread_number();
  const bool begins = word_begins(text, i, n);
  const unsigned who = __ballot_sync(0xffffffff, begins), lane = threadIdx.x % 32;
  if (!begins) return;
  const Word word = number_of(text, i, n);
  const unsigned same = __match_any_sync(who, word);
  if (lane == __ffs(same) - 1u && table.insert_or_add(word, __popc(same)) == Outcome::Full)
    atomicAdd(full, 1u);
}
// The numbers of all words, in any order: places by one addition for each warp.
__global__ void list_words(const char* text, std::size_t n, unsigned* count, Word* out) {
  const std::size_t i = thread_number();
  const bool begins = word_begins(text, i, n);
  const unsigned who = __ballot_sync(0xffffffff, begins), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && who != 0) first = atomicAdd(count, __popc(who));
  first = __shfl_sync(0xffffffff, first, 0);
  if (begins) out[first + __popc(who & ((1u << lane) - 1))] = number_of(text, i, n);
}

// Words of one to nine letters, some of them frequent.
std::vector<char> make_text(std::size_t n, std::uint32_t different) {
  std::vector<char> text;
  for (std::size_t w = 0; text.size() < n; ++w) {
    std::uint64_t bits = course::random_bits(2, drawn(3, w, different, true));
    const std::size_t length = 1 + bits % 9;
    for (std::size_t k = 0; k < length; ++k, bits >>= 5)
      text.push_back(static_cast<char>('a' + (bits >> 8) % 26));
    text.push_back(w % 11 == 10 ? '\n' : ' ');
  }
  text.resize(n);
  return text;
}

bool measure(course::Experiment& e, std::uint32_t different, course::Table& result) {
  const std::size_t n = e.device.small ? 1u << 15 : 1u << 27;
  const std::vector<char> letters = make_text(n, different);
  Sums each;
  for (std::size_t i = 0; i < n; ++i)
    if (letter(letters[i]) && (i == 0 || !letter(letters[i - 1])))
      each.emplace_back(number_of(letters.data(), i, n), 1);
  const std::size_t words = each.size();
  const Sums truth = added_up(std::move(each));

  const auto capacity = static_cast<std::uint32_t>(2 * different);
  DeviceBuffer<char> text(letters);
  DeviceBuffer<WideSlot> slots(capacity);
  DeviceBuffer<Word> listed(words), sorted(words), keys(words), sums(words);
  DeviceBuffer<unsigned> count(2), full(std::vector<unsigned>(1));
  course::Stopwatch watch(e.device, e.flush);
  const unsigned blocks = blocks_for(n, kBlock);
  const double by_table = rate(watch, words, [&] {
    COURSE_CHECK(cudaMemsetAsync(slots.data(), 0xff, slots.bytes()));
    count_words<<<blocks, kBlock>>>(WordTable(slots.data(), capacity), text.data(), n, full.data());
  });
  Sums got;
  for (const WideSlot& slot : slots.download())
    if (slot.key != kNoWideKey) got.emplace_back(slot.key, slot.value);
  bool ok = agree(got, truth, "counted in a table") && full.download()[0] == 0;

  course::CubCall sort = course::cub_sort(listed.data(), words, 0, sorted.data());
  course::CubCall group =
      course::cub_group(sorted.data(), words, 0, {keys.data(), sums.data(), count.data() + 1});
  const double by_sorting = rate(watch, words, [&] {
    COURSE_CHECK(cudaMemsetAsync(count.data(), 0, count.bytes()));
    list_words<<<blocks, kBlock>>>(text.data(), n, count.data(), listed.data());
    sort();
    group();
  });
  ok &= agree(groups_of(keys, sums, count.download()[1]), truth, "counted by sorting");
  result.rows.push_back({std::to_string(different), {by_table, by_sorting}});
  return ok;
}

bool run(course::Experiment& e) {
  course::Table table{"counts",
                      "Words counted",
                      "million/s",
                      {"different words, at most", "a table", "sort and count"}};
  bool ok = true;
  for (const std::uint32_t different : {64u, 4096u, e.device.small ? 8192u : 1u << 20})
    ok &= measure(e, different, table);
  e.add(std::move(table));
  return ok;
}

}  // namespace
}  // namespace lesson11::words

int main(int argc, char** argv) {
  return course::run_experiment(
      {"11_hash_table", "words", "Counting words: a hash table beside sorting."}, argc, argv,
      lesson11::words::run);
}
