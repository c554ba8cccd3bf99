// SPDX-License-Identifier: MIT
//
// Info objects and the calls that create, read and change them.
//
// Values: MPI_INFO_ENV contains values that are the same for all ranks and in every run. MPI_Info_create_env adds the
//         command line, which is its argument.
#include "smpi/info/info.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <climits>
#include <cstring>
#include <string_view>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::size_t allocation_alignment = 64;

int wrong_info() { return error(MPI_ERR_INFO, "the info object is MPI_INFO_NULL, was freed or never existed"); }

// The object for a call that changes or reads it; null after having raised an error.
Hints* checked_info(MPI_Info handle, int& error) {
  Hints* hints = infos().find(handle);
  if (hints == nullptr) error = wrong_info();
  return hints;
}

int check_key(const char* key) {
  if (key != nullptr && key[0] != '\0' && std::strlen(key) <= MPI_MAX_INFO_KEY) return MPI_SUCCESS;
  return error(MPI_ERR_INFO_KEY, "the key is empty or longer than MPI_MAX_INFO_KEY");
}

Hints::iterator find_key(Hints& hints, std::string_view key) {
  return std::find_if(hints.begin(), hints.end(), [&](const auto& h) { return h.first == key; });
}

// The value of the key for a call that reads one; null if there is none. Errors are raised here.
const std::string* find_value(MPI_Info info, const char* key, int& error) {
  error = check_key(key);
  const Hints* hints = find_hints(info);
  if (error == MPI_SUCCESS && (hints == nullptr || info == MPI_INFO_NULL)) error = wrong_info();
  if (error != MPI_SUCCESS) return nullptr;
  for (const auto& [name, value] : *hints)
    if (name == key) return &value;
  return nullptr;
}

void copy_text(const std::string& text, std::size_t length_max, char* out) {
  const std::size_t length = std::min(text.size(), length_max);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

// The known properties of the start of the program.
Hints start_properties() {
  Hints hints = {{"maxprocs", std::to_string(communicators().world()->size())}, {"arch", "x86_64"}};
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) != nullptr) hints.emplace_back("wdir", folder);
  return hints;
}

}  // namespace

std::size_t alignment_in(const Hints& hints) {
  for (const auto& [key, value] : hints) {
    if (key != "mpi_minimum_memory_alignment") continue;
    std::size_t wanted = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, wanted);
    if (error != std::errc{} || stop != end || !std::has_single_bit(wanted)) return 0;
    return std::max(wanted, allocation_alignment);
  }
  return allocation_alignment;
}

const std::string* find_hint(const Hints& hints, std::string_view key) {
  const auto found = std::ranges::find(hints, key, &Hints::value_type::first);
  return found == hints.end() ? nullptr : &found->second;
}

InfoTable& infos() { return per_rank<Infos>().table; }

const Hints* find_hints(MPI_Info handle) {
  struct NoHints {
    Hints hints;
  };
  struct Surroundings {
    Hints hints = start_properties();
  };
  if (handle == MPI_INFO_NULL) return &per_rank<NoHints>().hints;
  if (handle == MPI_INFO_ENV) return &per_rank<Surroundings>().hints;
  return infos().find(handle);
}

MPI_Info add_info(Hints hints) { return infos().insert(std::move(hints), creation_site()); }

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Info_create(MPI_Info* info) {
  *info = add_info({});
  return MPI_SUCCESS;
}

int Info_create_env(int argc, char* argv[], MPI_Info* info) {
  Hints hints = start_properties();
  std::string arguments;
  for (int i = 1; argv != nullptr && i < argc; ++i) arguments += (i > 1 ? " " : "") + std::string(argv[i]);
  if (argv != nullptr && argc > 0) hints.emplace_back("command", argv[0]);
  if (argv != nullptr && argc > 1) hints.emplace_back("argv", arguments.substr(0, MPI_MAX_INFO_VAL - 1));
  *info = add_info(std::move(hints));
  return MPI_SUCCESS;
}

