// SPDX-License-Identifier: MIT
// emulator_vectors: looks after the recorded vectors. `emulator_vectors` alone says what it can do.
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "ptx/table.hpp"
#include "vectors/approximate.hpp"
#include "vectors/masks.hpp"
#include "vectors/replay.hpp"

namespace {

using namespace emu::vectors;

constexpr const char* kUsage =
    "emulator_vectors list            rows and number of kernels\n"
    "emulator_vectors ptx DIR         write each kernel to DIR/<number>.ptx\n"
    "emulator_vectors record FILE     run all on the emulator, as if it were the GPU (a dry run)\n"
    "emulator_vectors pack RAW FILE   compress what the recorder wrote on a GPU\n"
    "emulator_vectors compare FILE    run all on the emulator and show what differs\n"
    "emulator_vectors masks           has the compiler made right code of the loops over lanes?\n"
    "emulator_vectors frozen          what the emulator gives for them, for vectors/frozen.def\n"
    "emulator_vectors table FILE      the approximate functions' errors, as Markdown\n";

int list() {
  std::map<std::string, std::pair<std::size_t, std::size_t>> rows;
  std::size_t bytes = 0;
  for (const Variant& v : catalogue()) {
    rows[v.row].first += 1;
    rows[v.row].second += v.output_bytes;
    bytes += v.output_bytes;
  }
  for (const auto& [row, n] : rows)
    std::printf("%-24s %5zu kernels %9zu bytes\n", row.c_str(), n.first, n.second);
  std::printf("%zu rows, %zu kernels, %zu bytes\n", rows.size(), catalogue().size(), bytes);
  return 0;
}

int write_ptx(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::size_t number = 0;
  for (const Variant& v : catalogue()) {
    std::ofstream file(folder + "/" + std::to_string(number++) + ".ptx");
    file << v.ptx << "// " << v.row << "\n";
  }
  return 0;
}

int record(const std::string& path) {
  Recording recording;
  recording.device = "emulator";
  int refused = 0;
  for (const Variant& v : catalogue()) {
    Recorded& r = recording.by_kernel[v.fingerprint()];
    try {
      r.output = run_emulated(v);
    } catch (const std::exception& error) {
      r.problem = error.what();
      std::printf("%s\n  %s\n  refused: %s\n", v.row.c_str(), v.text.c_str(), error.what());
      ++refused;
    }
  }
  save_recording(recording, path);
  std::printf("%zu kernels, %d refused\n", catalogue().size(), refused);
  return refused != 0;
}

int print_frozen() {
  for (const Variant& v : catalogue())
    if (v.rule == Rule::Approximate)
      std::printf("FROZEN(\"%s\", 0x%016llx)\n", v.text.c_str(),
                  static_cast<unsigned long long>(hash_of_output(run_emulated(v))));
  return 0;
}

bool is_known(const Variant& v) {
  for (const auto& [text, why] : known_differences())
    if (text == v.text) return true;
  return false;
}

int compare(const std::string& path) {
  const Recording recording = load_recording(path);
  std::printf("recorded on %s\n", recording.device.c_str());
  std::size_t same = 0, different = 0, missing = 0, approximate = 0, known = 0, beyond = 0,
              bytes = 0;
  std::set<std::string> rows;
  for (const Variant& v : catalogue()) {
    const auto found = recording.by_kernel.find(v.fingerprint());
    std::string problem;
    rows.insert(v.row), bytes += v.output_bytes;
    if (found == recording.by_kernel.end()) {
      ++missing;
      problem = "not recorded";
    } else if (!found->second.problem.empty()) {
      ++missing;
      problem = "the GPU says: " + found->second.problem;
    } else if (v.rule == Rule::Approximate) {
      ++approximate;
      problem = judge(v, run_emulated(v), found->second.output).problem;
      beyond += !problem.empty();
    } else {
      problem = difference(v, run_emulated(v), found->second.output);
      ++(problem.empty() ? same : is_known(v) ? known : different);
    }
    if (!problem.empty())
      std::printf("%s: %s\n  %s\n", v.row.c_str(), v.text.c_str(), problem.c_str());
  }
  std::printf(
      "%zu of %zu rows of the instruction table (the others have no result), %zu kernels, %zu "
      "bytes of results: %zu kernels the same "
      "to "
      "the bit, %zu differ for a known reason, %zu differ; %zu approximate, %zu of them beyond the "
      "allowed error; %zu not recorded\n",
      rows.size(), emu::ptx::kRowCount, catalogue().size(), bytes, same, known, different,
      approximate, beyond, missing);
  return different + beyond + missing != 0;
}

int masks() {
  const MaskReport report = compare_masks(16);
  for (const std::string& line : report.wrong) std::printf("%s\n", line.c_str());
  std::printf("%zu rows, %zu instructions, %zu times compared: %zu wrong\n", report.rows.size(),
              report.instructions, report.compared, report.wrong.size());
  return !report.wrong.empty();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  try {
    if (verb == "list" && argc == 2) return list();
    if (verb == "frozen" && argc == 2) return print_frozen();
    if (verb == "masks" && argc == 2) return masks();
    if (verb == "ptx" && argc == 3) return write_ptx(argv[2]);
    if (verb == "record" && argc == 3) return record(argv[2]);
    if (verb == "compare" && argc == 3) return compare(argv[2]);
    if (verb == "table" && argc == 3) {
      std::fputs(error_table(load_recording(argv[2])).c_str(), stdout);
      return 0;
    }
    if (verb == "pack" && argc == 4) {
      save_recording(load_recording(argv[2]), argv[3]);
      return 0;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emulator_vectors: %s\n", error.what());
    return 1;
  }
  std::fputs(kUsage, stderr);
  return 2;
}
