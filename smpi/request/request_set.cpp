// SPDX-License-Identifier: MIT
//
// See request_set.hpp.
#include "smpi/request/request_set.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/process.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/request/request.hpp"
#include "smpi/request/unstarted.hpp"
#include "smpi/request/withheld.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

std::string position_text(int position, int count) {
  return count == 1 ? std::string() : fmt::format(" (element {} of the list)", position);
}

}  // namespace

RequestSet::RequestSet(int count, MPI_Request* handles, bool completes) : handles_(handles), count_(count) {
  Arguments check;
  check.count(count);
  if (count > 0) check.pointer(handles, "array_of_requests");
  error_ = check.error();
  const RequestTable& table = requests();
  const std::uint64_t list_number = count > 1 ? next_list_number() : 0;
  for (int i = 0; error_ == MPI_SUCCESS && i < count; ++i) {
    if (handles[i] == MPI_REQUEST_NULL) continue;
    const std::unique_ptr<Request>* found = table.find(handles[i]);
    Request* request = found == nullptr ? nullptr : found->get();
    if (request == nullptr) {
      error_ = smpi::error(MPI_ERR_REQUEST, wrong_handle(Kind::request, handles[i]) + position_text(i, count));
      continue;
    }
    completes ? check_thread_use(*request) : refuse_if_waited(*request);
    if (request->state == Request::State::inactive) {
      note_wait_before_start(*request, handles[i]);
    } else if (list_number != 0 && std::exchange(request->list_number, list_number) == list_number) {
      error_ = smpi::error(MPI_ERR_REQUEST, "the list contains the same request twice" + position_text(i, count));
    } else if (request->state == Request::State::pending) {
      add_pending(i, *request);
    } else if (request->state == Request::State::complete) {
      complete_.push_back(i);
    }
  }
}

void RequestSet::add_pending(int position, const Request& request) {
  if (request.awaits_program()) {
    awaiting_.push_back(position);
  } else if (request.kind == Request::Kind::compound) {
    const std::vector<Piece>& pieces = request.extra->pieces;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      if (pieces[p].done) continue;
      ids_.push_back(pieces[p].id);
      places_.push_back({position, static_cast<int>(p)});
    }
  } else {
    ids_.push_back(request.id);
    places_.push_back({position, whole});
  }
}

void RequestSet::take(const Completion& completion) {
  const auto [position, piece] = places_[completion.index];
  Request& request = *find_request(handles_[position]);
  if (piece == whole) {
    complete_request(request, completion);
    observed_.push_back(position);
  } else if (complete_piece(request, static_cast<std::size_t>(piece), completion)) {
    observed_.push_back(position);
  } else if (request.extra->pieces[static_cast<std::size_t>(piece)].opens) {
    to_follow_.push_back(position);
  }
}

void RequestSet::start_followers() {
  for (const int position : to_follow_) {
    Request& request = *find_request(handles_[position]);
    const std::size_t known = request.extra->pieces.size();
    request.extra->follow(request);
    if (request.extra->pieces.size() > known) add_pending(position, request);
  }
  to_follow_.clear();
}

// Removes the complete requests from the list, so that the driver is not asked about them again.
void RequestSet::forget(std::span<const Completion> completions) {
  if (completions.empty()) return;
  std::size_t to = completions.front().index, next = 0;
  for (std::size_t from = to; from < ids_.size(); ++from) {
    if (next < completions.size() && completions[next].index == from) {
      ++next;
      continue;
    }
    ids_[to] = ids_[from];
    places_[to++] = places_[from];
  }
  ids_.resize(to);
  places_.resize(to);
}

bool RequestSet::observe(Quantifier quantifier, bool blocking) {
  observed_.clear();
  const WaitingUse use(std::span(handles_, static_cast<std::size_t>(count_)),
                       blocking ? ThreadUse::Kind::wait : ThreadUse::Kind::poll);
  if (blocking && !awaiting_.empty() && threads_wait_apart() && has_threads()) return observe_actions(quantifier);
  if (blocking || cancel_search().places.empty()) return observe_once(quantifier, blocking);
  const bool is_yes = observe_once(quantifier, blocking);
  if (!is_yes)
    for (const int position : pending_positions()) note_refusal(*find_request(handles_[position]));
  return is_yes;
}

std::vector<int> RequestSet::pending_positions() const {
  std::vector<int> positions(awaiting_.begin(), awaiting_.end());
  for (const Place& place : places_) positions.push_back(place.position);
  return positions;
}

// Other threads of the rank have completed some that await the program, or let the driver know them.
void RequestSet::take_actions() {
  const std::pmr::vector<int> before(awaiting_.begin(), awaiting_.end(), &memory_);
  awaiting_.clear();
  for (const int position : before) {
    const Request& request = *find_request(handles_[position]);
    if (request.state == Request::State::pending) add_pending(position, request);
    else observed_.push_back(position);
  }
}

// Waits for the driver and for actions of other threads.
bool RequestSet::observe_actions(Quantifier quantifier) {
  const auto is_enough = [&] { return quantifier == Quantifier::all ? !some_pending() : !observed_.empty(); };
  for (take_actions(); !is_enough(); take_actions()) {
    if (ids_.empty()) {
      wait_for({.object = &requests(), .function = "a wait for an action of another thread"});
      continue;
    }
    const Observation& answer = ask(Observe{ids_, Quantifier::some, false});
    for (const Completion& completion : answer.completions) take(completion);
    forget(answer.completions);
    start_followers();
  }
  std::ranges::sort(observed_);
  keep_observed();
  return true;
}

bool RequestSet::observe_once(Quantifier quantifier, bool blocking) {
  const bool all = quantifier == Quantifier::all;
  if (!awaiting_.empty() && (all || ids_.empty())) {
    if (blocking && is_withheld(*find_request(handles_[awaiting_[0]]))) no_execution();
    if (blocking) misuse("request.never_complete", find_request(handles_[awaiting_[0]])->extra->awaits);
    if (threads_wait_apart() && has_threads()) doze();
    return false;
  }
  if (Failures* known = failures()) return observe_fallibly(*known, quantifier, blocking);
  bool flag = true;
  // An answer may complete only one message of a compound request. Then no request is complete yet, and the driver is
  // asked again.
  while (flag && (all || observed_.empty()) && !ids_.empty()) {
    const Observation& answer = ask(Observe{ids_, quantifier, blocking});
    flag = answer.flag;
    for (const Completion& completion : answer.completions) take(completion);
    if (quantifier != Quantifier::any || observed_.empty()) forget(answer.completions);
    start_followers();
  }
  keep_observed();
  return all ? flag : !observed_.empty();
}

void RequestSet::keep_observed() {
  complete_.insert(complete_.end(), observed_.begin(), observed_.end());
  std::sort(complete_.begin(), complete_.end());
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

int RequestSet::peek(int position, MPI_Status* status) {
  Request& request = *find_request(handles_[position]);
  settle_request(request);
  write_status(status, request.ending);
  if (request.kind != Request::Kind::generalized) return MPI_SUCCESS;
  const Trouble trouble = query_generalized(request, status);
  if (trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(request.communicator->handle, trouble.error, trouble.text);
}

int RequestSet::finish(int error_class) {
  const Trouble& trouble = first_trouble_;
  if (trouble.error == MPI_SUCCESS) return MPI_SUCCESS;
  return error_on(first_communicator_, error_class == MPI_SUCCESS ? trouble.error : error_class, trouble.text,
                  trouble.id.empty() ? finding_id(trouble.error) : trouble.id);
}

}  // namespace rehearse::smpi
