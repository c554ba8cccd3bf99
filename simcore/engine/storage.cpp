// SPDX-License-Identifier: MIT
//
// See storage.hpp.
#include "simcore/engine/storage.hpp"

namespace rehearse::engine {

// False: the run has failed.
bool Storage::list_pieces(const StorageAccess& operation, Pending& access) const {
  const FileSystem& files = *run_.options.file_system;
  access.pieces.clear();
  std::vector<DiskId> disks = files.disks;
  if (disks.empty()) {
    disks = run_.platform.disks_of(access.host);
    if (disks.empty()) {
      run_.fail("platform '" + run_.platform.name() + "': host '" + run_.platform.host(access.host).name +
                "' has no disk for the files of its ranks");
      return false;
    }
  }
  const std::vector<std::uint64_t> bytes = striped_bytes(operation.extents, files.stripe_bytes, disks.size());
  for (std::size_t i = 0; i < disks.size(); ++i)
    if (bytes[i] > 0) access.pieces.push_back({disks[i], bytes[i]});
  return true;
}

Request& Storage::start(ActorId id, ActorState& actor, const StorageAccess& operation) {
  actors_.note_interaction(actor);
  Request& request = requests_.make(id, operation.request, Request::Kind::storage);
  if (!run_.options.file_system) {
    request.is_done = true;
    return request;
  }
  Pending& access = pool_.take();
  access.request = &request;
  access.host = actor.host;
  access.is_write = operation.is_write;
  if (!list_pieces(operation, access) || access.pieces.empty()) {
    request.is_done = true;
    pool_.give_back(access);
    return request;
  }
  access.open = access.pieces.size();
  for (std::uint32_t piece = 0; piece < access.pieces.size(); ++piece) begin(access, piece);
  return request;
}

void Storage::begin(Pending& access, std::uint32_t index) {
  Piece& piece = access.pieces[index];
  const HostId server = run_.platform.disk(piece.disk).host;
  const Continuation then{Continuation::Kind::storage, access.index, index};
  piece.is_last_step = server == access.host;
  if (piece.is_last_step)
    return agenda_.start_disk({piece.disk, access.is_write, static_cast<double>(piece.bytes)}, then);
  Transfer transfer{access.host, server};
  if (access.is_write) {
    transfer.bytes = static_cast<double>(piece.bytes);
    transfer.write_to = piece.disk;
  }
  agenda_.start_stream(transfer, then);
}

void Storage::go_on(std::uint32_t index, std::uint32_t number) {
  Pending& access = pool_[index];
  Piece& piece = access.pieces[number];
  if (!piece.is_last_step) {
    piece.is_last_step = true;
    Transfer transfer{run_.platform.disk(piece.disk).host, access.host};
    if (!access.is_write) {
      transfer.bytes = static_cast<double>(piece.bytes);
      transfer.read_from = piece.disk;
    }
    return agenda_.start_stream(transfer, {Continuation::Kind::storage, index, number});
  }
  if (--access.open > 0) return;
  Request& request = *access.request;
  pool_.give_back(access);
  requests_.complete(request);
}

}  // namespace rehearse::engine
