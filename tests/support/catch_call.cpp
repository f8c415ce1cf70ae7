// SPDX-License-Identifier: MIT
// The main() of every Catch2 executable where the system has version 2 compiled (tests/CMakeLists.txt): it
// calls that one. A filter that matches no test is a failure, not a pass.
#include <string>
#include <vector>

extern "C" int catch_session(int argc, char* argv[]);

int main(int argc, char* argv[]) {
  std::string warn = "--warn", what = "NoTests";
  std::vector<char*> words(argv, argv + argc);
  words.insert(words.end(), {warn.data(), what.data(), nullptr});
  return catch_session(argc + 2, words.data());
}
