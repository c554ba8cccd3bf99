// SPDX-License-Identifier: MIT
//
// Paraver traces: a node for each used host, with a processor for each of its ranks; calls as Extrae's events.
//
// Units: nanoseconds, rounded.
// Order: records by date; records of one rank at one date keep their order.
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/cli/recording/calls.hpp"
#include "app/cli/recording/exports.hpp"
#include "app/cli/recording/extrae_numbers.hpp"
#include "app/output_file.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::uint32_t own_type = 58'000'001;  // of calls for which Extrae has no number

// States as in Extrae's traces.
enum class ParaverState : std::uint32_t {
  idle = 0,
  running = 1,
  waiting_message = 3,
  blocking_send = 4,
  synchronization = 5,
  test_or_probe = 6,
  waiting = 8,
  immediate_send = 10,
  immediate_receive = 11,
  group_communication = 13,
  others = 15,
  send_receive = 16
};

struct StateText {
  ParaverState state;
  const char* name;
  const char* colour;
};
constexpr StateText state_texts[] = {{ParaverState::idle, "Idle", "{117,195,255}"},
                                     {ParaverState::running, "Running", "{0,0,255}"},
                                     {ParaverState::waiting_message, "Waiting a message", "{255,0,0}"},
                                     {ParaverState::blocking_send, "Blocking Send", "{255,0,174}"},
                                     {ParaverState::synchronization, "Synchronization", "{179,0,0}"},
                                     {ParaverState::test_or_probe, "Test/Probe", "{0,255,0}"},
                                     {ParaverState::waiting, "Wait/WaitAll", "{235,0,0}"},
                                     {ParaverState::immediate_send, "Immediate Send", "{255,0,255}"},
                                     {ParaverState::immediate_receive, "Immediate Receive", "{100,100,177}"},
                                     {ParaverState::group_communication, "Group Communication", "{255,144,26}"},
                                     {ParaverState::others, "Others", "{192,224,0}"},
                                     {ParaverState::send_receive, "Send Receive", "{66,66,66}"}};

constexpr const char* configuration_head =
    "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
    "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
    "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\n";

ParaverState state_of(const RecordedCall& call) {
  const bool is_immediate = call.function.starts_with("MPI_I");
  switch (call.doing) {
    case app::Doing::computation: return ParaverState::running;
    case app::Doing::pause: return ParaverState::idle;
    case app::Doing::probe: return ParaverState::test_or_probe;
    case app::Doing::wait:
      return call.function.starts_with("MPI_Test") ? ParaverState::test_or_probe : ParaverState::waiting;
    case app::Doing::send: return is_immediate ? ParaverState::immediate_send : ParaverState::blocking_send;
    case app::Doing::receive: return is_immediate ? ParaverState::immediate_receive : ParaverState::waiting_message;
    case app::Doing::exchange: return ParaverState::send_receive;
    case app::Doing::collective:
      return call.function == "MPI_Barrier" ? ParaverState::synchronization : ParaverState::group_communication;
    case app::Doing::other: break;
  }
  return ParaverState::others;
}

std::int64_t in_nanoseconds(TimePoint date) { return (date.picoseconds + 500) / 1000; }

class Paraver {
 public:
  Paraver(const app::Recording& recording, const Subject& subject)
      : recording_(recording), subject_(subject), calls_(calls_of(recording)) {
    place_ranks();
    for (const RecordedCall& call : calls_.calls)
      if (!call.function.empty() && find_extrae_call(call.function) == nullptr) own_values_.emplace(call.function, 0);
    std::uint32_t value = 0;
    for (auto& [function, number] : own_values_) number = ++value;
  }

  void write_trace(std::ostream& out) {
    write_header(out);
    collect();
    for (const Record& record : records_) write(out, record);
  }

