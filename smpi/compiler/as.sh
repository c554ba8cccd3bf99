#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The assembler for programs that are compiled with --check-memory. It inserts a short test before each call that
# reports an access, and passes the result to `as`. The test avoids nearly all of these calls, which are slow compared
# to the access itself.
#
# Before: the address is in %rdi; the call may change %rax, %rdx and the flags, so the test may, too.
# After:  the call is skipped if the address lies in the span of memory in which no buffer is pending: the thread-local
#         __rehearse_clear, begin and bytes for loads, then for stores (smpi/buffers/watched.hpp).
# Errors: those of `as`. Input without such calls, or not from a file, is passed on unchanged.

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
