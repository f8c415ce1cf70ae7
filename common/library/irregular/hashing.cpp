// SPDX-License-Identifier: MIT
#include "common/irregular/hashing.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/parallel.hpp"
#include "common/size.hpp"

namespace course {

namespace {

constexpr const char* kLoads[] = {"30", "50", "80", "95"};
constexpr const char* kKeys[] = {"distinct", "repeated", "equal"};
constexpr const char* kThere[] = {"0", "50", "100"};
constexpr Choice kHashChoices[] = {
    {"load", "how many of a hundred slots would be filled if all keys differed", kLoads, "80"},
    {"keys", "all different, each about eight times, or one only", kKeys, "distinct"},
    {"there", "how many of a hundred keys that are looked up are there", kThere, "100"},
};
constexpr std::uint32_t kBucketOfAll = 32;  // the largest bucket that a rung has

// Key number i. Steps that can be undone: different for every i below 2^31.
std::uint32_t key_number(std::uint32_t i) {
  constexpr std::uint32_t kMask = 0x7fffffff;
  std::uint32_t x = i & kMask;
  x = (x ^ x >> 15) * 0x2c1b3c6du & kMask;
  x = (x ^ x >> 12) * 0x297a2d39u & kMask;
  return x ^ x >> 15;
}
std::uint32_t value_for(std::uint32_t key) {
  return static_cast<std::uint32_t>(random_bits(7, key) >> 33);
}

std::uint32_t capacity_for(std::size_t n, unsigned load) {
  const std::size_t slots = (n * 100 + load - 1) / load;
  const std::size_t most = 0xffffffffu / kBucketOfAll;
  return static_cast<std::uint32_t>(
             std::clamp<std::size_t>((slots + kBucketOfAll - 1) / kBucketOfAll, 1, most)) *
         kBucketOfAll;
}

// The CPU's table: linear probing, one word for each slot. Threads share the places out among them, each
// takes the keys of its own and leaves the others.
class CpuTable {
 public:
  CpuTable(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> values,
           unsigned threads)
      : parts_(threads) {
    each_of(threads, [&](unsigned part) {
      std::size_t own = 0;
      for (const std::uint32_t key : keys) own += part_of(key) == part;
      auto& slots = parts_[part];
      slots.assign(own * 5 / 4 + 1, kNone);
      for (std::size_t i = 0; i < keys.size(); ++i)
        if (part_of(keys[i]) == part) {
          auto& slot = place(slots, keys[i]);
          if (slot == kNone) slot = std::uint64_t{values[i]} << 32 | keys[i];
        }
    });
  }
  // Nothing changes any more: each thread takes its share of the queries, wherever they lead.
  void find(std::span<const std::uint32_t> queries, std::span<std::uint32_t> found,
            unsigned threads) {
    each_of(threads, [&](unsigned thread) {
      const std::size_t begin = queries.size() * thread / threads;
      const std::size_t end = queries.size() * (thread + 1) / threads;
      for (std::size_t i = begin; i < end; ++i)
        found[i] = static_cast<std::uint32_t>(place(parts_[part_of(queries[i])], queries[i]) >> 32);
    });
  }
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> all;
    for (const auto& slots : parts_)
      std::copy_if(slots.begin(), slots.end(), std::back_inserter(all),
                   [](std::uint64_t w) { return w != kNone; });
    sort_on_all_cores(all);
    return all;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // its upper half is kNoHashValue
  static std::uint64_t hash(std::uint32_t key) { return random_bits(3, key); }
  unsigned part_of(std::uint32_t key) const {
    return static_cast<unsigned>((hash(key) & 0xffffffff) * parts_.size() >> 32);
  }
  static std::uint64_t& place(std::vector<std::uint64_t>& slots, std::uint32_t key) {
    std::size_t at = (hash(key) >> 32) * slots.size() >> 32;
    while (slots[at] != kNone && static_cast<std::uint32_t>(slots[at]) != key)
      at = at + 1 < slots.size() ? at + 1 : 0;
    return slots[at];
  }
  template <class Body>
  static void each_of(unsigned threads, Body body) {
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(body, thread);
    body(0);
    for (auto& other : others) other.join();
  }
  std::vector<std::vector<std::uint64_t>> parts_;
};

// Both problems: the input, the memory, and which part of it is taken.
class HashingProblem : public families::ProblemOf<Hashing> {
 public:
  explicit HashingProblem(const families::Setup& setup)
      : load_(static_cast<unsigned>(std::stoul(value_of(setup.chosen, "load")))),
        keys_(make_keys(setup)),
        values_(keys_.size()),
        device_(setup.device),
        block_(setup.block),
        slots_(capacity_for(setup.n, load_)),
        tags_(slots_.size() / 8),
        pairs_(setup.n),
        words_(kHashWords),
        full_(1),
        found_(setup.n) {
    std::transform(keys_.begin(), keys_.end(), values_.begin(), value_for);
    queries_ = keys_;
    device_keys_.upload(keys_), device_values_.upload(values_);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    filled_by_ = nullptr;
  }
  Hashing task() override {
    Hashing h;
    h.keys = device_keys_.data() + first_;
    h.values = device_values_.data() + first_;
    h.n = n_;
    h.slots = slots_.data();
    h.capacity = capacity();
    h.tags = tags_.data();
    h.pairs = pairs_.data();
    h.words = words_.data();
    h.full = full_.data();
    h.queries = device_queries_.data() + first_;
    h.found = found_.data();
    h.block = block_;
    h.device = &device_;
    h.filled_by = &filled_by_;
    return h;
  }

