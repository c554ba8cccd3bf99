// SPDX-License-Identifier: MIT
//
// Looking at a message before it is received.
#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/p2p/transfer.hpp"

namespace rehearse::smpi {
namespace {

// Whether a message is there; if so its envelope is written.
bool probe(const Communicator& communicator, const Probe& operation, MPI_Status* status) {
  const Observation& answer = ask(operation);
  if (!answer.flag) return false;
  const Completion& message = answer.completions[0];
  heard_from_others();
  write_status(status, {communicator.peer_rank_of(message.source), message.tag,
                        static_cast<MPI_Count>(message.data.size()), false});
  return true;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  Arguments check(comm);
  check.source(source).tag_pattern(tag);
  if (check.failed()) return check.error();
  if (source == MPI_PROC_NULL) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  const Communicator& communicator = *check.communicator();
  probe(communicator, {pattern_of(communicator, source, tag), true}, status);
  return MPI_SUCCESS;
}

int Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  Arguments check(comm);
  check.source(source).tag_pattern(tag).pointer(flag, "flag");
  if (check.failed()) return check.error();
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    write_status(status, ending_of_nothing(Request::Kind::receive));
    return MPI_SUCCESS;
  }
  const Communicator& communicator = *check.communicator();
  *flag = probe(communicator, {pattern_of(communicator, source, tag), false}, status) ? 1 : 0;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
