// SPDX-License-Identifier: MIT
// The end of every program: one line and the exit code.
#include "common/program/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "common/fits.hpp"
#include "common/program/options.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using course::Device;
using course::Worked;

namespace {

struct Ended {
  int code = -1;
  std::string err;
};
template <class Work>
Ended run(const Work& work, const std::string& json = "") {
  Ended e;
  e.err = support::captured(stderr, [&] { e.code = course::run_program("09_test", json, work); });
  return e;
}
Worked all_right(const Device&) { return {true, "{}"}; }

template <class Error>
void check_end(const Error& error, int code, const std::string& part) {
  const Ended e = run([&](const Device&) -> Worked { throw error; });
  INFO(e.err);
  CHECK(e.code == code);
  CHECK(std::count(e.err.begin(), e.err.end(), '\n') == 1);
  CHECK(e.err.rfind("09_test: ", 0) == 0);
  CHECK(e.err.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("right results end with 0 and wrong ones with 1, and nothing is said") {
  CHECK(run(all_right).code == 0);
  const Ended wrong = run([](const Device&) -> Worked { return {false, ""}; });
  CHECK(wrong.code == 1);
  CHECK(wrong.err.empty());
}

TEST_CASE("the work gets the device") {
  std::string name;
  run([&](const Device& device) -> Worked {
    name = device.name;
    return {true, ""};
  });
  CHECK(name == course::find_device()->name);
}

TEST_CASE("whatever is thrown ends with one line and its code") {
  check_end(course::UsageError{"--n is too small"}, 2, "--n is too small");
  check_end(course::TooLarge("it needs 5 GB"), 2, "it needs 5 GB");
  check_end(course::CudaError(cudaErrorInvalidValue, "f()", "a.cu", 7), 1, "cudaErrorInvalidValue");
  check_end(std::bad_alloc(), 2, "not enough memory");
}

TEST_CASE("a file that cannot be written is told before the work, a full one after it") {
  bool worked = false;
  const auto work = [&](const Device&) -> Worked {
    worked = true;
    return {true, "{}"};
  };
  const Ended refused = run(work, "/no/such/folder/x.json");
  CHECK(refused.code == 2);
  CHECK(refused.err.find("/no/such/folder/x.json") != std::string::npos);
  CHECK_FALSE(worked);
  if (access("/dev/full", W_OK) != 0) return;
  CHECK(run(work, "/dev/full").code == 2);
  CHECK(worked);
}

TEST_CASE("the document is written, also when a result was wrong") {
  char path[] = "/tmp/warpladder_program_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  CHECK(run([](const Device&) -> Worked { return {false, "{\"a\": 1}"}; }, path).code == 1);
  std::ifstream in(path);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "{\"a\": 1}");
  std::remove(path);
}