 protected:
  using Part = std::pair<std::size_t, std::size_t>;
  Part part() const { return {first_, n_}; }
  std::span<const std::uint32_t> keys() const { return std::span(keys_).subspan(first_, n_); }
  std::span<const std::uint32_t> values() const { return std::span(values_).subspan(first_, n_); }
  std::span<const std::uint32_t> queries() const { return std::span(queries_).subspan(first_, n_); }
  std::uint32_t capacity() const { return capacity_for(n_, load_); }
  void set_queries(std::vector<std::uint32_t> queries) {
    queries_ = std::move(queries);
    device_queries_.upload(queries_);
  }
  void clear_full() { COURSE_CHECK(cudaMemset(full_.data(), 0, full_.bytes())); }
  // Not a pair may have been left out: there is room for all.
  bool some_left_out(families::Finding& finding) const {
    const unsigned full = full_.download()[0];
    if (full == 0) return false;
    finding = {{false, 0, static_cast<double>(full)}, "pairs that found no slot"};
    return true;
  }
  std::vector<unsigned long long> slots() const {
    auto all = slots_.download();
    all.resize(capacity());
    return all;
  }
  std::vector<std::uint32_t> found() const {
    auto all = found_.download();
    all.resize(n_);
    return all;
  }
  void poison_slots() { COURSE_CHECK(cudaMemset(slots_.data(), 0xcd, slots_.bytes())); }
  void poison_found() {
    if (found_.size() > 0) COURSE_CHECK(cudaMemset(found_.data(), 0xcd, found_.bytes()));
  }
  const void* filled_by_ = nullptr;

