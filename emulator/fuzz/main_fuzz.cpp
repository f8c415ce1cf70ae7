// SPDX-License-Identifier: MIT
// Feeds damaged inputs to the readers: `emulator_fuzz ptx|run|fatbin [--inputs N] [--seed N] [FILE...]`.
// With files, runs just these. The same number of inputs is the same inputs, on every machine. Whatever the input, there must be a result or an error with a message:
// no crash, no hang, no exception of another kind, no memory without end. What breaks this is written to
// fuzz_finding.bin, to be fixed and then kept under fuzz/regressions.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cudart/loading/fatbin.hpp"
#include "devices/profile.hpp"
#include "engine/launch.hpp"
#include "engine/report.hpp"
#include "fuzz/dictionary.hpp"
#include "fuzz/mutate.hpp"
#include "memory/address_space.hpp"
#include "ptx/module.hpp"
#include "vectors/catalogue.hpp"

// Sanitizers end in a signal, so that the input is kept, and watch over memory in place of the limit below.
extern "C" {
[[gnu::used]] const char* __asan_default_options() {
  return "abort_on_error=1:hard_rss_limit_mb=4096:max_allocation_size_mb=3072";
}
[[gnu::used]] const char* __ubsan_default_options() {
  return "abort_on_error=1:print_stacktrace=1";
}
}

namespace {

using namespace emu;
namespace fs = std::filesystem;

constexpr unsigned kSecondsPerInput = 10;  // of CPU time: a busy machine changes nothing
constexpr std::size_t kLargestText = 64 << 10, kLargestFatbin = 256 << 10;

std::string current;  // what is being read; the signal handler writes it
std::size_t refused = 0, accepted = 0;

void write_finding() {
  std::FILE* file = std::fopen("fuzz_finding.bin", "wb");
  if (file == nullptr) return;
  std::fwrite(current.data(), 1, current.size(), file);
  std::fclose(file);
}
// Only for the message: after it the process is gone.
void on_signal(int number) {
  std::signal(number, SIG_DFL);
  std::fprintf(stderr, "emulator_fuzz: %s; the input is in fuzz_finding.bin\n",
               number == SIGVTALRM ? "an input takes too long" : "a crash");
  write_finding();
  if (number == SIGVTALRM) _exit(3);
  std::raise(number);
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "emulator_fuzz: %s; the input is in fuzz_finding.bin\n", why.c_str());
  write_finding();
  std::_Exit(3);
}

// ---- targets

// An error must say something.
void note_error(const std::string& message) {
  ++refused;
  if (message.empty()) fail("an error without a message");
}

void read_ptx(const std::string& text) {
  try {
    (void)ptx::parse(text);
    ++accepted;
  } catch (const ptx::PtxError& error) {
    note_error(error.what());
  }
}

void launch_kernel(const exec::Program& program, const exec::Kernel& kernel) {
  if (kernel.static_shared > (1u << 20) || kernel.local_bytes > (1u << 20)) return;
  exec::LaunchRequest request;
  request.kernel = &kernel;
  request.params.resize(kernel.param_bytes);
  auto& space = memory::AddressSpace::instance();
  auto& buffer = space.allocate(4096, memory::Kind::Device, 0);
  for (const auto& p : kernel.function->params)
    if (p.size >= 8 && p.offset + 8 <= request.params.size())
      std::memcpy(request.params.data() + p.offset, &buffer.address, 8);
  request.grid = {1, 1, 1};
  request.block = {64, 1, 1};
  request.profile = devices::find("h200");
  request.resident_blocks = 4;
  request.instruction_limit = 20'000;
  try {
    exec::launch(request);
    ++accepted;
  } catch (const exec::KernelError& error) {
    note_error(error.report);
  }
  space.release(buffer.address);
  (void)program;
}

// Reads, links, decodes and starts what is left of the kernels.
void run_ptx(const std::string& text) {
  try {
    const exec::Program program({ptx::parse(text)}, 0);
    for (const auto& name : program.kernel_names())
      if (const auto* kernel = program.kernel(name)) launch_kernel(program, *kernel);
  } catch (const ptx::PtxError& error) {
    note_error(error.what());
  } catch (const exec::LinkError& error) {
    note_error(error.what());
  }
}

