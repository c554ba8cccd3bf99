#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The assembler of programs that are compiled with --check-memory: what the compiler wrote goes on to `as`, with the
# question that nearly all accesses end with put before each call that reports one. A call costs more than the
# question, and an access is as short as either.
#
# Before: the address is in %rdi; the call may change %rax, %rdx and the flags, so what comes before it may, too.
# After:  the call is left out where the address lies in the stretch of memory in which nothing is pending: the
#         thread-local __rehearse_clear, begin and bytes for loads, then for stores (smpi/buffers/watched.hpp).
# Errors: those of `as`. What has no such call in it, or is not read from a file, is handed on as it is.

for input; do :; done
case $input in
  *.s) grep -qs '__tsan_' "$input" || exec as "$@" ;;
  *) exec as "$@" ;;
esac

text=$(sed -E '
/^[[:space:]]*call[[:space:]]+\*__tsan_(unaligned_|volatile_|vptr_)?read[0-9]*@GOTPCREL\(%rip\)/ s/.*/\
  movq __rehearse_clear@gottpoff(%rip), %rax\
  movq %rdi, %rdx\
  subq %fs:0(%rax), %rdx\
  cmpq %fs:8(%rax), %rdx\
  jb 7770f\
&\
7770:/
/^[[:space:]]*call[[:space:]]+\*__tsan_(unaligned_|volatile_|vptr_)?write[0-9]*@GOTPCREL\(%rip\)/ s/.*/\
  movq __rehearse_clear@gottpoff(%rip), %rax\
  movq %rdi, %rdx\
  subq %fs:16(%rax), %rdx\
  cmpq %fs:24(%rax), %rdx\
  jb 7770f\
&\
7770:/
' "$input") || exit 1

left=$#
for argument; do
  shift
  left=$((left - 1))
  [ "$left" -eq 0 ] || set -- "$@" "$argument"
done
printf '%s\n' "$text" | as "$@"
