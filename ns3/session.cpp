// SPDX-License-Identifier: GPL-2.0-only
//
// See session.hpp.
#include "ns3/session.hpp"

#include <algorithm>
#include <map>

namespace rehearse_ns3 {

using namespace ns3;

namespace {

constexpr std::uint64_t events_per_clock = 1 << 14;
constexpr std::chrono::milliseconds between_reports(500);

// ns-3's class of each congestion control.
const std::map<std::string, const char*>& variants() {
  static const std::map<std::string, const char*> all{{"reno", "ns3::TcpLinuxReno"},
                                                      {"newreno", "ns3::TcpNewReno"},
                                                      {"cubic", "ns3::TcpCubic"},
                                                      {"dctcp", "ns3::TcpDctcp"}};
  return all;
}

Time picoseconds(std::int64_t count) { return TimeStep(static_cast<std::uint64_t>(count)); }

// Defaults of the sockets that are made later. SYN is repeated after a second, and no connection gives up.
void set_defaults(const protocol::Hello& hello) {
  constexpr std::uint32_t tries = 1'000'000;
  Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                     TypeIdValue(TypeId::LookupByName(variants().at(hello.congestion))));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(hello.segment_bytes));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(hello.window_bytes));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(hello.window_bytes));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(hello.initial_window));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(hello.delayed_ack));
  Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(picoseconds(hello.delayed_ack_timeout)));
  Config::SetDefault("ns3::TcpSocket::TcpNoDelay", BooleanValue(true));
  Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(Seconds(1)));
  Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(tries));
  Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(tries));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(picoseconds(hello.min_rto)));
  Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(hello.has_sack));
  Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(hello.has_timestamps));
  Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(true));
  if (hello.congestion == "dctcp") Config::SetDefault("ns3::TcpSocketBase::UseEcn", EnumValue(TcpSocketState::On));
}

}  // namespace

Session::Network::Network(const protocol::Hello& hello)
    : links(hello.framing_bytes, hello.switch_delay, [this](Ptr<Packet> packet) { connections.on_drop(packet); }),
      hosts(links, hello.packet_bytes),
      connections(hosts, hello.segment_bytes) {}

Session::~Session() = default;

template <class Message>
void Session::put(const Message& message) {
  std::string bytes;
  protocol::append(bytes, message);
  output_(bytes);
}

bool Session::refuse(const std::string& text) {
  put(protocol::Problem{text});
  return false;
}

bool Session::handle(const protocol::Frame& frame) {
  switch (frame.kind) {
    case protocol::Hello::kind: return begin(frame);
    case protocol::Bye::kind: return false;
    default: break;
  }
  if (!network_) return refuse("the first message is not Hello");
  switch (frame.kind) {
    case protocol::NewPath::kind: return add_path(frame);
    case protocol::Until::kind: return run(frame);
    case protocol::Ask::kind:
    case protocol::GetTotals::kind: return answer(frame);
    default: return change(frame);
  }
}

bool Session::begin(const protocol::Frame& frame) {
  protocol::Hello hello;
  if (network_) return refuse("a second Hello");
  if (!protocol::decode(frame, hello)) return refuse("a Hello of another version of Rehearse");
  if (hello.version != protocol::protocol_version)
    return refuse("version " + std::to_string(hello.version) +
                  " of the protocol given; accepted: " + std::to_string(protocol::protocol_version));
  if (variants().count(hello.congestion) == 0)
    return refuse("congestion control '" + hello.congestion + "' given; accepted: reno, newreno, cubic, dctcp");
  if (hello.segment_bytes == 0 || hello.packet_bytes > 65535 || hello.framing_bytes < ppp_bytes)
    return refuse("sizes of packets that no link can have");
  Time::SetResolution(Time::PS);
  simulator_ = CreateObject<StepSimulator>();
  Simulator::SetImplementation(simulator_);
  RngSeedManager::SetSeed(
      static_cast<std::uint32_t>(hello.seed % 4'294'944'442u + 1));  // the range of ns-3's generator
  set_defaults(hello);
  network_ = std::make_unique<Network>(hello);
  reported_ = std::chrono::steady_clock::now();
  put(protocol::Ready{});
  return true;
}

bool Session::add_path(const protocol::Frame& frame) {
  protocol::NewPath path;
  if (!protocol::decode(frame, path)) return refuse("a path that cannot be read");
  const auto is_wrong = [&](const std::vector<std::uint32_t>& links) {
    std::vector<std::uint32_t> sorted = links;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() || sorted.back() >= network_->links.count() ||
           std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  };
  if (is_wrong(path.forward) || is_wrong(path.back)) return refuse("a path with unknown links, or a link twice");
  network_->hosts.add_path(path);
  return true;
}

// Messages without an answer.
bool Session::change(const protocol::Frame& frame) {
  Network& network = *network_;
  const auto find = [&](std::uint32_t connection) -> Connection* {
    return connection < network.connections.count() ? network.connections.find(connection) : nullptr;
  };
  if (protocol::NewLink link; protocol::decode(frame, link)) {
    network.links.add(link);
    return true;
  }
  if (protocol::NewConnection made; protocol::decode(frame, made) && made.path < network.hosts.path_count()) {
    network.connections.add(made.path);
    return true;
  }
  if (protocol::Send send; protocol::decode(frame, send) && find(send.connection) != nullptr) {
    find(send.connection)->send(send.bytes, send.message);
    return true;
  }
  if (protocol::Pace pace; protocol::decode(frame, pace) && find(pace.connection) != nullptr) {
    find(pace.connection)->set_pace(pace.bytes_per_second);
    return true;
  }
  if (protocol::Close close; protocol::decode(frame, close) && close.connection < network.connections.count()) {
    network.connections.close(close.connection);
    return true;
  }
  if (protocol::ChangeLink change; protocol::decode(frame, change) && change.link < network.links.count()) {
    network.links[change.link].change(change);
    return true;
  }
  return refuse("a message of kind " + std::to_string(frame.kind) + " that makes no sense here");
}

bool Session::run(const protocol::Frame& frame) {
  protocol::Until until;
  if (!protocol::decode(frame, until) || until.limit < simulator_->now()) return refuse("a date in the past");
  std::vector<protocol::Done>& done = network_->connections.done();
  std::int64_t limit = until.limit;
  for (std::uint64_t events = 1; simulator_->next_date() <= limit && simulator_->next_date() != StepSimulator::never;
       ++events) {
    simulator_->step();
    if (!done.empty()) limit = simulator_->now();
    if (events % events_per_clock == 0) report_progress();
  }
  if (limit != StepSimulator::never) simulator_->advance_to(limit);
  protocol::At at{simulator_->now(), simulator_->next_date(), {}};
  at.done.swap(done);
  put(at);
  return true;
}

void Session::report_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < between_reports) return;
  reported_ = now;
  put(protocol::Progress{simulator_->now()});
}

bool Session::answer(const protocol::Frame& frame) {
  if (protocol::Ask ask; protocol::decode(frame, ask)) {
    const Connection* connection = network_->connections.of_message(ask.message);
    put(protocol::Left{connection == nullptr ? 0 : connection->left_of(ask.message)});
    return true;
  }
  protocol::GetTotals get;
  if (!protocol::decode(frame, get)) return refuse("a question that cannot be read");
  protocol::Totals totals;
  totals.events = simulator_->GetEventCount();
  for (std::uint32_t i = 0; i < network_->links.count(); ++i) totals.links.push_back(network_->links[i].totals());
  put(totals);
  return true;
}

}  // namespace rehearse_ns3