void read_fatbin(const std::string& bytes) {
  // A copy of exactly this size, so that a sanitizer sees a read past its end.
  std::vector<std::byte> copy(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  try {
    const auto entries = cudart::read_fatbin(copy);
    for (const auto& entry : entries)
      if (entry.kind == cudart::FatbinEntry::Kind::Ptx) {
        std::string text = cudart::unpack_ptx(entry);
        if (text.size() <= kLargestText) read_ptx(text);
      }
    for (const std::uint32_t sm : {75u, 90u})
      if (const auto choice = cudart::choose_ptx(entries, sm); !choice.entry && choice.why.empty())
        fail("no PTX was chosen and no reason given");
    ++accepted;
  } catch (const cudart::FatbinError& error) {
    note_error(error.what());
  }
}

// ---- inputs

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "emulator_fuzz: cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}
void add_folder(std::vector<std::string>& corpus, const fs::path& folder,
                const std::string& ending) {
  std::vector<fs::path> paths;  // sorted: the order must not depend on the file system
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) corpus.push_back(content(path));
}
std::vector<std::string> corpus_of(const std::string& target) {
  const fs::path here = fs::path(__FILE__).parent_path(), emulator = here.parent_path();
  std::vector<std::string> corpus;
  if (target == "fatbin") {
    add_folder(corpus, emulator / "cudart" / "loading" / "testdata", ".fatbin");
    add_folder(corpus, here / "corpus", ".fatbin");
    add_folder(corpus, here / "regressions", ".fatbin");
    return corpus;
  }
  add_folder(corpus, emulator / "ptx" / "testdata", ".ptx");
  add_folder(corpus, here / "corpus", ".ptx");
  add_folder(corpus, here / "regressions", ".ptx");
  // Real code half of the time, else kernels that hold every instruction.
  const std::size_t real = corpus.size();
  const auto& kernels = vectors::catalogue();
  for (std::size_t i = 0; i < kernels.size(); i += 7) {
    corpus.push_back(kernels[i].ptx);
    corpus.push_back(corpus[i / 7 % real]);
  }
  return corpus;
}
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes of addresses for itself
  const rlimit limit{rlim_t{3} << 30, rlim_t{3} << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void limit_time(unsigned seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_VIRTUAL, &limit, nullptr);
}

void feed(void (*target)(const std::string&), std::string input) {
  current = std::move(input);
  limit_time(kSecondsPerInput);
  try {
    target(current);
  } catch (const std::exception& error) {
    fail(std::string("an exception that is no clear error: ") + error.what());
  } catch (...) {
    fail("an exception that is no clear error");
  }
}

struct Options {
  std::string target;
  std::size_t inputs = 10'000;
  std::uint64_t seed = 1;
  std::vector<std::string> files;
};
Options options_of(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--inputs" && i + 1 < argc)
      o.inputs = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--seed" && i + 1 < argc)
      o.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (o.target.empty())
      o.target = word;
    else
      o.files.push_back(word);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  void (*target)(const std::string&) = options.target == "ptx"      ? &read_ptx
                                       : options.target == "run"    ? &run_ptx
                                       : options.target == "fatbin" ? &read_fatbin
                                                                    : nullptr;
  if (target == nullptr) {
    std::fputs("usage: emulator_fuzz ptx|run|fatbin [--inputs N] [--seed N] [FILE...]\n", stderr);
    return 2;
  }
  const auto corpus = corpus_of(options.target);
  const auto words = options.target == "fatbin" ? std::vector<std::string>{} : fuzz::dictionary();
  limit_memory();
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM})
    std::signal(number, on_signal);
  if (!options.files.empty()) {
    for (const auto& path : options.files) feed(target, content(path));
    return 0;
  }
  for (const auto& input : corpus) feed(target, input);  // undamaged, and all regressions
  fuzz::Mutator mutator(options.seed, corpus, words,
                        options.target == "fatbin" ? kLargestFatbin : kLargestText);
  for (std::size_t i = 0; i < options.inputs; ++i) feed(target, mutator.next());
  limit_time(0);
  std::printf("%s: %zu inputs, %zu read, %zu refused with a message\n", options.target.c_str(),
              corpus.size() + options.inputs, accepted, refused);
  return 0;
}
