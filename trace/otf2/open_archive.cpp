// SPDX-License-Identifier: MIT
//
// Reads an archive rank by rank; its actions are then in memory.
#if __has_include(<otf2/otf2.h>)
#include <otf2/otf2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "simcore/support/format.hpp"
#include "trace/otf2/definitions.hpp"
#include "trace/otf2/operations.hpp"
#include "trace/otf2/rank_events.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::trace {
namespace {

using otf2::RankEvents;

RankEvents& events_of(void* data) { return *static_cast<RankEvents*>(data); }

OTF2_CallbackCode answer(const RankEvents& events) {
  return events.problem() ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  events_of(data).enter(time, region);
  return answer(events_of(data));
}
OTF2_CallbackCode on_leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  events_of(data).leave(time, region);
  return answer(events_of(data));
}
OTF2_CallbackCode on_metric_values(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                   OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
                                   const OTF2_MetricValue* values) {
  events_of(data).metric(metric, count, types, values);
  return answer(events_of(data));
}
OTF2_CallbackCode on_send(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                          std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  events_of(data).send(receiver, communicator, tag, bytes, std::nullopt);
  return answer(events_of(data));
}
OTF2_CallbackCode on_isend(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                           std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                           std::uint64_t request) {
  events_of(data).send(receiver, communicator, tag, bytes, request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_isend_complete(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                    std::uint64_t request) {
  events_of(data).complete(request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_irecv_request(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                   std::uint64_t request) {
  events_of(data).start_receive(request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_irecv(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                           std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
                           std::uint64_t request) {
  events_of(data).receive(sender, communicator, tag, bytes, request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_recv(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                          std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
  events_of(data).receive(sender, communicator, tag, bytes, std::nullopt);
  return answer(events_of(data));
}
OTF2_CallbackCode on_cancelled(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                               std::uint64_t request) {
  events_of(data).cancel(request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_collective(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                                std::uint64_t sent, std::uint64_t received) {
  events_of(data).collective(operation, communicator, root, sent, received, std::nullopt);
  return answer(events_of(data));
}
OTF2_CallbackCode on_icollective_request(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data,
                                         OTF2_AttributeList*, std::uint64_t request) {
  events_of(data).start_collective(request);
  return answer(events_of(data));
}
OTF2_CallbackCode on_icollective(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* data, OTF2_AttributeList*,
                                 OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                                 std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
  events_of(data).collective(operation, communicator, root, sent, received, request);
  return answer(events_of(data));
}

std::unique_ptr<OTF2_EvtReaderCallbacks, void (*)(OTF2_EvtReaderCallbacks*)> make_callbacks() {
  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
  OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric_values);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_icollective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_icollective);
  return {callbacks, OTF2_EvtReaderCallbacks_Delete};
}

class ArchiveTrace final : public Trace {
 public:
  ArchiveTrace(std::string file, Communicators communicators, std::vector<otf2::RankActions> ranks,
               otf2::Definitions definitions)
      : file_(std::move(file)),
        communicators_(std::move(communicators)),
        ranks_(std::move(ranks)),
        definitions_(std::move(definitions)) {}

  std::string format() const override { return "otf2"; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(ranks_.size()); }
  const Communicators& communicators() const override { return communicators_; }
  bool has_request_numbers() const override { return true; }
  std::unique_ptr<ActionReader> read(std::uint32_t rank) const override {
    return std::make_unique<Reader>(file_, ranks_[rank]);
  }

 private:
  class Reader final : public ActionReader {
   public:
    Reader(const std::string& file, const otf2::RankActions& rank) : file_(file), rank_(rank), calls_(rank.calls) {}

    bool next(Action& action) override {
      if (next_ == calls_.size()) {
        if (!rank_.unsupported.function.empty())
          unsupported_ = fmt::format("{} in a trace ({}: behind action {}: {})", rank_.unsupported.function, file_,
                                     next_, rank_.unsupported.kind);
        return false;
      }
      action = calls_[next_++].action;
      return true;
    }
    const std::optional<Error>& problem() const override { return problem_; }
    const std::optional<std::string>& unsupported() const override { return unsupported_; }
    std::string text() const override {
      if (calls_.empty()) return "nothing";
      const otf2::CallOfArchive& call = calls_[next_ == 0 ? 0 : next_ - 1];
      if (call.function == nullptr) return "compute";
      std::string text = *call.function;
      if (const auto* send = std::get_if<SendAction>(&call.action.what))
        text += fmt::format(" to {} tag {}, {} bytes", send->destination, send->tag, send->bytes);
      if (const auto* receive = std::get_if<ReceiveAction>(&call.action.what); receive != nullptr && receive->source)
        text += fmt::format(" from {} tag {}", *receive->source, receive->tag.value_or(0));
      return text;
    }
    std::string file() const override { return file_; }
    std::string place() const override { return fmt::format("{}: action {}", file_, next_); }
    Losses losses() const override { return rank_.losses; }

   private:
    const std::string& file_;
    const otf2::RankActions& rank_;
    const std::vector<otf2::CallOfArchive>& calls_;
    std::size_t next_ = 0;
    std::optional<Error> problem_;
    std::optional<std::string> unsupported_;
  };

  std::string file_;
  Communicators communicators_;
  std::vector<otf2::RankActions> ranks_;
  otf2::Definitions definitions_;  // names of functions
};

struct CommunicatorTable {
  Communicators communicators{1};
  std::vector<otf2::Places> places;  // by rank
};

// All communicators but the world are splits of it.
Result<CommunicatorTable> make_communicators(const otf2::Definitions& definitions) {
  const auto ranks = static_cast<std::uint32_t>(definitions.locations.size());
  CommunicatorTable table;
  table.places.resize(ranks);
  std::map<OTF2_CommRef, const std::vector<std::uint32_t>*> in_order;
  for (const auto& [self, members] : definitions.communicators) in_order.emplace(self, &members);
  std::vector<std::vector<Split>> splits(ranks);
  std::vector<OTF2_CommRef> split_of;
  bool has_world = false;
  for (const auto& [self, members] : in_order) {
    bool is_world = !has_world && members->size() == ranks;
    for (std::uint32_t i = 0; is_world && i < ranks; ++i) is_world = (*members)[i] == i;
    if (is_world) {
      has_world = true;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) table.places[rank][self] = {0, rank};
      continue;
    }
    split_of.push_back(self);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      splits[rank].push_back({0, -1, 0, static_cast<std::int64_t>(split_of.size()), false, 0});
    for (std::uint32_t i = 0; i < members->size(); ++i) {
      Split& split = splits[(*members)[i]].back();
      split.colour = 0;
      split.key = i;
    }
  }
  auto made = Communicators::make(splits);
  if (!made) return made.error();
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    for (std::size_t i = 0; i < split_of.size(); ++i)
      if (const Membership* place = made.value().made_by(rank, i))
        table.places[rank][split_of[i]] = {place->communicator, place->member};
  table.communicators = std::move(made.value());
  return table;
}

// The local definitions of a location map its numbers to the global ones.
Result<void> read_local_definitions(OTF2_Reader* reader, const otf2::Definitions& definitions) {
  for (const OTF2_LocationRef location : definitions.locations) OTF2_Reader_SelectLocation(reader, location);
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  OTF2_Reader_OpenEvtFiles(reader);
  if (!has_definitions) return {};
  for (const OTF2_LocationRef location : definitions.locations) {
    OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader, location);
    if (local == nullptr) continue;
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
    OTF2_Reader_CloseDefReader(reader, local);
    if (code != OTF2_SUCCESS)
      return Error{
          fmt::format("the definitions of location {} cannot be read: {}", location, OTF2_Error_GetDescription(code))};
  }
  OTF2_Reader_CloseDefFiles(reader);
  return {};
}

Result<otf2::RankActions> read_rank(OTF2_Reader* reader, OTF2_LocationRef location, RankEvents& events) {
  OTF2_EvtReader* source = OTF2_Reader_GetEvtReader(reader, location);
  if (source == nullptr) return Error{fmt::format("location {} has no events", location)};
  const auto callbacks = make_callbacks();
  OTF2_ErrorCode code = OTF2_Reader_RegisterEvtCallbacks(reader, source, callbacks.get(), &events);
  std::uint64_t read = 0;
  if (code == OTF2_SUCCESS) code = OTF2_Reader_ReadAllLocalEvents(reader, source, &read);
  OTF2_Reader_CloseEvtReader(reader, source);
  if (events.problem()) return Error{*events.problem()};
  if (code != OTF2_SUCCESS)
    return Error{
        fmt::format("the events of location {} cannot be read: {}", location, OTF2_Error_GetDescription(code))};
  return events.finish();
}

Result<std::unique_ptr<Trace>> read_archive(OTF2_Reader* reader, const std::string& file) {
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  auto definitions = otf2::read_definitions(reader);
  if (!definitions) return Error{file + ": " + definitions.error().text};
  auto table = make_communicators(definitions.value());
  if (!table) return Error{file + ": " + table.error().text};
  if (const auto local = read_local_definitions(reader, definitions.value()); !local)
    return Error{file + ": " + local.error().text};
  // The actions point to names of the definitions, which do not move with their table.
  std::vector<otf2::RankActions> ranks;
  ranks.reserve(definitions.value().locations.size());  // a copy would not keep the places of segments
  for (std::uint32_t rank = 0; rank < definitions.value().locations.size(); ++rank) {
    const double rate = definitions.value().instructions ? 1 : archive_flops_per_second;
    RankEvents events(definitions.value(), table.value().places[rank], rank, rate);
    auto actions = read_rank(reader, definitions.value().locations[rank], events);
    if (!actions) return Error{file + ": " + actions.error().text};
    ranks.push_back(std::move(actions.value()));
  }
  OTF2_Reader_CloseEvtFiles(reader);
  return std::unique_ptr<Trace>(std::make_unique<ArchiveTrace>(file, std::move(table.value().communicators),
                                                               std::move(ranks), std::move(definitions.value())));
}

}  // namespace

Result<std::unique_ptr<Trace>> open_archive(const std::string& file) {
  OTF2_Error_RegisterCallback(otf2::be_silent, nullptr);
  OTF2_Reader* reader = OTF2_Reader_Open(file.c_str());
  if (reader == nullptr) return Error{file + ": libotf2 cannot read this archive"};
  auto trace = read_archive(reader, file);
  OTF2_Reader_Close(reader);
  return trace;
}

}  // namespace rehearse::trace
#endif
