// SPDX-License-Identifier: MIT
//
// The attached buffers: their used bytes, and the calls that attach and detach them.
#include "smpi/p2p/buffered.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/foreign/constants.hpp"
#include "smpi/foreign_mpi.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

AttachedBuffers& buffers() { return per_rank<AttachedBuffers>(); }

// Reports a buffer that was a variable of a function that has returned. A call of MPI_Buffer_detach after the return is
// too late, too.
void check_frame(AttachedBuffer& attached) {
  if (!attached.attached || attached.gone || !is_over(attached.frame)) return;
  attached.gone = true;
  if (!buffer_checks().lifetimes) return;
  const std::string function = attached.frame.place == nullptr ? "" : find_source(attached.frame.place).function;
  const std::string what =
      text_of_buffer("the buffer (" + bytes_text(static_cast<std::uint64_t>(attached.bytes)) + ")", attached.site) +
      " was on the stack of " + (function.empty() ? "a function" : function + "()") +
      ", which returned while it was attached; " + text_of(creation_site()) + " is called after that";
  const std::array others{ReportedPlace{attached.site, "attaches it; the function that had it has returned"}};
  report_places("buffer.freed", what, {{}, "is called when the buffer is gone"}, others);
}

int attach(Arguments check, AttachedBuffer& attached, void* buffer, MPI_Count bytes) {
  check.count(bytes, "size");
  if (bytes > 0) check.pointer(buffer, "buffer");
  check.require(!attached.attached, MPI_ERR_BUFFER, "a buffer is attached already", "buffer.attached");
  if (check.failed()) return check.error();
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(buffer));
  attached = {buffer, bytes, 0, true, false, frame_mark(address), creation_site()};
  return check.error();
}

// Detaching a buffer that was not attached gives a null address and size 0.
int detach(Arguments check, AttachedBuffer& attached, void* address_out, MPI_Count* bytes) {
  check.pointer(address_out, "buffer_addr").pointer(bytes, "size");
  if (check.failed()) return check.error();
  check_frame(attached);
  std::memcpy(address_out, &attached.address, sizeof attached.address);
  *bytes = attached.bytes;
  attached = {};
  return MPI_SUCCESS;
}

// A size that an int cannot hold is MPI_UNDEFINED, and the buffer is detached.
template <class Detach>
int detach_small(int* size, Detach&& detach) {
  MPI_Count bytes = 0;
  const int error = detach(size == nullptr ? nullptr : &bytes);
  if (error != MPI_SUCCESS) return error;
  const bool fits = bytes <= std::numeric_limits<int>::max();
  *size = fits ? static_cast<int>(bytes) : MPI_UNDEFINED;
  return fits ? MPI_SUCCESS
              : smpi::error(MPI_ERR_VALUE_TOO_LARGE,
                            "the size of the buffer does not fit in an int; use the function whose name ends in _c");
}

// The driver keeps the buffered messages and can deliver all of them, so the buffer is free immediately.
int flush(Arguments check, AttachedBuffer& attached) {
  if (!check.failed()) attached.taken = 0;
  return check.error();
}

int start_flush(Arguments check, AttachedBuffer& attached, MPI_Request* request) {
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  attached.taken = 0;
  auto made = std::make_unique<Request>();
  made->state = Request::State::complete;
  made->communicator = check.communicator();
  give_request(request, std::move(made));
  return MPI_SUCCESS;
}

AttachedBuffer& buffer_for(MPI_Comm comm) {
  const Communicator* communicator = find_communicator(comm);
  const MPI_Session session = communicator == nullptr ? MPI_SESSION_NULL : communicator->session;
  for (const void* owner : {static_cast<const void*>(comm), static_cast<const void*>(session)}) {
    const auto own = buffers().others.find(owner);
    if (own != buffers().others.end() && own->second.attached) return own->second;
  }
  return buffers().process;
}

// MPI_BSEND_OVERHEAD of the mpi.h with which the program was compiled.
MPI_Count overhead_of_program() {
  const auto library = foreign_mpi();
  if (!library) return MPI_BSEND_OVERHEAD;
  return *library == ForeignMpi::mpich ? foreign::mpich_values::mpi_bsend_overhead
                                       : foreign::open_mpi_values::mpi_bsend_overhead;
}

}  // namespace

