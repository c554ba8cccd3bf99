// SPDX-License-Identifier: MIT
//
// The attached buffer: its account, and the calls that attach and detach one.
#include "smpi/p2p/buffered.hpp"

#include <cstring>
#include <limits>
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

int attach(void* buffer, MPI_Count bytes) {
  Arguments check;
  check.count(bytes, "size");
  if (bytes > 0) check.pointer(buffer, "buffer");
  check.require(!attached_buffer().attached, MPI_ERR_BUFFER, "a buffer is attached already");
  if (!check.failed()) attached_buffer() = {buffer, bytes, 0, true};
  return check.error();
}

// Detaching a buffer that was not attached gives a null address and size 0.
int detach(void* address_out, MPI_Count* bytes) {
  Arguments check;
  check.pointer(address_out, "buffer_addr").pointer(bytes, "size");
  if (check.failed()) return check.error();
  AttachedBuffer& buffer = attached_buffer();
  std::memcpy(address_out, &buffer.address, sizeof buffer.address);
  *bytes = buffer.bytes;
  buffer = {};
  return MPI_SUCCESS;
}

}  // namespace

AttachedBuffer& attached_buffer() { return per_rank<AttachedBuffer>(); }

int take_buffer(MPI_Comm comm, MPI_Count bytes) {
  AttachedBuffer& buffer = attached_buffer();
  if (buffer.address == MPI_BUFFER_AUTOMATIC && buffer.attached) return MPI_SUCCESS;
  const MPI_Count needed = bytes + MPI_BSEND_OVERHEAD;
  if (buffer.taken + needed <= buffer.bytes) {
    buffer.taken += needed;
    return MPI_SUCCESS;
  }
  const std::string what =
      !buffer.attached
          ? "no buffer is attached for buffered sends"
          : "the buffered send needs " + std::to_string(needed) + " bytes (" +
                std::to_string(bytes) + " and MPI_BSEND_OVERHEAD), but of the attached " +
                std::to_string(buffer.bytes) + " bytes only " +
                std::to_string(buffer.bytes - buffer.taken) + " are surely free";
  return error_on(comm, MPI_ERR_BUFFER, what, "buffer.attached");
}

void heard_from_others() { attached_buffer().taken = 0; }

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Buffer_attach(void* buffer, int size) { return attach(buffer, size); }

int Buffer_attach_c(void* buffer, MPI_Count size) { return attach(buffer, size); }

int Buffer_detach(void* buffer_addr, int* size) {
  MPI_Count bytes = 0;
  const int error = detach(buffer_addr, size == nullptr ? nullptr : &bytes);
  if (error == MPI_SUCCESS) *size = static_cast<int>(bytes);
  return error;
}

int Buffer_detach_c(void* buffer_addr, MPI_Count* size) { return detach(buffer_addr, size); }

}  // namespace rehearse::smpi::calls
