#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries the README's commands where nothing is installed: in a bare Debian root, without CUDA or anything else of this machine.
#
#   bare_root.sh FOLDER [--as root|user|container] [--arch amd64|arm64] [--again] [--test] [COMMAND...]
#
# FOLDER keeps the roots. --as root (default): a bare root, nothing set up. user: what needs root was installed before
# (scripts/setup_container.sh --system), then an ordinary user without sudo. container: scripts/setup_container.sh as root.
# --arch: a root of that architecture; one that is not this machine's runs under qemu-user (Debian's qemu-user-static), ten
# times as slow or more: it shows what passes there, not how long it takes.
# --again: go on in the root of the last time. COMMANDs run in a fresh clone of this repository's last commit, the default is
# those of the README; --test: `./course test` alone, where no `./course run` has made anything before it. Ends with the times;
# the exit code is 1 if a command failed. Must be run as root; needs debootstrap. Packages come from where this machine's apt
# and pip have theirs.
set -euo pipefail

fail() { echo "bare_root.sh: $1" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
suite=${SUITE:-bookworm}
own_arch=$(dpkg --print-architecture)
as=root again=no folder= arch=$own_arch
commands=()
while [ $# -gt 0 ]; do
  case $1 in
    --as) as=${2-}; shift ;;
    --arch) arch=${2-}; shift ;;
    --again) again=yes ;;
    --test) commands+=("./course test") ;;
    -*) fail "unknown option $1; see the head of this file" ;;
    *) if [ -z "$folder" ]; then folder=$1; else commands+=("$1"); fi ;;
  esac
  shift
done
[ -n "$folder" ] || fail "no FOLDER given; see the head of this file"
[[ $as =~ ^(root|user|container)$ ]] || fail "--as '$as'; allowed: root, user, container"
[[ $arch =~ ^(amd64|arm64)$ ]] || fail "--arch '$arch'; allowed: amd64, arm64"
[ "$(id -u)" = 0 ] || fail "only root can do this"
command -v debootstrap >/dev/null || fail "debootstrap is missing"
[ ${#commands[@]} -gt 0 ] || commands=("./course run" "./course test")

# The mounts are this process's own and end with it.
if [ "${BARE_ROOT_INSIDE-}" != yes ]; then
  again_option=(); if [ "$again" = yes ]; then again_option=(--again); fi
  BARE_ROOT_INSIDE=yes exec unshare --mount --propagation private \
    "$BASH" "${BASH_SOURCE[0]}" "$folder" --as "$as" --arch "$arch" "${again_option[@]}" "${commands[@]}"
fi

# The kernel starts the other architecture's programs with Debian's qemu from now on; it is told once and keeps it.
if [ "$arch" != "$own_arch" ]; then
  machine=x86_64 number=3e; if [ "$arch" = arm64 ]; then machine=aarch64 number=b7; fi
  qemu=$(command -v qemu-$machine-static) || fail "qemu-$machine-static is missing: apt-get install qemu-user-static"
  formats=/proc/sys/fs/binfmt_misc
  if [ ! -e $formats/register ]; then mount -t binfmt_misc binfmt_misc $formats; fi
  if [ ! -e $formats/qemu-$machine ]; then
    zeros='\x00\x00\x00\x00\x00\x00\x00\x00' ones='\xff\xff\xff\xff\xff\xff\xff\xff'
    printf '%s' ":qemu-$machine:M::\\x7fELF\\x02\\x01\\x01\\x00$zeros\\x02\\x00\\x$number\\x00:" \
      "\\xff\\xff\\xff\\xff\\xff\\xfe\\xfe\\x00$ones\\xfe\\xff\\xff\\xff:$qemu:POCF" >$formats/register
  fi
fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
base=$folder/base-$suite-$arch root=$folder/$as-$arch
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)}
[ -n "$mirror" ] || fail "apt knows no mirror; set MIRROR"
if [ ! -d "$base" ]; then
  rm -rf "$base.new"
  debootstrap --arch="$arch" --variant=minbase "$suite" "$base.new" "$mirror" >"$folder/debootstrap.log" || fail "see $folder/debootstrap.log"
  mv "$base.new" "$base"
fi

# This machine's way to the network, and nothing else of it.
connect() {
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  local file
  for file in /etc/pip.conf /etc/apt/apt.conf.d/*proxy*; do
    if [ -e "$file" ]; then cp "$file" "$root$file"; fi
  done
  mkdir -p "$root/usr/local/share/ca-certificates"
  for file in /usr/local/share/ca-certificates/*.crt; do
    if [ -e "$file" ]; then cp "$file" "$root/usr/local/share/ca-certificates/"; fi
  done
}

home=/home/student/warp-ladder
if [ "$again" = no ] || [ ! -d "$root$home" ]; then
  rm -rf "$root"
  cp -a --reflink=auto "$base" "$root"
  connect
  chroot "$root" useradd --create-home --shell /bin/sh student
  git clone -q --no-hardlinks "$here" "$root$home"
fi
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
owner=root; if [ "$as" = user ]; then owner=student; fi
chroot "$root" chown -R $owner:$owner $home

times=()
failed=0
enter() {  # user command
  local kept=() name
  for name in http_proxy https_proxy no_proxy PIP_INDEX_URL; do
    if [ -n "${!name-}" ]; then kept+=("$name=${!name}"); fi
  done
  local user_home=/root; if [ "$1" = student ]; then user_home=/home/student; fi
  local start=$SECONDS code=0
  echo "== $1\$ $2"
  chroot --userspec="$1:$1" "$root" env -i "${kept[@]}" HOME="$user_home" USER="$1" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd $home && $2" </dev/null || code=$?
  local seconds=$((SECONDS - start))
  times+=("$(printf '%3d:%02d  exit code %d  %s$ %s' $((seconds / 60)) $((seconds % 60)) "$code" "$1" "$2")")
  if [ "$code" -ne 0 ]; then failed=1; fi
}

user=root
case $as in
  user) enter root "scripts/setup_container.sh --system"; user=student ;;
  container) enter root scripts/setup_container.sh ;;
esac
if chroot "$root" sh -c 'command -v nvcc || ls -d /usr/local/cuda*' >/dev/null 2>&1; then fail "there is CUDA in $root"; fi
for command in "${commands[@]}"; do enter "$user" "$command"; done
printf '%s\n' "== times ($arch, $(nproc) cores, $as)" "${times[@]}"
exit $failed