 private:
  std::vector<std::uint32_t> make_keys(const families::Setup& setup) {
    const std::string& kind = value_of(setup.chosen, "keys");
    const std::size_t all = setup.n + kSpare, some = kind == "equal"      ? 1
                                                     : kind == "repeated" ? all / 8 + 1
                                                                          : all;
    std::vector<std::uint32_t> keys(all);
    const auto offset = static_cast<std::uint32_t>(random_bits(setup.seed, 0) >> 34);
    for (std::size_t i = 0; i < all; ++i)
      keys[i] = key_number(offset + static_cast<std::uint32_t>(
                                        some == all ? i : random_bits(setup.seed, i + 1) % some));
    return keys;
  }
  unsigned load_;
  std::vector<std::uint32_t> keys_, values_, queries_;
  const Device& device_;
  int block_;
  DeviceBuffer<unsigned long long> slots_, tags_, pairs_;
  DeviceBuffer<unsigned> words_, full_;
  DeviceBuffer<std::uint32_t> found_;
  DeviceBuffer<std::uint32_t> device_keys_{keys_.size()}, device_values_{keys_.size()},
      device_queries_{keys_.size()};
  std::size_t first_ = 0, n_ = 0;
};

class FillingProblem final : public HashingProblem {
 public:
  explicit FillingProblem(const families::Setup& setup) : HashingProblem(setup) {
    take(0, setup.n);
  }
  double bytes() const override {
    return kFillBytes * static_cast<double>(keys().size()) + 8.0 * capacity();
  }
  void solve_on_cpu(unsigned threads) override {
    on_cpu_ = std::make_unique<CpuTable>(keys(), values(), threads);
  }
  families::Finding judge_cpu() override {
    const auto words = on_cpu_->words();
    on_cpu_.reset();
    return compared(words);
  }
  void poison() override { poison_slots(), clear_full(); }
  // What is in the slots, in whatever place: each pair once, and nothing else.
  families::Finding judge(bool) override {
    families::Finding finding;
    if (some_left_out(finding)) return finding;
    const auto all = slots();
    if (same_words(all)) return {{true}};
    std::vector<std::uint64_t> words;
    for (const unsigned long long word : all)
      if (word != ~0ull) words.push_back(word);
    sort_on_all_cores(words);
    return compared(words);
  }

 private:
  // Each pair once, in order.
  const std::vector<std::uint64_t>& truth() {
    auto& truth = truths_[part()];
    if (!truth.empty()) return truth;
    truth.resize(keys().size());
    for (std::size_t i = 0; i < truth.size(); ++i)
      truth[i] = std::uint64_t{values()[i]} << 32 | keys()[i];
    sort_on_all_cores(truth);
    truth.erase(std::unique(truth.begin(), truth.end()), truth.end());
    return truth;
  }
  // Sorting a hundred million words takes longer than everything else here. So first their number and two
  // sums over a hash of each are compared, which do not depend on the order; sorted is what differs.
  bool same_words(std::span<const unsigned long long> slots) {
    auto& sums = sums_[part()];
    if (sums.count == 0) sums = sums_of(std::span<const std::uint64_t>(truth()));
    return sums_of(slots) == sums;
  }
  struct Sums {
    std::uint64_t count = 0, first = 0, second = 0;
    bool operator==(const Sums&) const = default;
  };
  template <class W>
  static Sums sums_of(std::span<const W> words) {
    std::vector<Sums> of(pieces_of(words.size()));
    for_each_piece(words.size(), [&](std::size_t piece, std::size_t begin, std::size_t end) {
      Sums sums;
      for (const W word : words.subspan(begin, end - begin)) {
        if (word == ~W{0}) continue;
        ++sums.count, sums.first += random_bits(11, word), sums.second += random_bits(13, word);
      }
      of[piece] = sums;
    });
    Sums all;
    for (const Sums& sums : of)
      all.count += sums.count, all.first += sums.first, all.second += sums.second;
    return all;
  }
  families::Finding compared(const std::vector<std::uint64_t>& words) {
    const auto& truth = this->truth();
    if (words == truth) return {{true}};
    const auto [w, t] = std::mismatch(words.begin(), words.end(), truth.begin(), truth.end());
    const auto seen = w == words.end() ? -1.0 : static_cast<double>(static_cast<std::uint32_t>(*w));
    const auto wanted =
        t == truth.end() ? -1.0 : static_cast<double>(static_cast<std::uint32_t>(*t));
    return {{false, wanted, seen},
            "key in slot, of " + std::to_string(words.size()) + " slots in use where " +
                std::to_string(truth.size()) + " should be"};
  }
  std::unique_ptr<CpuTable> on_cpu_;
  std::map<Part, std::vector<std::uint64_t>> truths_;
  std::map<Part, Sums> sums_;
};

class FindingProblem final : public HashingProblem {
 public:
  explicit FindingProblem(const families::Setup& setup) : HashingProblem(setup) {
    // Not in the order of the keys; those that are not there have numbers behind all that are.
    const std::size_t all = setup.n + kSpare;
    const auto there = std::stoull(value_of(setup.chosen, "there"));
    std::vector<std::uint32_t> queries(all);
    HashingProblem::take(0, setup.n);
    for (std::size_t i = 0; i < all; ++i) {
      const std::uint64_t bits = random_bits(setup.seed + 1, i);
      queries[i] = setup.n > 0 && bits % 100 < there
                       ? keys()[(bits >> 32) % setup.n]
                       : 0x80000000u | key_number(static_cast<std::uint32_t>(bits >> 33));
    }
    set_queries(std::move(queries));
    solve_on_cpu(cpu_threads());  // so that no call that is timed has to make the table
  }
  double bytes() const override { return kFindBytes * static_cast<double>(keys().size()); }
  void take(std::size_t first, std::size_t n) override {
    HashingProblem::take(first, n);
    table_.reset();
  }
  // Timed is the finding: the table is made by the first call, and kept for the others.
  void solve_on_cpu(unsigned threads) override {
    if (!table_) table_ = std::make_unique<CpuTable>(keys(), values(), cpu_threads());
    on_cpu_.resize(keys().size());
    table_->find(queries(), on_cpu_, threads);
  }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override { poison_found(), clear_full(); }
  families::Finding judge(bool) override {
    families::Finding finding;
    return some_left_out(finding) ? finding : compared(found());
  }

