// SPDX-License-Identifier: MIT
//
// A rank's environment: libc's functions for the rank's own `environ`.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {
namespace {

char**& environment() { return this_rank().variable<char**>(Variable::environment); }

std::size_t entry_count() {
  std::size_t count = 0;
  if (environment() != nullptr)
    while (environment()[count] != nullptr) ++count;
  return count;
}

// The place of the entry for the `length` characters of `name`, or null.
char** find_entry(const char* name, std::size_t length) {
  if (environment() == nullptr) return nullptr;
  for (char** entry = environment(); *entry != nullptr; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
  return nullptr;
}

bool valid_name(const char* name) {
  if (name != nullptr && *name != '\0' && std::strchr(name, '=') == nullptr) return true;
  errno = EINVAL;
  return false;
}

char* rank_getenv(const char* name) {
  const std::size_t length = std::strlen(name);
  char** entry = find_entry(name, length);
  return entry == nullptr ? nullptr : *entry + length + 1;
}

int put_entry(char* entry, std::size_t name_length) {
  if (char** old = find_entry(entry, name_length)) {
    *old = entry;
    return 0;
  }
  const std::size_t count = entry_count();
  auto* grown = static_cast<char**>(std::malloc((count + 2) * sizeof(char*)));
  if (grown == nullptr) return -1;
  if (count > 0) std::memcpy(grown, environment(), count * sizeof(char*));
  grown[count] = entry;
  grown[count + 1] = nullptr;
  environment() = grown;
  return 0;
}

int rank_setenv(const char* name, const char* value, int overwrite) {
  if (!valid_name(name)) return -1;
  const std::size_t length = std::strlen(name), value_bytes = std::strlen(value) + 1;
  if (overwrite == 0 && find_entry(name, length) != nullptr) return 0;
  auto* entry = static_cast<char*>(std::malloc(length + 1 + value_bytes));
  if (entry == nullptr) return -1;
  std::memcpy(entry, name, length);
  entry[length] = '=';
  std::memcpy(entry + length + 1, value, value_bytes);
  return put_entry(entry, length);
}

int rank_unsetenv(const char* name) {
  if (!valid_name(name)) return -1;
  const std::size_t length = std::strlen(name);
  while (char** entry = find_entry(name, length)) do
      entry[0] = entry[1];
    while (*entry++ != nullptr);
  return 0;
}

int rank_putenv(char* entry) {
  const char* sign = std::strchr(entry, '=');
  return sign == nullptr ? rank_unsetenv(entry) : put_entry(entry, static_cast<std::size_t>(sign - entry));
}

int rank_clearenv() {
  environment() = nullptr;
  return 0;
}

}  // namespace

InterposerList environment_interposers() {
  return {{"getenv", function_address(rank_getenv)},          {"secure_getenv", function_address(rank_getenv)},
          {"__secure_getenv", function_address(rank_getenv)}, {"setenv", function_address(rank_setenv)},
          {"unsetenv", function_address(rank_unsetenv)},      {"putenv", function_address(rank_putenv)},
          {"clearenv", function_address(rank_clearenv)}};
}

}  // namespace rehearse::smpi