  void write_configuration(std::ostream& out) const {
    out << configuration_head << "STATES\n";
    for (const StateText& text : state_texts) out << fmt::format("{}    {}\n", number_of(text.state), text.name);
    out << "\n\nSTATES_COLOR\n";
    for (const StateText& text : state_texts) out << fmt::format("{}    {}\n", number_of(text.state), text.colour);
    constexpr std::pair<ExtraeGroup, const char*> groups[] = {{ExtraeGroup::point_to_point, "MPI Point-to-point"},
                                                              {ExtraeGroup::collective, "MPI Collective Comm"},
                                                              {ExtraeGroup::other, "MPI Other"},
                                                              {ExtraeGroup::one_sided, "MPI One-sided"},
                                                              {ExtraeGroup::files, "MPI I/O"}};
    for (const auto& [group, name] : groups) {
      out << fmt::format("\n\nEVENT_TYPE\n9    {}    {}\nVALUES\n", static_cast<std::uint32_t>(group), name);
      for (const ExtraeCall& call : extrae_calls())
        if (call.group == group) out << fmt::format("{}   {}\n", call.value, call.function);
      out << "0   End\n";
    }
    if (own_values_.empty()) return;
    out << fmt::format("\n\nEVENT_TYPE\n9    {}    MPI calls without a number of Extrae\nVALUES\n", own_type);
    for (const auto& [function, value] : own_values_) out << fmt::format("{}   {}\n", value, function);
    out << "0   End\n";
  }

  void write_names(std::ostream& out) const {
    out << fmt::format("LEVEL CPU SIZE {}\n", processors_.size());
    for (std::uint32_t i = 0; i < ranks_by_processor_.size(); ++i)
      out << fmt::format("{}.{}\n", i + 1, name_of_host(ranks_by_processor_[i]));
    out << fmt::format("\nLEVEL NODE SIZE {}\n", ranks_of_node_.size());
    for (const std::vector<std::uint32_t>& ranks : ranks_of_node_) out << name_of_host(ranks.front()) << '\n';
    out << fmt::format("\nLEVEL THREAD SIZE {}\n", processors_.size());
    for (std::size_t rank = 0; rank < processors_.size(); ++rank) out << fmt::format("THREAD 1.{}.1\n", rank + 1);
  }

  trace::Losses losses() const {
    trace::Losses losses;
    for (const app::RecordedMessage& message : recording_.messages)
      if (!is_drawn(message)) losses.add(trace::Loss::unreceived_messages);
    return losses;
  }

 private:
  struct Record {
    std::int64_t date = 0;
    enum class Kind : std::uint8_t { state, begin, end, message } kind{};
    std::uint32_t subject = 0;  // call or message
  };

  static std::uint32_t number_of(ParaverState state) { return static_cast<std::uint32_t>(state); }
  static bool is_drawn(const app::RecordedMessage& message) {
    return message.receiver != app::none && message.sender != app::none;
  }
  const std::string& name_of_host(std::uint32_t rank) const {
    return subject_.platform.host(recording_.stops[rank].host).name;
  }

  // Nodes are the used hosts in their order; each rank has a processor of its own.
  void place_ranks() {
    std::map<HostId, std::vector<std::uint32_t>> by_host;
    for (std::uint32_t rank = 0; rank < recording_.stops.size(); ++rank)
      by_host[recording_.stops[rank].host].push_back(rank);
    processors_.resize(recording_.stops.size());
    nodes_.resize(recording_.stops.size());
    for (auto& [host, ranks] : by_host) {
      for (const std::uint32_t rank : ranks) {
        ranks_by_processor_.push_back(rank);
        processors_[rank] = static_cast<std::uint32_t>(ranks_by_processor_.size());
        nodes_[rank] = static_cast<std::uint32_t>(ranks_of_node_.size() + 1);
      }
      ranks_of_node_.push_back(std::move(ranks));
    }
  }