void check_attached_buffers() {
  AttachedBuffers* all = find_per_rank<AttachedBuffers>();
  if (all == nullptr) return;
  check_frame(all->process);
  for (auto& [owner, buffer] : all->others) check_frame(buffer);
}

void forget_buffer(const void* owner) { buffers().others.erase(owner); }

int take_buffer(MPI_Comm comm, MPI_Count bytes) {
  AttachedBuffer& buffer = buffer_for(comm);
  check_frame(buffer);
  if (buffer.address == MPI_BUFFER_AUTOMATIC && buffer.attached) return MPI_SUCCESS;
  const MPI_Count needed = bytes + overhead_of_program();
  if (buffer.taken + needed <= buffer.bytes) {
    buffer.taken += needed;
    return MPI_SUCCESS;
  }
  const std::string what =
      !buffer.attached ? "no buffer is attached for buffered sends"
                       : fmt::format("the buffered send needs {} bytes ({} and MPI_BSEND_OVERHEAD), but only {} of "
                                     "the attached {} bytes are certainly free",
                                     needed, bytes, buffer.bytes - buffer.taken, buffer.bytes);
  return error_on(comm, MPI_ERR_BUFFER, what, "buffer.attached");
}

void forget_taken(AttachedBuffers& buffers) {
  buffers.process.taken = 0;
  for (auto& [owner, buffer] : buffers.others) buffer.taken = 0;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Buffer_attach_c(void* buffer, MPI_Count size) { return attach(Arguments(), buffers().process, buffer, size); }

int Buffer_detach(void* buffer_addr, int* size) {
  return detach_small(size, [&](MPI_Count* bytes) { return Buffer_detach_c(buffer_addr, bytes); });
}

int Buffer_attach(void* buffer, int size) { return Buffer_attach_c(buffer, size); }

int Buffer_detach_c(void* buffer_addr, MPI_Count* size) {
  return detach(Arguments(), buffers().process, buffer_addr, size);
}

int Buffer_flush() { return flush(Arguments(), buffers().process); }

int Buffer_iflush(MPI_Request* request) { return start_flush(Arguments(), buffers().process, request); }

int Comm_attach_buffer_c(MPI_Comm comm, void* buffer, MPI_Count size) {
  return attach(Arguments(comm), buffers().others[comm], buffer, size);
}

int Comm_detach_buffer(MPI_Comm comm, void* buffer_addr, int* size) {
  return detach_small(size, [&](MPI_Count* bytes) { return Comm_detach_buffer_c(comm, buffer_addr, bytes); });
}

int Comm_detach_buffer_c(MPI_Comm comm, void* buffer_addr, MPI_Count* size) {
  return detach(Arguments(comm), buffers().others[comm], buffer_addr, size);
}

int Comm_flush_buffer(MPI_Comm comm) { return flush(Arguments(comm), buffers().others[comm]); }

int Comm_iflush_buffer(MPI_Comm comm, MPI_Request* request) {
  return start_flush(Arguments(comm), buffers().others[comm], request);
}

int Session_attach_buffer_c(MPI_Session session, void* buffer, MPI_Count size) {
  return attach(Arguments(session), buffers().others[session], buffer, size);
}

int Session_detach_buffer(MPI_Session session, void* buffer_addr, int* size) {
  return detach_small(size, [&](MPI_Count* bytes) { return Session_detach_buffer_c(session, buffer_addr, bytes); });
}

int Session_detach_buffer_c(MPI_Session session, void* buffer_addr, MPI_Count* size) {
  return detach(Arguments(session), buffers().others[session], buffer_addr, size);
}

int Session_flush_buffer(MPI_Session session) { return flush(Arguments(session), buffers().others[session]); }

int Session_iflush_buffer(MPI_Session session, MPI_Request* request) {
  return start_flush(Arguments(session), buffers().others[session], request);
}

}  // namespace rehearse::smpi::calls
