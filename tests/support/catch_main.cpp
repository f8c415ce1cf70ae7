// SPDX-License-Identifier: MIT
// The main() of every Catch2 executable, compiled once. A filter that matches no test is a failure,
// not a pass.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char* argv[]) {
  Catch::Session session;
#if CATCH_VERSION_MAJOR == 2  // version 3 does this of itself
  session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
  return session.run(argc, argv);
}
