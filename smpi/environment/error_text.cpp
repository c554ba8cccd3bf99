// SPDX-License-Identifier: MIT
//
// Error classes and codes: those of the standard, and those that the program adds.
//
// Shape: the standard's classes are their own codes. Classes and codes of the program are numbered
//        together, from MPI_ERR_LASTCODE + 1, and keep their number.
#include "smpi/environment/error_codes.hpp"

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

// By class, from MPI_SUCCESS.
constexpr std::array<std::string_view, 63> standard_texts = {
    "MPI_SUCCESS: no error",
    "MPI_ERR_BUFFER: invalid buffer pointer",
    "MPI_ERR_COUNT: invalid count argument",
    "MPI_ERR_TYPE: invalid datatype argument",
    "MPI_ERR_TAG: invalid tag argument",
    "MPI_ERR_COMM: invalid communicator",
    "MPI_ERR_RANK: invalid rank",
    "MPI_ERR_REQUEST: invalid request handle",
    "MPI_ERR_ROOT: invalid root",
    "MPI_ERR_GROUP: invalid group",
    "MPI_ERR_OP: invalid operation",
    "MPI_ERR_TOPOLOGY: invalid topology",
    "MPI_ERR_DIMS: invalid dimension argument",
    "MPI_ERR_ARG: invalid argument",
    "MPI_ERR_UNKNOWN: unknown error",
    "MPI_ERR_TRUNCATE: message longer than the receive buffer",
    "MPI_ERR_OTHER: known error not in this list",
    "MPI_ERR_INTERN: internal error of MPI",
    "MPI_ERR_PENDING: pending request",
    "MPI_ERR_IN_STATUS: the error code is in the status",
    "MPI_ERR_ACCESS: permission denied",
    "MPI_ERR_AMODE: invalid access mode",
    "MPI_ERR_ASSERT: invalid assert argument",
    "MPI_ERR_BAD_FILE: invalid file name",
    "MPI_ERR_BASE: invalid base passed to MPI_Free_mem",
    "MPI_ERR_CONVERSION: error in a data conversion function",
    "MPI_ERR_DISP: invalid displacement",
    "MPI_ERR_DUP_DATAREP: data representation is defined already",
    "MPI_ERR_FILE_EXISTS: file exists",
    "MPI_ERR_FILE_IN_USE: file is in use",
    "MPI_ERR_FILE: invalid file handle",
    "MPI_ERR_INFO_KEY: key longer than MPI_MAX_INFO_KEY",
    "MPI_ERR_INFO_NOKEY: key is not defined",
    "MPI_ERR_INFO_VALUE: value longer than MPI_MAX_INFO_VAL",
    "MPI_ERR_INFO: invalid info object",
    "MPI_ERR_IO: other error of input or output",
    "MPI_ERR_KEYVAL: invalid key value",
    "MPI_ERR_LOCKTYPE: invalid lock type",
    "MPI_ERR_NAME: service name is not published",
    "MPI_ERR_NO_MEM: memory is exhausted",
    "MPI_ERR_NOT_SAME: collective argument differs between processes",
    "MPI_ERR_NO_SPACE: not enough space",
    "MPI_ERR_NO_SUCH_FILE: file does not exist",
    "MPI_ERR_PORT: invalid port name",
    "MPI_ERR_QUOTA: quota exceeded",
    "MPI_ERR_READ_ONLY: file or file system is read-only",
    "MPI_ERR_RMA_ATTACH: memory cannot be attached",
    "MPI_ERR_RMA_CONFLICT: conflicting accesses to a window",
    "MPI_ERR_RMA_RANGE: target memory is not part of the window",
    "MPI_ERR_RMA_SHARED: memory cannot be shared",
    "MPI_ERR_RMA_SYNC: wrong synchronization of one-sided calls",
    "MPI_ERR_SERVICE: service name cannot be unpublished",
    "MPI_ERR_SIZE: invalid size argument",
    "MPI_ERR_SPAWN: processes cannot be spawned",
    "MPI_ERR_UNSUPPORTED_DATAREP: unsupported data representation",
    "MPI_ERR_UNSUPPORTED_OPERATION: unsupported operation",
    "MPI_ERR_WIN: invalid window",
    "MPI_ERR_RMA_FLAVOR: window has the wrong flavor",
    "MPI_ERR_PROC_ABORTED: a peer process has aborted",
    "MPI_ERR_VALUE_TOO_LARGE: value is too large to store",
    "MPI_ERR_SESSION: invalid session",
    "MPI_ERR_ERRHANDLER: invalid error handler",
    "MPI_ERR_ABI: error of the language binding",
};
static_assert(MPI_ERR_ABI + 1 == standard_texts.size());

