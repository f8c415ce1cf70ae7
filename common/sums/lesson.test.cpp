// SPDX-License-Identifier: MIT
// A whole lesson program in one process, with rungs that run on the CPU: exit codes, what is
// printed, what is left out. tests/lessons/check_programs.py runs the real ones.
#include "common/sums/lesson.cuh"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "common/sums/cpu_sum.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using course::Lesson;
using course::Rung;
using course::Sum;

namespace {

template <class T>
void right(const Sum<T>& s) {
  std::vector<T> x(s.n);
  if (s.n > 0) COURSE_CHECK(cudaMemcpy(x.data(), s.in, s.n * sizeof(T), cudaMemcpyDeviceToHost));
  const T sum = course::cpu_sum(std::span<const T>(x));
  COURSE_CHECK(cudaMemcpy(s.out, &sum, sizeof sum, cudaMemcpyHostToDevice));
}
template <class T>
void silent(const Sum<T>&) {}
// Right while it is verified, silent from the seventh launch on: while it is timed.
int launches = 0;
template <class T>
void right_at_first(const Sum<T>& s) {
  if (++launches <= 6) right(s);
}
template <class T>
void failing(const Sum<T>&) {
  COURSE_CHECK(cudaErrorLaunchOutOfResources);
}
double depth(std::size_t n, int, const course::Device&) { return static_cast<double>(n); }

constexpr Rung kRight{"right", "adds", &right<float>, &right<int>, &depth};
constexpr Rung kIntegers{"integers", "adds integers", nullptr, &right<int>, &depth};
constexpr Rung kNewer{"newer", "for a later GPU", &silent<float>, &silent<int>, &depth, 999};
constexpr Rung kSilent{"silent", "does nothing", &silent<float>, &silent<int>, &depth};
constexpr Rung kTired{"tired", "stops", &right_at_first<float>, &right_at_first<int>, &depth};
constexpr Rung kFailing{"failing", "fails", &failing<float>, &failing<int>, &depth};

struct Ended {
  int code;
  std::string out, err;
};

Ended run(std::vector<Rung> rungs, std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  const Lesson lesson{"09_test", "Does it work?", rungs};
  Ended e;
  launches = 0;
  e.out = support::captured(stdout, [&] {
    e.err = support::captured(stderr, [&] {
      e.code = course::run_lesson(lesson, static_cast<int>(words.size()), words.data());
    });
  });
  return e;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("a lesson whose rungs are right ends with 0; CPU rows come first, CUB last") {
  const Ended e = run({kRight}, {"--n", "1000", "--reps", "1"});
  INFO(e.out << e.err);
  CHECK(e.code == 0);
  CHECK(e.err.empty());
  CHECK(e.out.find("\ncpu_1_thread") < e.out.find("\nright"));
  CHECK(e.out.find("\nright") < e.out.find("\ncub"));
  CHECK(e.out.find("\ncub") != std::string::npos);
  CHECK_FALSE(has(e.out, "FAIL"));
}

TEST_CASE("sizes 0 and 1 work, in both types") {
  for (const char* n : {"0", "1"})
    for (const char* type : {"f32", "i32"})
      CHECK(run({kRight, kIntegers}, {"--n", n, "--type", type, "--reps", "1"}).code == 0);
}

TEST_CASE("a wrong rung is FAIL with exit code 1, and the others are still run") {
  const Ended e = run({kSilent, kRight}, {"--n", "1000", "--reps", "1"});
  INFO(e.out);
  CHECK(e.code == 1);
  CHECK(has(e.out, "FAIL: expected "));
  CHECK(has(e.out, "\nright"));
}

TEST_CASE("a rung that is right when verified and wrong when timed is FAIL") {
  const Ended e = run({kTired}, {"--n", "1000", "--reps", "1"});
  INFO(e.out);
  CHECK(e.code == 1);
  CHECK(has(e.out, "FAIL"));
}

TEST_CASE("a rung without a float sum, or for a later GPU, is skipped with the reason") {
  const Ended e = run({kIntegers, kNewer}, {"--n", "1000", "--reps", "1"});
  INFO(e.out);
  CHECK(e.code == 0);
  CHECK(has(e.out, "integers only"));
  CHECK(has(e.out, "compute capability 99.9"));
}

TEST_CASE("a failed CUDA call ends with 1 and one line") {
  const Ended e = run({kFailing}, {"--n", "1000", "--reps", "1"});
  INFO(e.err);
  CHECK(e.code == 1);
  CHECK(lines_of(e.err) == 1);
  CHECK(has(e.err, "09_test: "));
  CHECK(has(e.err, "cudaErrorLaunchOutOfResources"));
}

TEST_CASE("--list prints one line per rung and runs nothing") {
  const Ended e = run({kRight, kFailing}, {"--list"});
  CHECK(e.code == 0);
  CHECK(lines_of(e.out) == 2);
  CHECK(has(e.out, "right"));
  CHECK(has(e.out, "fails"));
}

TEST_CASE("--rung runs that one only") {
  const Ended e = run({kRight, kSilent}, {"--n", "100", "--reps", "1", "--rung", "right"});
  CHECK(e.code == 0);
  CHECK_FALSE(has(e.out, "silent"));
}

TEST_CASE("a wrong option ends with 2 before anything is run") {
  const Ended e = run({kFailing}, {"--block", "100"});
  CHECK(e.code == 2);
  CHECK(e.out.empty());
  CHECK(lines_of(e.err) == 1);
}

TEST_CASE("more elements than memory: 2 and one line, at once") {
  const Ended e = run({kRight}, {"--n", "2^40"});
  INFO(e.err);
  CHECK(e.code == 2);
  CHECK(lines_of(e.err) == 1);
  CHECK(has(e.err, "2^40"));
}

TEST_CASE("a JSON file that cannot be written: 2 and one line that names it") {
  const Ended e = run({kRight}, {"--n", "10", "--reps", "1", "--json", "/no/such/folder/x.json"});
  CHECK(e.code == 2);
  CHECK(lines_of(e.err) == 1);
  CHECK(has(e.err, "/no/such/folder/x.json"));
}

TEST_CASE("CPU rows that were measured once are taken over as they are") {
  char path[] = "/tmp/warpladder_lesson_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  const std::vector<const char*> size{"--n", "1000", "--reps", "1"};
  auto words = size;
  words.insert(words.end(), {"--json", path});
  const Ended first = run({kRight}, words);
  words = size;
  words.insert(words.end(), {"--cpu-from", path});
  const Ended second = run({kRight}, words);
  CHECK(second.code == 0);
  const auto cpu_rows = [](const std::string& out) {
    const auto begin = out.find("\ncpu_1_thread");
    return out.substr(begin, out.find("\nright") - begin);
  };
  CHECK(cpu_rows(first.out) == cpu_rows(second.out));
  words[1] = "1001";
  const Ended other = run({kRight}, words);
  std::remove(path);
  CHECK(other.code == 2);
  CHECK(lines_of(other.err) == 1);
  CHECK(has(other.err, path));
}
