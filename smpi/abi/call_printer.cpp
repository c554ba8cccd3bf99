// SPDX-License-Identifier: MIT
//
// Prints MPI calls for reports: values with their names in MPI, pointers with the name of the parameter.
#include <algorithm>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/handle_names.hpp"

namespace rehearse::smpi {
namespace {

bool is_handle(Kind kind) { return kind <= Kind::win; }

// Ranks, tags and colors share one set of special values, all different. A value is printed by name only if it is valid
// for the parameter: -1 as a tag is not MPI_ANY_SOURCE.
bool takes_special_value(Kind kind, std::string_view name) {
  switch (kind) {
    case Kind::rank:
    case Kind::rank_dest:
    case Kind::rank_source:
    case Kind::root: return name == "MPI_ANY_SOURCE" || name == "MPI_PROC_NULL" || name == "MPI_ROOT";
    case Kind::tag_send:
    case Kind::tag_recv: return name == "MPI_ANY_TAG";
    case Kind::color: return name == "MPI_UNDEFINED";
    default: return false;
  }
}

// Whether constants of this kind are printed by name. Error codes are not, because any number may be one.
bool is_named_integer(Kind kind) {
  switch (kind) {
    case Kind::thread_level:
    case Kind::split_type:
    case Kind::lock_type:
    case Kind::whence:
    case Kind::order:
    case Kind::typeclass:
    case Kind::keyval: return true;
    default: return false;
  }
}

// A sum of flags: MPI_MODE_CREATE | MPI_MODE_WRONLY.
std::string print_bits(Kind kind, std::int64_t value) {
  std::string text;
  for (const ConstantInfo& constant : constants()) {
    if (constant.kind != kind || (value & constant.value) == 0) continue;
    value &= ~constant.value;
    text += (text.empty() ? "" : " | ") + std::string(constant.name);
  }
  if (value != 0 || text.empty()) text += fmt::format("{}{}", text.empty() ? "" : " | ", value);
  return text;
}

std::string print_value(const ParameterInfo& parameter, std::uint64_t word) {
  const auto value = static_cast<std::int64_t>(word);
  const ConstantInfo* constant = nullptr;
  if (is_handle(parameter.kind)) {
    constant = find_constant(parameter.kind, value);
    if (constant != nullptr) return std::string(constant->name);
    const std::string name = name_of_handle(parameter.kind, word);
    return name.empty() ? std::string(parameter.name) : name;
  }
  if (parameter.kind == Kind::tool_handle) return std::string(parameter.name);
  if (parameter.kind == Kind::file_mode || parameter.kind == Kind::win_assert) return print_bits(parameter.kind, value);
  const ConstantInfo* special = find_constant(Kind::special, value);
  if (special != nullptr && takes_special_value(parameter.kind, special->name)) constant = special;
  if (is_named_integer(parameter.kind)) constant = find_constant(parameter.kind, value);
  return constant != nullptr ? std::string(constant->name) : std::to_string(value);
}

// The name of a pointer constant: MPI_IN_PLACE, MPI_STATUS_IGNORE...; empty if the pointer is an address.
std::string_view print_constant_pointer(const ParameterInfo& parameter, std::uint64_t word, bool is_bottom) {
  if (word > 11) return {};  // the largest such constant
  const auto named = [&](Kind kind) -> std::string_view {
    for (const ConstantInfo& constant : constants()) {
      const bool same = constant.kind == kind && static_cast<std::uint64_t>(constant.value) == word;
      if (same && (kind != Kind::function || constant.type == parameter.type)) return constant.name;
    }
    return {};
  };
  switch (parameter.kind) {
    case Kind::buffer: return word == 0 && !is_bottom ? "NULL" : named(Kind::buffer);
    case Kind::attach_buffer: return word == 0 ? "NULL" : named(Kind::buffer);
    case Kind::status:
      return word != 0 ? "" : parameter.shape == Shape::array ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE";
    case Kind::weight: return word == 0 ? "NULL" : named(Kind::weight);
    case Kind::error_code: return word != 0 ? "" : parameter.shape == Shape::array ? "MPI_ERRCODES_IGNORE" : "NULL";
    case Kind::arguments:
      if (word != 0 || parameter.direction == Direction::inout) return word == 0 ? "NULL" : "";
      return parameter.type == "char**[]" ? "MPI_ARGVS_NULL" : "MPI_ARGV_NULL";
    case Kind::function:
      if (const std::string_view name = named(Kind::function); !name.empty()) return name;
      return word == 0 ? "NULL" : "";
    default: return word == 0 ? "NULL" : "";
  }
}

// Whether a null pointer for this buffer means MPI_BOTTOM: the datatype has absolute addresses.
bool starts_at_bottom(const FunctionInfo& function, std::span<const std::uint64_t> words, std::size_t buffer) {
  const std::string_view length = function.parameters[buffer].length;  // "count:datatype"
  const std::string_view type = length.substr(std::min(length.find(':') + 1, length.size()));
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ParameterInfo& parameter = function.parameters[i];
    if (parameter.name != type || parameter.kind != Kind::datatype) continue;
    return parameter.shape != Shape::value || has_absolute_addresses(words[i]);
  }
  return false;
}

}  // namespace

std::string print_call(const FunctionInfo& function, std::span<const std::uint64_t> words) {
  std::string text(function.name);
  text += '(';
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const ParameterInfo& parameter = function.parameters[i];
    if (i > 0) text += ", ";
    if (parameter.kind == Kind::variable) {
      text += "...";
    } else if (parameter.shape == Shape::value) {
      text += print_value(parameter, words[i]);
    } else {
      const std::string_view constant =
          print_constant_pointer(parameter, words[i], words[i] == 0 && starts_at_bottom(function, words, i));
      const bool address = constant.empty() && parameter.shape == Shape::pointer;
      text += (address ? "&" : "") + std::string(constant.empty() ? parameter.name : constant);
    }
  }
  return text + ')';
}

std::string print_current_call() {
  const CallScope* scope = CallScope::innermost();
  if (scope == nullptr) return {};
  const FunctionInfo& function = functions()[scope->function()];
  std::vector<std::uint64_t> words;
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    words.push_back(function.parameters[i].kind == Kind::variable ? 0 : scope->argument(i));
  }
  return print_call(function, words);
}

const void* current_call_site() { return call_site_of(actor_slot()); }

const void* call_site_of(const void* slot) {
  const CallChain* chain = find_per_rank<CallChain>(slot);
  return chain == nullptr || chain->innermost == nullptr ? nullptr : chain->innermost->caller();
}

std::uint64_t call_function_of(const void* slot) {
  const CallChain* chain = find_per_rank<CallChain>(slot);
  return chain == nullptr || chain->innermost == nullptr ? 0 : chain->innermost->function() + std::uint64_t{1};
}

std::uint64_t call_number_of(const void* slot) {
  const CallChain* chain = find_per_rank<CallChain>(slot);
  return chain == nullptr || chain->innermost == nullptr ? 0 : chain->innermost->number();
}

const ConstantInfo* find_constant(Kind kind, std::int64_t value) {
  for (const ConstantInfo& constant : constants()) {
    if (constant.kind == kind && constant.value == value) return &constant;
  }
  return nullptr;
}

}  // namespace rehearse::smpi