// Classes of fault tolerance, an extension.
constexpr std::array fault_texts = {
    std::pair(MPIX_ERR_PROC_FAILED, std::string_view("MPIX_ERR_PROC_FAILED: a process has failed")),
    std::pair(MPIX_ERR_PROC_FAILED_PENDING,
              std::string_view("MPIX_ERR_PROC_FAILED_PENDING: a process has failed that may be the source")),
    std::pair(MPIX_ERR_REVOKED, std::string_view("MPIX_ERR_REVOKED: the communicator was revoked")),
};

// Empty: the code is none of them.
std::string_view fault_text(int code) {
  for (const auto& [known, text] : fault_texts)
    if (known == code) return text;
  return {};
}

bool is_standard(int code) { return code >= 0 && code < static_cast<int>(standard_texts.size()); }

// A class or code of the program.
struct UserCode {
  int error_class = 0;  // equal to the own number: it is a class
  int codes = 0;        // of a class: the number of its codes that are not removed
  std::string text;
  bool removed = false;
};

struct UserCodes {
  std::vector<UserCode> codes;  // code MPI_ERR_LASTCODE + 1 + index
};

UserCode* find_user_code(int code) {
  auto& codes = per_rank<UserCodes>().codes;
  const int index = code - MPI_ERR_LASTCODE - 1;
  if (index < 0 || index >= static_cast<int>(codes.size())) return nullptr;
  UserCode& found = codes[static_cast<std::size_t>(index)];
  return found.removed ? nullptr : &found;
}

bool is_known(int code) { return is_standard(code) || !fault_text(code).empty() || find_user_code(code) != nullptr; }

// A class if `error_class` is 0, else a code of that class.
int add_code(int error_class) {
  const int code = last_used_code() + 1;
  if (UserCode* of = find_user_code(error_class)) ++of->codes;
  per_rank<UserCodes>().codes.push_back({error_class == 0 ? code : error_class, 0, {}, false});
  return code;
}

// A text must be removed before its code, and codes before their class.
int remove(int code, bool is_class) {
  Arguments check;
  UserCode* found = find_user_code(code);
  check.require(found != nullptr && (found->error_class == code) == is_class, MPI_ERR_ARG,
                [&] { return "the program has added no such error " + std::string(is_class ? "class" : "code"); });
  if (!check.failed())
    check.require(found->text.empty(), MPI_ERR_ARG,
                  "it has a text, which must be removed first (MPI_Remove_error_string)");
  if (is_class && !check.failed())
    check.require(found->codes == 0, MPI_ERR_ARG,
                  "the class has codes, which must be removed first (MPI_Remove_error_code)");
  if (check.failed()) return check.error();
  found->removed = true;
  UserCode* const of = find_user_code(found->error_class);
  if (of != nullptr) --of->codes;
  return MPI_SUCCESS;
}

}  // namespace

int last_used_code() { return MPI_ERR_LASTCODE + static_cast<int>(per_rank<UserCodes>().codes.size()); }

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Error_class(int errorcode, int* errorclass) {
  const UserCode* code = find_user_code(errorcode);
  const bool is_class = is_standard(errorcode) || !fault_text(errorcode).empty();
  *errorclass = is_class ? errorcode : code != nullptr ? code->error_class : MPI_ERR_UNKNOWN;
  return MPI_SUCCESS;
}

int Error_string(int errorcode, char* string, int* resultlen) {
  const UserCode* code = find_user_code(errorcode);
  std::string_view text = is_standard(errorcode) ? standard_texts[static_cast<std::size_t>(errorcode)]
                          : code != nullptr      ? std::string_view(code->text)
                                                 : "unknown error code";
  if (const std::string_view fault = fault_text(errorcode); !fault.empty()) text = fault;
  std::memcpy(string, text.data(), text.size());
  string[text.size()] = '\0';
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int Add_error_class(int* errorclass) {
  Arguments check;
  check.pointer(errorclass, "errorclass");
  if (!check.failed()) *errorclass = add_code(0);
  return check.error();
}

int Add_error_code(int errorclass, int* errorcode) {
  Arguments check;
  check.pointer(errorcode, "errorcode").require(is_known(errorclass), MPI_ERR_ARG, "there is no such error class");
  if (!check.failed()) *errorcode = add_code(errorclass);
  return check.error();
}

int Add_error_string(int errorcode, const char* string) {
  Arguments check;
  UserCode* code = find_user_code(errorcode);
  check.pointer(string, "string").require(code != nullptr, MPI_ERR_ARG, "the program has added no such error code");
  if (!check.failed()) code->text = std::string(string, strnlen(string, MPI_MAX_ERROR_STRING - 1));
  return check.error();
}

int Remove_error_class(int errorclass) { return remove(errorclass, true); }

int Remove_error_code(int errorcode) { return remove(errorcode, false); }

int Remove_error_string(int errorcode) {
  Arguments check;
  UserCode* code = find_user_code(errorcode);
  check.require(code != nullptr && !code->text.empty(), MPI_ERR_ARG, "the program has added no such error string");
  if (!check.failed()) code->text.clear();
  return check.error();
}

}  // namespace rehearse::smpi::calls
