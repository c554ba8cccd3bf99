// SPDX-License-Identifier: MIT
//
// The MPI API as data: every function with its parameters, and every constant. The tables are
// generated from smpi/api.json.
//
// Shape:     functions() is sorted by name; a CallScope names a function by its index there.
// Ownership: everything is constant and lives as long as the program.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rehearse::smpi {

// The meaning of a value. First the kinds of parameters, then the kinds that only constants have.
enum class Kind : std::uint8_t {
  comm,
  datatype,
  errhandler,
  file,
  group,
  info,
  message,
  op,
  request,
  session,
  win,
  integer_handle,
  tool_handle,
  buffer,
  attach_buffer,
  address,
  attribute,
  user_data,
  function,
  string,
  strings,
  arguments,
  status,
  count,
  bytes,
  displacement,
  offset,
  position,
  extent,
  index,
  number,
  weight,
  rank,
  rank_dest,
  rank_source,
  root,
  tag_send,
  tag_recv,
  color,
  key,
  partition,
  flag,
  keyval,
  error_code,
  string_length,
  argument_count,
  thread_level,
  split_type,
  file_mode,
  win_assert,
  lock_type,
  whence,
  order,
  distribution,
  typeclass,
  combiner,
  comparison,
  topology,
  tool_option,
  variable,
  special,
  version,
  string_size,
  size,
  fortran_status,
  win_flavor,
  win_model,
  ignore_status,
  ignore_error_codes,
  tool_verbosity,
  tool_bind,
  tool_scope,
  tool_class,
};

enum class Direction : std::uint8_t { in, out, inout };

// value: the argument itself; pointer: to one result; array: to an object that has its own name.
enum class Shape : std::uint8_t { value, pointer, array };

struct ParameterInfo {
  std::string_view name;
  std::string_view type;  // in C
  Kind kind;
  Direction direction;
  Shape shape;
  std::string_view length;  // of an array or buffer, see api.json; empty: none
};

struct FunctionInfo {
  std::string_view name;  // MPI_Send
  std::span<const ParameterInfo> parameters;
  bool implemented;      // if not, the call ends its rank: unsupported.function
  std::uint8_t chapter;  // index into chapters()
};

// A chapter of the standard.
struct ChapterInfo {
  std::string_view key;    // "one-sided"
  std::string_view title;  // "One-sided communication"
};

std::span<const ChapterInfo> chapters();

struct ConstantInfo {
  std::string_view name;
  std::string_view type;  // in C
  Kind kind;
  std::int64_t value;
};

std::span<const FunctionInfo> functions();

// The C function of each, in the order of functions().
std::span<void* const> entry_points();

// Sorted by (kind, value), aliases left out.
std::span<const ConstantInfo> constants();

// Null if there is no such constant.
const ConstantInfo* find_constant(Kind kind, std::int64_t value);

}  // namespace rehearse::smpi
