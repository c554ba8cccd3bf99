// SPDX-License-Identifier: MIT
//
// Reads an archive rank by rank, as a child process sends it; its actions are then in memory.
#include <otf2/otf2.h>

#include <bit>
#include <map>
#include <memory>
#include <utility>

#include "simcore/support/format.hpp"
#include "trace/otf2/archive_process.hpp"
#include "trace/otf2/definitions.hpp"
#include "trace/otf2/operations.hpp"
#include "trace/otf2/rank_events.hpp"
#include "trace/otf2_archive.hpp"

namespace rehearse::trace {
namespace {

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
  std::string about() const override {
    return definitions_.instructions ? R"({"counter": "instructions", "flops_per_instruction": 1})"
                                     : R"({"counter": "time between calls", "flops_per_second": 1e10})";
  }
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

using otf2::ArchiveEvent;

void apply(const ArchiveEvent& event, otf2::RankEvents& rank) {
  const otf2::MessageRecord message{event.peer, event.ref, event.tag, event.bytes};
  switch (event.kind) {
    using Kind = ArchiveEvent::Kind;
    case Kind::enter: return rank.enter(event.time, event.ref);
    case Kind::leave: return rank.leave(event.time, event.ref);
    case Kind::counter: return rank.count(event.bytes);
    case Kind::real_counter: return rank.count(std::bit_cast<double>(event.bytes));
    case Kind::send: return rank.send(message, std::nullopt);
    case Kind::isend: return rank.send(message, event.request);
    case Kind::isend_complete: return rank.complete(event.request);
    case Kind::irecv_request: return rank.start_receive(event.request);
    case Kind::irecv: return rank.receive(message, event.request);
    case Kind::recv: return rank.receive(message, std::nullopt);
    case Kind::cancelled: return rank.cancel(event.request);
    case Kind::collective_request: return rank.start_collective(event.request);
    case Kind::collective:
    case Kind::collective_complete:
      return rank.collective(otf2::kind_of(static_cast<OTF2_CollectiveOp>(event.operation)), event.ref, event.peer,
                             event.bytes, event.received,
                             event.kind == Kind::collective ? std::nullopt : std::optional(event.request));
    case Kind::end_of_rank: return;
  }
}

Result<otf2::RankActions> read_rank(otf2::ArchiveProcess& process, otf2::RankEvents& events) {
  for (ArchiveEvent event; process.next(event);) {
    if (event.kind == ArchiveEvent::Kind::end_of_rank) return events.finish();
    apply(event, events);
    if (events.problem()) return Error{*events.problem()};
  }
  return Error{process.problem()};
}

Result<std::unique_ptr<Trace>> read_archive(const std::string& file) {
  otf2::ArchiveProcess process(file);
  auto definitions = process.definitions();
  if (!definitions) return definitions.error();
  auto table = make_communicators(definitions.value());
  if (!table) return table.error();
  // The actions point to names of the definitions, which do not move with their table.
  std::vector<otf2::RankActions> ranks;
  ranks.reserve(definitions.value().locations.size());  // a copy would not keep the places of segments
  for (std::uint32_t rank = 0; rank < definitions.value().locations.size(); ++rank) {
    const double rate = definitions.value().instructions ? 1 : archive_flops_per_second;
    otf2::RankEvents events(definitions.value(), table.value().places[rank], rank, rate);
    auto actions = read_rank(process, events);
    if (!actions) return actions.error();
    ranks.push_back(std::move(actions.value()));
  }
  return std::unique_ptr<Trace>(std::make_unique<ArchiveTrace>(file, std::move(table.value().communicators),
                                                               std::move(ranks), std::move(definitions.value())));
}

}  // namespace

Result<std::unique_ptr<Trace>> open_archive(const std::string& file) {
  auto trace = read_archive(file);
  if (!trace) return Error{file + ": " + trace.error().text};
  return trace;
}

}  // namespace rehearse::trace
