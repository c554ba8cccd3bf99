// SPDX-License-Identifier: MIT
//
// Writes definitions and the records of each rank.
#include <otf2/otf2.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>

#include "trace/otf2/operations.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::trace {
namespace {

constexpr std::uint64_t ticks_per_second = 1'000'000'000'000;
constexpr std::uint64_t event_chunk_bytes = 1 << 20, definition_chunk_bytes = 4 << 20;

OTF2_FlushType before_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp after_flush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }
constexpr OTF2_FlushCallbacks flush_callbacks = {before_flush, after_flush};

std::uint64_t ticks(TimePoint date) { return static_cast<std::uint64_t>(date.picoseconds); }

OTF2_RegionRole role_of(const std::string& function) {
  if (function == "MPI_Barrier") return OTF2_REGION_ROLE_BARRIER;
  if (function.find("end") != std::string::npos || function.find("ecv") != std::string::npos)
    return OTF2_REGION_ROLE_POINT2POINT;
  for (const char* word : {"Allreduce", "Allgather", "Alltoall", "Reduce_scatter", "Bcast", "Scatter", "Gather",
                           "Reduce", "Scan", "Exscan"})
    if (function == std::string("MPI_") + word || function == std::string("MPI_") + word + "v")
      return OTF2_REGION_ROLE_COLL_OTHER;
  return OTF2_REGION_ROLE_FUNCTION;
}

OTF2_Paradigm paradigm_of(const std::string& function) {
  return function.starts_with("MPI_") ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
}

class ArchiveWriter {
 public:
  ArchiveWriter(OTF2_Archive* archive, const ArchiveContent& content) : archive_(archive), content_(content) {}

  void write() {
    note(OTF2_Archive_SetFlushCallbacks(archive_, &flush_callbacks, nullptr));
    note(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    note(OTF2_Archive_OpenEvtFiles(archive_));
    for (std::size_t rank = 0; rank < content_.records.size(); ++rank) {
      OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, rank);
      for (const ArchiveRecord& record : content_.records[rank]) write(writer, record);
      std::uint64_t events = 0;
      note(OTF2_EvtWriter_GetNumberOfEvents(writer, &events));
      events_.push_back(events);
      note(OTF2_Archive_CloseEvtWriter(archive_, writer));
    }
    note(OTF2_Archive_CloseEvtFiles(archive_));
    note(OTF2_Archive_OpenDefFiles(archive_));
    for (std::size_t rank = 0; rank < content_.records.size(); ++rank)
      note(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, rank)));
    note(OTF2_Archive_CloseDefFiles(archive_));
    define();
  }
  OTF2_ErrorCode problem() const { return problem_; }
  void note(OTF2_ErrorCode code) {
    if (problem_ == OTF2_SUCCESS) problem_ = code;
  }

 private:
  void write(OTF2_EvtWriter* writer, const ArchiveRecord& at) {
    const std::uint64_t date = ticks(at.date);
    const auto tag = static_cast<std::uint32_t>(at.tag);
    const std::uint32_t root = at.root == ~0u ? OTF2_UNDEFINED_UINT32 : at.root;
    switch (at.kind) {
      using Kind = ArchiveRecord::Kind;
      case Kind::enter: return note(OTF2_EvtWriter_Enter(writer, nullptr, date, at.region));
      case Kind::leave: return note(OTF2_EvtWriter_Leave(writer, nullptr, date, at.region));
      case Kind::send: return note(OTF2_EvtWriter_MpiSend(writer, nullptr, date, at.peer, 0, tag, at.bytes));
      case Kind::isend:
        return note(OTF2_EvtWriter_MpiIsend(writer, nullptr, date, at.peer, 0, tag, at.bytes, at.request));
      case Kind::isend_complete: return note(OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, date, at.request));
      case Kind::irecv_request: return note(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, date, at.request));
      case Kind::irecv:
        return note(OTF2_EvtWriter_MpiIrecv(writer, nullptr, date, at.peer, 0, tag, at.bytes, at.request));
      case Kind::recv: return note(OTF2_EvtWriter_MpiRecv(writer, nullptr, date, at.peer, 0, tag, at.bytes));
      case Kind::collective_begin: return note(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, date));
      case Kind::collective_end:
        return note(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, date, otf2::operation_of(at.collective),
                                                    at.communicator, root, at.bytes, at.received));
      case Kind::collective_request:
        return note(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, date, at.request));
      case Kind::collective_complete:
        return note(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, date,
                                                                 otf2::operation_of(at.collective), at.communicator,
                                                                 root, at.bytes, at.received, at.request));
    }
  }

  OTF2_StringRef text(const std::string& value) {
    const auto [known, is_new] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) note(OTF2_GlobalDefWriter_WriteString(definitions_, known->second, value.c_str()));
    return known->second;
  }

  void define() {
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    note(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, ticks_per_second, 0, ticks(content_.end) + 1,
                                                   OTF2_UNDEFINED_TIMESTAMP));
    const OTF2_StringRef nothing = text("");
    note(OTF2_GlobalDefWriter_WriteParadigm(definitions_, OTF2_PARADIGM_MPI, text("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    for (std::size_t i = 0; i < content_.regions.size(); ++i) {
      const OTF2_StringRef name = text(content_.regions[i]);
      note(OTF2_GlobalDefWriter_WriteRegion(definitions_, static_cast<OTF2_RegionRef>(i), name, name, nothing,
                                            role_of(content_.regions[i]), paradigm_of(content_.regions[i]),
                                            OTF2_REGION_FLAG_NONE, nothing, 0, 0));
    }
    define_locations();
    define_communicators();
  }

  void define_locations() {
    const OTF2_StringRef machine = text("machine"), node = text("node");
    note(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, text(content_.platform), machine,
                                                  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    std::unordered_map<std::string, OTF2_SystemTreeNodeRef> nodes;
    const OTF2_StringRef thread = text("main thread");
    for (std::size_t rank = 0; rank < content_.hosts.size(); ++rank) {
      const auto number = static_cast<std::uint32_t>(rank);
      const auto [host, is_new] =
          nodes.try_emplace(content_.hosts[rank], static_cast<OTF2_SystemTreeNodeRef>(nodes.size() + 1));
      if (is_new)
        note(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, host->second, text(host->first), node, 0));
      note(OTF2_GlobalDefWriter_WriteLocationGroup(definitions_, number, text("rank " + std::to_string(rank)),
                                                   OTF2_LOCATION_GROUP_TYPE_PROCESS, host->second,
                                                   OTF2_UNDEFINED_LOCATION_GROUP));
      note(OTF2_GlobalDefWriter_WriteLocation(definitions_, rank, thread, OTF2_LOCATION_TYPE_CPU_THREAD, events_[rank],
                                              number));
    }
  }

  // Group 0 is the locations of the ranks, group i + 1 the members of communicator i.
  void define_communicators() {
    const OTF2_StringRef nothing = text("");
    std::vector<std::uint64_t> members(content_.hosts.size());
    for (std::size_t rank = 0; rank < members.size(); ++rank) members[rank] = rank;
    note(OTF2_GlobalDefWriter_WriteGroup(definitions_, 0, nothing, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                         OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
                                         members.data()));
    for (std::size_t i = 0; i < content_.communicators.size(); ++i) {
      members.assign(content_.communicators[i].begin(), content_.communicators[i].end());
      const auto number = static_cast<std::uint32_t>(i);
      note(OTF2_GlobalDefWriter_WriteGroup(definitions_, number + 1, nothing, OTF2_GROUP_TYPE_COMM_GROUP,
                                           OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                           static_cast<std::uint32_t>(members.size()), members.data()));
      note(OTF2_GlobalDefWriter_WriteComm(definitions_, number, i == 0 ? text("MPI_COMM_WORLD") : nothing, number + 1,
                                          i == 0 ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE));
    }
  }

  OTF2_Archive* archive_;
  const ArchiveContent& content_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::unordered_map<std::string, OTF2_StringRef> texts_;
  std::vector<std::uint64_t> events_;  // by rank
  OTF2_ErrorCode problem_ = OTF2_SUCCESS;
};

