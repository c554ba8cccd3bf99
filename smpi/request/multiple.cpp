// SPDX-License-Identifier: MIT
//
// See multiple.hpp.
#include "smpi/request/multiple.hpp"

#include "smpi/p2p/status.hpp"

namespace rehearse::smpi {
namespace {

// Writes MPI_ERROR also if no error occurred. The standard does not require that, but programs read the field.
void write_errors(MPI_Status* statuses, const std::vector<int>& errors) {
  if (statuses == MPI_STATUSES_IGNORE) return;
  for (std::size_t i = 0; i < errors.size(); ++i) statuses[i].MPI_ERROR = errors[i];
}

}  // namespace

int conclude_all(RequestSet& set, int count, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) write_empty_status(status_at(statuses, i));
  std::vector<int> errors(static_cast<std::size_t>(count), MPI_SUCCESS);
  const std::pmr::vector<int>& complete = set.complete();
  for (int position : complete)
    errors[static_cast<std::size_t>(position)] = set.conclude(position, status_at(statuses, position));
  write_errors(statuses, errors);
  return set.finish(MPI_ERR_IN_STATUS);
}

std::optional<int> observe_one(RequestSet& set, bool blocking) {
  std::optional<int> known;
  if (!set.complete().empty()) known = set.complete().front();
  if (!set.some_pending()) return known;
  set.observe(Quantifier::any, blocking && !known);
  return set.observed().empty() ? known : set.observed().front();
}

int conclude_one(RequestSet& set, int position, int* index, MPI_Status* status) {
  *index = position;
  set.conclude(position, status);
  return set.finish();
}

int conclude_some(RequestSet& set, int* count, int* indices, MPI_Status* statuses) {
  const std::pmr::vector<int>& complete = set.complete();
  std::vector<int> errors;
  for (std::size_t i = 0; i < complete.size(); ++i) {
    indices[i] = complete[i];
    errors.push_back(set.conclude(complete[i], status_at(statuses, static_cast<int>(i))));
  }
  *count = static_cast<int>(complete.size());
  write_errors(statuses, errors);
  return set.finish(MPI_ERR_IN_STATUS);
}

}  // namespace rehearse::smpi
