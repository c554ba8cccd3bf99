#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The demonstration that ./dev demo runs: demo.sh BUILD. Shows each command and what it prints; works in BUILD/demo.
# Errors: exit status 1 if a command does not end as it should.
set -euo pipefail

examples=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
build=$(cd -- "$1" && pwd -P)
export PATH="$build/bin:$PATH"
rm -rf "$build/demo"
mkdir -p "$build/demo"
cd "$build/demo"
cp "$examples"/*.c .

say() { printf '\n# %s\n' "$*"; }

# expect STATUS COMMAND...: shows and runs the command, which must end with that status.
expect() {
  local wanted=$1 status=0
  shift
  printf '$ %s\n' "$*"
  "$@" 2>&1 || status=$?
  if [[ $status != "$wanted" ]]; then
    printf 'demo: exit status %s, expected %s\n' "$status" "$wanted" >&2
    exit 1
  fi
}

say 'Two neighbours that both send first: correct with buffers, a deadlock without'
expect 0 rehearse cc 1_head_to_head.c -o head_to_head
expect 0 rehearse run -n 2 --label --compute none ./head_to_head
expect 1 rehearse check -n 2 --counterexample head_to_head.json ./head_to_head
expect 0 rehearse explain head_to_head.json

say 'A receive from any source takes the message of a later receive: a deadlock in one order only'
expect 0 rehearse cc 2_stolen_message.c -o stolen_message
expect 1 rehearse check -n 3 --counterexample stolen_message.json ./stolen_message
expect 0 rehearse explain stolen_message.json

say 'The same execution in simulated time, on a cluster of four nodes: the date and place where each rank stops'
expect 1 rehearse replay stolen_message.json --on cluster:4 --compute none

say 'Two messages that overtake each other, although one was sent because of the other'
expect 0 rehearse cc 3_overtaking.c -o overtaking
expect 1 rehearse check -n 3 --counterexample overtaking.json ./overtaking
expect 0 rehearse explain overtaking.json

say 'A master and its workers: correct in every order'
expect 0 rehearse cc 4_master_worker.c -o master_worker
expect 0 rehearse check -n 4 ./master_worker

say 'The duration of a correct program on two platforms'
expect 0 rehearse cc -O2 5_stencil.c -o stencil -lm
expect 0 rehearse run -n 8 --on laptop ./stencil
expect 0 rehearse run -n 8 --on cluster:8 ./stencil