 private:
  const std::vector<std::uint32_t>& truth() {
    auto& truth = truths_[part()];
    if (!truth.empty()) return truth;
    std::vector<std::uint32_t> sorted(keys().begin(), keys().end());
    sort_on_all_cores(sorted);
    truth.resize(queries().size());
    for_each_piece(truth.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t key = queries()[i];
        const bool there = std::binary_search(sorted.begin(), sorted.end(), key);
        truth[i] = there ? value_for(key) : kNoHashValue;
      }
    });
    return truth;
  }
  families::Finding compared(const std::vector<std::uint32_t>& found) {
    const auto wrong = std::mismatch(found.begin(), found.end(), truth().begin());
    if (wrong.first == found.end()) return {{true}};
    return {{false, static_cast<double>(*wrong.second), static_cast<double>(*wrong.first)},
            "the value of query " + std::to_string(wrong.first - found.begin())};
  }
  std::unique_ptr<CpuTable> table_;
  std::vector<std::uint32_t> on_cpu_;
  std::map<Part, std::vector<std::uint32_t>> truths_;
};

void check(const families::Setup& setup) {
  if (setup.n >= std::size_t{1} << 31)
    throw UsageError{"--n " + format_size(setup.n) +
                     " is more than the 2^31 - 1 different keys that there are"};
  check_bytes_fit(50.0 * static_cast<double>(setup.n), setup.n, setup.device);
}

}  // namespace

std::span<const Choice> filling_choices() { return std::span(kHashChoices).first(2); }
std::span<const Choice> finding_choices() { return kHashChoices; }

std::unique_ptr<families::ProblemOf<Hashing>> make_filling(const families::Setup& setup) {
  check(setup);
  return std::make_unique<FillingProblem>(setup);
}
std::unique_ptr<families::ProblemOf<Hashing>> make_finding(const families::Setup& setup) {
  check(setup);
  return std::make_unique<FindingProblem>(setup);
}

}  // namespace course
