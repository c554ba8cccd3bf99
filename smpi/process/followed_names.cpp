// SPDX-License-Identifier: MIT
//
// See followed_names.hpp.
//
// Not here: functions with a state of their own, like rand(), strtok() and those that read files, functions that read
// or write memory unseen, like sprintf(), and other means of creating and ordering threads than OpenMP.
#include "smpi/process/followed_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace rehearse::smpi {
namespace {

constexpr std::array prefixes{std::string_view("GOMP_"), std::string_view("MPI_"), std::string_view("__rehearse_"),
                              std::string_view("__tsan_")};

constexpr std::array<std::string_view, 54> names{"__assert_fail",
                                                 "__libc_start_main",
                                                 "__memcpy_chk",
                                                 "__memmove_chk",
                                                 "__memset_chk",
                                                 "__printf_chk",
                                                 "__stack_chk_fail",
                                                 "abort",
                                                 "acos",
                                                 "asin",
                                                 "atan",
                                                 "atan2",
                                                 "ceil",
                                                 "cos",
                                                 "exit",
                                                 "exp",
                                                 "fabs",
                                                 "fflush",
                                                 "floor",
                                                 "fmax",
                                                 "fmin",
                                                 "fprintf",
                                                 "fputc",
                                                 "fputs",
                                                 "free",
                                                 "fwrite",
                                                 "log",
                                                 "log10",
                                                 "malloc",
                                                 "memcmp",
                                                 "memcpy",
                                                 "memmove",
                                                 "memset",
                                                 "omp_get_level",
                                                 "omp_get_max_threads",
                                                 "omp_get_num_procs",
                                                 "omp_get_num_threads",
                                                 "omp_get_thread_num",
                                                 "omp_in_parallel",
                                                 "omp_set_num_threads",
                                                 "pow",
                                                 "printf",
                                                 "putchar",
                                                 "puts",
                                                 "round",
                                                 "sin",
                                                 "sleep",
                                                 "sqrt",
                                                 "stderr",
                                                 "stdout",
                                                 "strlen",
                                                 "tan",
                                                 "tanh",
                                                 "usleep"};

bool is_followed(std::string_view name) {
  return std::ranges::find(names, name) != names.end() ||
         std::ranges::any_of(prefixes, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool uses_followed_names(const Images& images) {
  return std::ranges::all_of(images.images.front().file->undefined_names(), is_followed);
}

}  // namespace rehearse::smpi
