// SPDX-License-Identifier: MIT
//
// See request_set.hpp.
#include "smpi/request/request_set.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

RequestSet::RequestSet(int count, MPI_Request* handles) : handles_(handles) {
  Arguments check;
  check.count(count);
  if (count > 0) check.pointer(handles, "array_of_requests");
  error_ = check.error();
  for (int i = 0; error_ == MPI_SUCCESS && i < count; ++i) {
    if (handles[i] == MPI_REQUEST_NULL) continue;
    const Request* request = find_request(handles[i]);
    if (request == nullptr) {
      error_ = smpi::error(MPI_ERR_REQUEST,
                           "request " + std::to_string(i) + " was freed or never existed");
    } else if (request->state == Request::State::pending) {
      ids_.push_back(request->id);
      positions_.push_back(i);
    } else if (request->state == Request::State::complete) {
      complete_.push_back(i);
    }
  }
}

bool RequestSet::observe(Quantifier quantifier, bool blocking) {
  observed_.clear();
  const Observation& answer = ask(Observe{ids_, quantifier, blocking});
  for (const Completion& completion : answer.completions) {
    const int position = positions_[completion.index];
    complete_request(*find_request(handles_[position]), completion);
    observed_.push_back(position);
  }
  complete_.insert(complete_.end(), observed_.begin(), observed_.end());
  std::sort(complete_.begin(), complete_.end());
  return answer.flag;
}

int RequestSet::conclude(int position, MPI_Status* status) {
  const CommunicatorRef communicator = find_request(handles_[position])->communicator;
  Trouble trouble = conclude_request(&handles_[position], status);
  const int error = trouble.error;
  if (error != MPI_SUCCESS && first_trouble_.error == MPI_SUCCESS) {
    first_trouble_ = std::move(trouble);
    first_communicator_ = communicator->handle;
  }
  return error;
}

int RequestSet::finish(int error_class) {
  const Trouble& trouble = first_trouble_;
  if (trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(first_communicator_, error_class == MPI_SUCCESS ? trouble.error : error_class,
                  trouble.text, trouble.id.empty() ? finding_id(trouble.error) : trouble.id);
}

}  // namespace rehearse::smpi
