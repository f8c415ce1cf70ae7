#!/bin/sh
# SPDX-License-Identifier: MIT
# Sets up a bare Debian or Ubuntu for the course. The one list of steps: the dev container, the Containerfile, Gradescope and the
# test in a bare root (tests/support/bare_root.sh) all run this file. Arguments go to `./course setup`, for example --for run.
#
# As root it installs what an ordinary user cannot get without root; the rest is `./course setup`, which needs none.
set -eu
if [ "$(id -u)" = 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -o Acquire::Retries=3 update
  apt-get -q -o Acquire::Retries=3 install -y --no-install-recommends ca-certificates g++ git python3
fi
exec "$(dirname "$0")/../course" setup "$@"