int Info_dup(MPI_Info info, MPI_Info* newinfo) {
  const Hints* hints = find_hints(info);
  if (hints == nullptr || info == MPI_INFO_NULL) return wrong_info();
  *newinfo = add_info(*hints);
  return MPI_SUCCESS;
}

int Info_free(MPI_Info* info) {
  int error = MPI_SUCCESS;
  if (checked_info(*info, error) == nullptr) return error;
  infos().erase(*info);
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

int Info_set(MPI_Info info, const char* key, const char* value) {
  int error = check_key(key);
  if (error != MPI_SUCCESS) return error;
  Hints* hints = checked_info(info, error);
  if (hints == nullptr) return error;
  if (value == nullptr || std::strlen(value) > MPI_MAX_INFO_VAL)
    return smpi::error(MPI_ERR_INFO_VALUE, "the value is null or longer than MPI_MAX_INFO_VAL");
  const auto found = find_key(*hints, key);
  if (found != hints->end()) {
    found->second = value;
  } else {
    hints->emplace_back(key, value);
  }
  return MPI_SUCCESS;
}

int Info_delete(MPI_Info info, const char* key) {
  int error = check_key(key);
  if (error != MPI_SUCCESS) return error;
  Hints* hints = checked_info(info, error);
  if (hints == nullptr) return error;
  const auto found = find_key(*hints, key);
  if (found == hints->end()) return smpi::error(MPI_ERR_INFO_NOKEY, "the info object has no key " + std::string(key));
  hints->erase(found);
  return MPI_SUCCESS;
}

// valuelen does not count the terminating null.
int Info_get(MPI_Info info, const char* key, int valuelen, char* value, int* flag) {
  int error = MPI_SUCCESS;
  const std::string* found = find_value(info, key, error);
  if (error != MPI_SUCCESS) return error;
  *flag = found != nullptr ? 1 : 0;
  if (found != nullptr) copy_text(*found, static_cast<std::size_t>(std::max(valuelen, 0)), value);
  return MPI_SUCCESS;
}

int Info_get_valuelen(MPI_Info info, const char* key, int* valuelen, int* flag) {
  int error = MPI_SUCCESS;
  const std::string* found = find_value(info, key, error);
  if (error != MPI_SUCCESS) return error;
  *flag = found != nullptr ? 1 : 0;
  if (found != nullptr) *valuelen = static_cast<int>(found->size());
  return MPI_SUCCESS;
}

// buflen counts the terminating null: on entry the size of the buffer, on return the size that the whole value needs.
int Info_get_string(MPI_Info info, const char* key, int* buflen, char* value, int* flag) {
  int error = MPI_SUCCESS;
  const std::string* found = find_value(info, key, error);
  if (error != MPI_SUCCESS) return error;
  *flag = found != nullptr ? 1 : 0;
  if (found == nullptr) return MPI_SUCCESS;
  if (*buflen > 0) copy_text(*found, static_cast<std::size_t>(*buflen - 1), value);
  *buflen = static_cast<int>(found->size()) + 1;
  return MPI_SUCCESS;
}

int Info_get_nkeys(MPI_Info info, int* nkeys) {
  const Hints* hints = find_hints(info);
  if (hints == nullptr || info == MPI_INFO_NULL) return wrong_info();
  *nkeys = static_cast<int>(hints->size());
  return MPI_SUCCESS;
}

int Info_get_nthkey(MPI_Info info, int n, char* key) {
  const Hints* hints = find_hints(info);
  if (hints == nullptr || info == MPI_INFO_NULL) return wrong_info();
  if (n < 0 || n >= static_cast<int>(hints->size()))
    return error(MPI_ERR_ARG, fmt::format("the info object has {} keys, but key {} was requested", hints->size(), n));
  copy_text((*hints)[static_cast<std::size_t>(n)].first, MPI_MAX_INFO_KEY, key);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