  // The date is always the same, so that equal recordings give equal files.
  void write_header(std::ostream& out) const {
    out << fmt::format("#Paraver (01/01/70 at 00:00):{}_ns:{}(", in_nanoseconds(recording_.end), ranks_of_node_.size());
    for (std::size_t i = 0; i < ranks_of_node_.size(); ++i) out << (i > 0 ? "," : "") << ranks_of_node_[i].size();
    out << fmt::format("):1:{}(", nodes_.size());
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank) out << (rank > 0 ? "," : "") << "1:" << nodes_[rank];
    out << ")\n";
  }

  void collect() {
    for (std::uint32_t i = 0; i < calls_.calls.size(); ++i) {
      const RecordedCall& call = calls_.calls[i];
      const std::int64_t begin = in_nanoseconds(call.begin), end = in_nanoseconds(call.end);
      if (end > begin) records_.push_back({begin, Record::Kind::state, i});
      if (call.function.empty()) continue;
      records_.push_back({begin, Record::Kind::begin, i});
      records_.push_back({end, Record::Kind::end, i});
    }
    for (std::uint32_t i = 0; i < recording_.messages.size(); ++i)
      if (is_drawn(recording_.messages[i]))
        records_.push_back({in_nanoseconds(call_of(recording_.messages[i].sender).begin), Record::Kind::message, i});
    std::ranges::stable_sort(records_, {}, &Record::date);
  }

  const RecordedCall& call_of(std::uint32_t interval) const { return calls_.calls[calls_.of_interval[interval]]; }
  std::string place(std::uint32_t rank) const { return fmt::format("{}:1:{}:1", processors_[rank], rank + 1); }

  void write(std::ostream& out, const Record& record) const {
    if (record.kind == Record::Kind::message) return write(out, recording_.messages[record.subject]);
    const RecordedCall& call = calls_.calls[record.subject];
    if (record.kind == Record::Kind::state) {
      out << fmt::format("1:{}:{}:{}:{}\n", place(call.rank), record.date, in_nanoseconds(call.end),
                         number_of(state_of(call)));
      return;
    }
    const ExtraeCall* known = find_extrae_call(call.function);
    const std::uint32_t type = known == nullptr ? own_type : static_cast<std::uint32_t>(known->group);
    const std::uint32_t value = known == nullptr ? own_values_.at(call.function) : known->value;
    out << fmt::format("2:{}:{}:{}:{}\n", place(call.rank), record.date, type,
                       record.kind == Record::Kind::begin ? value : 0);
  }

  // Logical dates are those of the calls, physical dates those of the data.
  void write(std::ostream& out, const app::RecordedMessage& message) const {
    out << fmt::format("3:{}:{}:{}:{}:{}:{}:{}:{}\n", place(message.source),
                       in_nanoseconds(call_of(message.sender).begin), in_nanoseconds(message.sent),
                       place(message.destination), in_nanoseconds(call_of(message.receiver).begin),
                       in_nanoseconds(message.arrived), message.bytes, message.tag);
  }

  const app::Recording& recording_;
  const Subject& subject_;
  RecordedCalls calls_;
  std::vector<std::uint32_t> processors_, nodes_;  // by rank, from 1 on
  std::vector<std::uint32_t> ranks_by_processor_;
  std::vector<std::vector<std::uint32_t>> ranks_of_node_;
  std::map<std::string, std::uint32_t> own_values_;  // by function
  std::vector<Record> records_;
};

}  // namespace

Result<trace::Losses> write_paraver(const std::string& file, const app::Recording& recording, const Subject& subject) {
  Paraver paraver(recording, subject);
  const std::string stem = file.substr(0, file.rfind('.'));
  const std::string configuration = stem + ".pcf", names = stem + ".row";
  auto written = app::write_file(file, [&](std::ostream& out) { paraver.write_trace(out); });
  if (written) written = app::write_file(configuration, [&](std::ostream& out) { paraver.write_configuration(out); });
  if (written) written = app::write_file(names, [&](std::ostream& out) { paraver.write_names(out); });
  if (written) return paraver.losses();
  std::error_code ignored;
  for (const std::string& each : {file, configuration, names})
    if (std::filesystem::is_regular_file(each, ignored)) std::filesystem::remove(each, ignored);
  return written.error();
}

}  // namespace rehearse::cli
