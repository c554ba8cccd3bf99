// SPDX-License-Identifier: MIT
//
// Statuses: their layout and the calls that read and change them.
#include "smpi/p2p/status.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

constexpr int cancelled_word = 2;
constexpr int unknown = 2;  // whether the operation was cancelled

void set_bytes(MPI_Status& status, MPI_Count bytes) { std::memcpy(status.MPI_internal, &bytes, sizeof bytes); }

// A large count as the int of the classic functions; MPI_UNDEFINED if it does not fit.
int as_int(MPI_Count count) {
  return count > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(count);
}

int get_count(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count, bool elements) {
  Arguments check;
  check.pointer(status, "status").pointer(count, "count");
  const Datatype* type = check.type(datatype);
  if (check.failed()) return check.error();
  const MPI_Count bytes = bytes_in(*status);
  *count = elements ? elements_of_bytes(*type, bytes) : count_of_bytes(*type, bytes);
  return MPI_SUCCESS;
}

int get_small_count(const MPI_Status* status, MPI_Datatype datatype, int* count, bool elements) {
  MPI_Count large = 0;
  const int error = get_count(status, datatype, count == nullptr ? nullptr : &large, elements);
  if (error == MPI_SUCCESS) *count = as_int(large);
  return error;
}

int set_elements(MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  Arguments check;
  check.pointer(status, "status").count(count);
  const Datatype* type = check.type(datatype);
  if (check.failed()) return check.error();
  set_bytes(*status, bytes_of_elements(*type, count));
  return MPI_SUCCESS;
}

// One field of a status: MPI 4.1's accessors for languages that cannot name them.
int get_field(const MPI_Status* status, int MPI_Status::*field, int* value) {
  Arguments check;
  check.pointer(status, "status").pointer(value, "value");
  if (!check.failed()) *value = status->*field;
  return check.error();
}

int set_field(MPI_Status* status, int MPI_Status::*field, int value) {
  Arguments check;
  check.pointer(status, "status");
  if (!check.failed()) status->*field = value;
  return check.error();
}

}  // namespace

void write_status(MPI_Status* status, const Ending& ending) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = ending.source;
  status->MPI_TAG = ending.tag;
  set_bytes(*status, ending.bytes);
  status->MPI_internal[cancelled_word] = ending.cancelled ? 1 : ending.may_be_cancelled ? unknown : 0;
}

MPI_Count bytes_in(const MPI_Status& status) {
  MPI_Count bytes = 0;
  std::memcpy(&bytes, status.MPI_internal, sizeof bytes);
  return bytes;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count) {
  return get_small_count(status, datatype, count, false);
}

int Get_count_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return get_count(status, datatype, count, false);
}

int Get_elements(const MPI_Status* status, MPI_Datatype datatype, int* count) {
  return get_small_count(status, datatype, count, true);
}

int Get_elements_c(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return get_count(status, datatype, count, true);
}

int Get_elements_x(const MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return get_count(status, datatype, count, true);
}

int Status_set_elements(MPI_Status* status, MPI_Datatype datatype, int count) {
  return set_elements(status, datatype, count);
}

int Status_set_elements_c(MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return set_elements(status, datatype, count);
}

int Status_set_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count count) {
  return set_elements(status, datatype, count);
}

int Status_set_cancelled(MPI_Status* status, int flag) {
  Arguments check;
  check.pointer(status, "status");
  if (!check.failed()) status->MPI_internal[cancelled_word] = flag != 0 ? 1 : 0;
  return check.error();
}

int Test_cancelled(const MPI_Status* status, int* flag) {
  Arguments check;
  check.pointer(status, "status").pointer(flag, "flag");
  if (check.failed()) return check.error();
  const int word = status->MPI_internal[cancelled_word];
  if (word == unknown) report_outcomes_left_out("MPI_Test_cancelled of a send, which never returns true here");
  *flag = word == 1 ? 1 : 0;
  return check.error();
}

int Status_get_source(const MPI_Status* status, int* source) {
  return get_field(status, &MPI_Status::MPI_SOURCE, source);
}

int Status_get_tag(const MPI_Status* status, int* tag) { return get_field(status, &MPI_Status::MPI_TAG, tag); }

int Status_get_error(const MPI_Status* status, int* error) { return get_field(status, &MPI_Status::MPI_ERROR, error); }

int Status_set_source(MPI_Status* status, int source) { return set_field(status, &MPI_Status::MPI_SOURCE, source); }

int Status_set_tag(MPI_Status* status, int tag) { return set_field(status, &MPI_Status::MPI_TAG, tag); }

int Status_set_error(MPI_Status* status, int error) { return set_field(status, &MPI_Status::MPI_ERROR, error); }

}  // namespace rehearse::smpi::calls