// Of an archive that was written before: libotf2 writes no archive over another.
void remove_archive(const std::filesystem::path& stem) {
  std::error_code ignored;
  for (const char* ending : {".otf2", ".def"}) {
    const std::filesystem::path file = stem.string() + ending;
    if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
  }
  if (!std::filesystem::is_directory(stem, ignored)) return;
  for (const auto& entry : std::filesystem::directory_iterator(stem, ignored))
    if (entry.path().extension() == ".evt" || entry.path().extension() == ".def")
      std::filesystem::remove(entry.path(), ignored);
  std::filesystem::remove(stem, ignored);  // if nothing else is in it
}

}  // namespace

bool has_otf2() { return true; }

Result<void> write_archive(const std::string& file, const ArchiveContent& content) {
  const std::filesystem::path path(file);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (std::error_code ignored; !std::filesystem::is_directory(folder, ignored))
    return Error{file + ": No such file or directory"};
  const std::filesystem::path stem = folder / path.stem();
  if (std::error_code ignored; std::filesystem::exists(stem, ignored) && !std::filesystem::is_directory(stem, ignored))
    return Error{file + ": the archive needs the folder " + stem.string() + ", but this is a file"};
  remove_archive(stem);
  OTF2_Error_RegisterCallback(otf2::be_silent, nullptr);
  OTF2_Archive* archive = OTF2_Archive_Open(folder.c_str(), path.stem().c_str(), OTF2_FILEMODE_WRITE, event_chunk_bytes,
                                            definition_chunk_bytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == nullptr) return Error{file + ": libotf2 cannot write an archive there"};
  ArchiveWriter writer(archive, content);
  writer.write();
  writer.note(OTF2_Archive_Close(archive));
  if (writer.problem() == OTF2_SUCCESS) return {};
  remove_archive(stem);
  return Error{file + ": " + OTF2_Error_GetDescription(writer.problem())};
}

}  // namespace rehearse::trace
