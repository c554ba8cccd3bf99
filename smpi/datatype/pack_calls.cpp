// SPDX-License-Identifier: MIT
//
// MPI_Pack and MPI_Unpack. The packed form is the bytes of the elements one after the other, so packed data can be sent
// as MPI_PACKED and received with the type, and vice versa.
#include <limits>
#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/packed_regions.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

// A buffer that the program describes with a type, and one of bytes with a position in it.
struct Typed {
  void* buffer;
  MPI_Count count;
  MPI_Datatype datatype;
};
template <class Integer>
struct Bytes {
  void* buffer;
  Integer size;
  Integer* position;
};

// The common checks of packing and unpacking; null if one failed.
template <class Integer>
const Datatype* checked(Arguments& check, const Typed& typed, const Bytes<Integer>& bytes) {
  check.count(typed.count).count(bytes.size, "the size of the packed buffer");
  check.pointer(bytes.position, "position");
  const Datatype* type = check.type(typed.datatype);
  if (check.failed()) return nullptr;
  check.buffer(typed.buffer, typed.count, type);
  const MPI_Count position = *bytes.position, room = bytes.size - position;
  check.require(position >= 0 && room >= 0, MPI_ERR_ARG,
                [&] { return fmt::format("position {} is outside of the buffer", position); });
  const MPI_Count limit = type->size() == 0 ? typed.count : room / type->size();
  check.require(
      typed.count <= limit, MPI_ERR_ARG,
      [&] {
        return fmt::format("{} elements of {} bytes do not fit into the remaining {} bytes", typed.count, type->size(),
                           room);
      },
      "argument.buffer");
  if (typed.count * type->size() > 0) check.pointer(bytes.buffer, "the packed buffer");
  return check.failed() ? nullptr : type;
}

template <class Integer>
int pack_into(Arguments check, const Typed& from, const Bytes<Integer>& to) {
  const Datatype* type = checked(check, from, to);
  if (type == nullptr) return check.error();
  std::byte* const buffer = static_cast<std::byte*>(to.buffer);
  pack(*type, from.count, from.buffer, buffer + *to.position);
  packed_regions().add(buffer, *to.position, *type, from.count);
  *to.position += static_cast<Integer>(from.count * type->size());
  return MPI_SUCCESS;
}

// Reports data that is unpacked with other types than it was packed with.
void compare_with_packed(const std::byte* buffer, MPI_Count position, const Datatype& type, MPI_Count count) {
  const PackedRegions* regions = find_packed_regions();
  if (regions == nullptr) return;
  const UnpackMismatch mismatch = regions->compare(buffer, position, type, count);
  if (mismatch.what.empty()) return;
  const bool has_site = mismatch.packed.function[0] != '\0';
  const char* const done = mismatch.sender ? "sent" : "packed";
  std::string what = mismatch.what;
  if (has_site) {
    const std::string by = mismatch.sender ? fmt::format(" by rank {}", mismatch.sender->value) : "";
    what += fmt::format(", {}{} in {}", done, by, text_of(mismatch.packed));
  }
  std::vector<ReportedPlace> others;
  if (has_site) others.push_back({mismatch.packed, fmt::format("was {} here", done), mismatch.sender});
  report_places("message.type", what, {{}, "unpacks it"}, others);
}

template <class Integer>
int unpack_from(Arguments check, const Bytes<Integer>& from, const Typed& to) {
  const Datatype* type = checked(check, to, from);
  if (type == nullptr) return check.error();
  const MPI_Count bytes = to.count * type->size();
  if (bytes > 0) compare_with_packed(static_cast<const std::byte*>(from.buffer), *from.position, *type, to.count);
  unpack(*type, to.count,
         {static_cast<const std::byte*>(from.buffer) + *from.position, static_cast<std::size_t>(bytes)}, to.buffer);
  *from.position += static_cast<Integer>(bytes);
  return MPI_SUCCESS;
}

int get_pack_size(MPI_Count count, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  Arguments check(comm);
  check.count(count, "incount").pointer(size, "size");
  const Datatype* type = check.type(datatype);
  if (check.failed()) return check.error();
  check.require(!__builtin_mul_overflow(count, type->size(), size), MPI_ERR_VALUE_TOO_LARGE,
                "the size does not fit into MPI_Count");
  return check.error();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Pack(const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf, int outsize, int* position,
         MPI_Comm comm) {
  return pack_into<int>(Arguments(comm), {writable(inbuf), incount, datatype}, {outbuf, outsize, position});
}

int Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
           MPI_Count* position, MPI_Comm comm) {
  return pack_into<MPI_Count>(Arguments(comm), {writable(inbuf), incount, datatype}, {outbuf, outsize, position});
}

int Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount, MPI_Datatype datatype,
           MPI_Comm comm) {
  return unpack_from<int>(Arguments(comm), {writable(inbuf), insize, position}, {outbuf, outcount, datatype});
}

int Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
             MPI_Datatype datatype, MPI_Comm comm) {
  return unpack_from<MPI_Count>(Arguments(comm), {writable(inbuf), insize, position}, {outbuf, outcount, datatype});
}

int Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int* size) {
  MPI_Count bytes = 0;
  const int error = get_pack_size(incount, datatype, comm, size == nullptr ? nullptr : &bytes);
  if (error != MPI_SUCCESS) return error;
  *size = bytes > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(bytes);
  return MPI_SUCCESS;
}

int Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  return get_pack_size(incount, datatype, comm, size);
}

}  // namespace rehearse::smpi::calls
