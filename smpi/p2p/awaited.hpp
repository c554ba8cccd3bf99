// SPDX-License-Identifier: MIT
//
// Notes which bytes a waiting receive will overwrite: its buffer and its status. Until then they are no part of the
// rank's state (simcore/state_image.hpp).
//
// Protocol: lives around the ask() of a blocking receive. The program must not run between the start of the receive and
//           that ask(). Only bytes that each message of the receive's full size overwrites count, so the gaps of a
//           datatype and MPI_ERROR of a status do not.
#pragma once

#include <cstddef>

#include "mpi.h"
#include "smpi/process/rank_state.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

class AwaitedMessage {
 public:
  AwaitedMessage(const Transfer& transfer, MPI_Status* status) : rank_(running_rank()) {
    if (rank_ == nullptr || rank_->dead_stack == nullptr) return;  // not in an exploration
    AwaitedBytes& awaited = rank_->awaited;
    if (const std::int64_t bytes = transfer.type->size() * transfer.count; bytes > 0 && transfer.type->contiguous()) {
      auto* begin = static_cast<std::byte*>(transfer.buffer) + transfer.type->layout()[0].offset;
      awaited.buffer = {begin, begin + bytes};
    }
    if (status == MPI_STATUS_IGNORE) return;
    awaited.status[0] = bytes_from(&status->MPI_SOURCE, &status->MPI_TAG + 1);
    awaited.status[1] = bytes_from(&status->MPI_internal[0], &status->MPI_internal[0] + written_words);
  }
  ~AwaitedMessage() {
    if (rank_ != nullptr) rank_->awaited = {};
  }
  AwaitedMessage(const AwaitedMessage&) = delete;
  AwaitedMessage& operator=(const AwaitedMessage&) = delete;

 private:
  static constexpr int written_words = 3;  // of MPI_internal: the number of bytes, and whether it was cancelled

  static ByteRange bytes_from(int* begin, int* end) {
    return {reinterpret_cast<std::byte*>(begin), reinterpret_cast<std::byte*>(end)};
  }

  RankState* rank_;  // null: the caller is not a loaded rank
};

}  // namespace rehearse::smpi
