// SPDX-License-Identifier: MIT
//
// See name_server.hpp.
#include "smpi/process/name_server.hpp"

#include <cstring>

#include "mpi.h"
#include "simcore/birth.hpp"

namespace rehearse::smpi {
namespace {

// The text up to the next zero byte, which is skipped.
std::string take_text(std::span<const std::byte>& bytes) {
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  const std::size_t length = strnlen(begin, bytes.size());
  bytes = bytes.subspan(length < bytes.size() ? length + 1 : length);
  return {begin, length};
}

}  // namespace

const Operation& NameServer::next() {
  if (!has_answer_) {
    Post post = birth_receive(std::nullopt);
    post.pattern.tag.reset();
    post.request = {requests_};
    return operation_ = post;
  }
  Send send;
  send.request = {requests_};
  send.context = service_context;
  send.destination = asker_;
  send.tag = error_;
  send.mode = SendMode::buffered;
  send.blocking = true;
  send.data = std::as_bytes(std::span(port_));
  return operation_ = send;
}

void NameServer::resume(const Observation& answer) {
  ++requests_;
  if (has_answer_) has_answer_ = false;
  else take(answer.completions.front());
}

void NameServer::take(const Completion& request) {
  std::span<const std::byte> data = request.data;
  const std::string name = take_text(data), port = take_text(data);
  const auto known = ports_.find(name);
  const bool is_known = known != ports_.end();
  asker_ = request.source;
  has_answer_ = true;
  error_ = MPI_SUCCESS;
  port_.clear();
  switch (static_cast<NameQuestion>(request.tag)) {
    case NameQuestion::publish:
      if (is_known) error_ = MPI_ERR_SERVICE;
      else ports_.emplace(name, port);
      return;
    case NameQuestion::unpublish:
      if (is_known && known->second == port) ports_.erase(known);
      else error_ = MPI_ERR_SERVICE;
      return;
    case NameQuestion::look_up:
      if (is_known) port_ = known->second;
      else error_ = MPI_ERR_NAME;
  }
}

}  // namespace rehearse::smpi
