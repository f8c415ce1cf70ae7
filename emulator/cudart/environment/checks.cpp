// SPDX-License-Identifier: MIT
#include "cudart/environment/checks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "check/faults.hpp"
#include "check/findings_file.hpp"
#include "cudart/environment/say.hpp"
#include "cudart/environment/settings.hpp"

namespace emu::cudart {
namespace {

// Lives until the process ends: a program may launch from a destructor.
struct Checks {
  check::Wanted wanted;
  check::Findings findings{[](const std::string& text) { say_report(text); }};
  std::unique_ptr<check::Checker> checker;
  int status = 0;  // with which the program ends
  std::vector<LastLook> looks;
  std::string path;  // of the file for what they found; "": none
};
Checks* checks = nullptr;

void note_status(int status, void*) { checks->status = status; }

void write_file() {
  if (checks->path.empty()) return;
  const bool sarif = checks->path.ends_with(".sarif");
  const auto& all = checks->findings.all();
  const std::string text = sarif ? check::to_sarif(all) : check::to_json(all);
  std::FILE* const file = std::fopen(checks->path.c_str(), "w");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (!file || std::fclose(file) != 0 || !written) {
    say("the file of WARPLADDER_CHECK_TO cannot be written: " + std::string(std::strerror(errno)));
  }
}

// Runs after all the program's own destructors: what they launch is checked too.
[[gnu::destructor]] void tell_end() {
  if (!checks) return;
  for (const LastLook look : checks->looks) look(checks->findings, checks->status);
  if (const std::string summary = checks->findings.summary(); !summary.empty()) say(summary);
  write_file();
  if (checks->status != 0 || checks->findings.errors() == 0) return;
  std::fflush(nullptr);
  _exit(kFoundExit);
}

}  // namespace

cudaError_t start_checks(int device_count) {
  const std::string text = setting("WARPLADDER_CHECK");
  if (text.empty() || text == "0") return cudaSuccess;
  std::string wrong;
  const auto wanted = check::parse_wanted(text, wrong);
  if (!wanted) {
    say("WARPLADDER_CHECK=" + text + ": there is no check \"" + wrong +
        "\"; there are race, init, sync, api and leak, and 1 for all of them");
    return cudaErrorInitializationError;
  }
  const std::string path = setting("WARPLADDER_CHECK_TO");
  if (!path.empty()) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (!file) {
      say("WARPLADDER_CHECK_TO=" + path +
          " is no file that can be written: " + std::strerror(errno));
      return cudaErrorInitializationError;
    }
    std::fclose(file);
  }
  checks = new Checks;
  checks->path = path;
  checks->wanted = *wanted;
  checks->wanted.several_devices = device_count > 1;
  checks->checker = std::make_unique<check::Checker>(checks->wanted, checks->findings);
  on_exit(note_status, nullptr);
  return cudaSuccess;
}

const check::Wanted& wanted_checks() {
  static const check::Wanted none;
  return checks ? checks->wanted : none;
}

void look_at_end(LastLook look) {
  if (!checks || std::find(checks->looks.begin(), checks->looks.end(), look) != checks->looks.end())
    return;
  checks->looks.push_back(look);
}

void add_finding(check::Finding finding) {
  if (checks) checks->findings.add(std::move(finding));
}

void note_error(const exec::KernelError& error) {
  if (!checks || error.title.empty()) return;
  check::Finding finding = check::finding_of(error);
  const bool sync = finding.check == check::Check::Sync;
  if (sync ? checks->wanted.sync : checks->wanted.api)
    checks->findings.add(std::move(finding), check::Findings::Tell::Already);
}

check::Orders* race_orders() { return checks ? checks->checker->orders() : nullptr; }

check::Checker* launch_checker() {
  if (!checks || !(checks->wanted.race || checks->wanted.init || checks->wanted.sync))
    return nullptr;
  return checks->checker.get();
}

}  // namespace emu::cudart
