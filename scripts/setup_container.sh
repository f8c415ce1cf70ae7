#!/bin/sh
# SPDX-License-Identifier: MIT
# Sets up a bare Debian or Ubuntu for the course. The one list of steps: the dev container, the Containerfile, Gradescope and the
# test in a bare root (tests/support/bare_root.sh) all run this file.
#
#   setup_container.sh [--for run|test|all]   all of it (the arguments are those of `./course setup`)
#   setup_container.sh --system               only what an ordinary user cannot get without root: the rest needs none
set -eu
if [ "$(id -u)" = 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -o Acquire::Retries=3 update
  apt-get -q -o Acquire::Retries=3 install -y --no-install-recommends ca-certificates g++ git python3
fi
if [ "${1-}" != --system ]; then
  exec "$(dirname "$0")/../course" setup "$@"
fi
