// SPDX-License-Identifier: MIT
//
// See peers.hpp.
#include "simcore/real/peers.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::real {
namespace {

constexpr std::size_t part_bytes_max = std::size_t{64} << 10;
constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr auto connect_limit = std::chrono::seconds(30);
constexpr std::size_t least_message_bytes = 2 * sizeof(std::uint32_t);  // kind and run

std::string framed(PeerKind kind, std::uint32_t run, std::string_view body, std::uint64_t filling) {
  std::string frame = remote::Packer()
                          .add(static_cast<std::uint32_t>(least_message_bytes + body.size() + filling))
                          .add(kind)
                          .add(run)
                          .take();
  frame += body;
  frame.append(filling, '\0');
  return frame;
}

template <class T>
T value_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

struct PeerNetwork::Outgoing {
  explicit Outgoing(boost::asio::io_context& io) : socket(io) {}
  Tcp::socket socket;
  std::string queued;   // messages
  std::string current;  // that are written
  bool is_writing = false;
  std::deque<Transfer> contents;
};

struct PeerNetwork::Incoming {
  explicit Incoming(Tcp::socket taken) : socket(std::move(taken)), buffer(buffer_bytes) {}
  Tcp::socket socket;
  std::vector<char> buffer;
  std::string bytes;  // without a complete message
  bool is_known = false;
  std::uint32_t process = 0;
};

PeerNetwork::PeerNetwork(boost::asio::io_context& io, Handlers handlers)
    : io_(io), handlers_(std::move(handlers)), acceptor_(io) {}

PeerNetwork::~PeerNetwork() = default;

Result<std::uint16_t> PeerNetwork::open(const std::string& address) {
  boost::system::error_code problem;
  const auto parsed = boost::asio::ip::make_address(address, problem);
  if (!problem) acceptor_.open(Tcp::endpoint(parsed, 0).protocol(), problem);
  if (!problem) acceptor_.bind(Tcp::endpoint(parsed, 0), problem);
  if (!problem) acceptor_.listen(Tcp::acceptor::max_listen_connections, problem);
  if (problem) return Error{"address " + address + ": " + problem.message()};
  return acceptor_.local_endpoint().port();
}

Result<void> PeerNetwork::connect(std::uint32_t self, const std::vector<PeerAddress>& peers,
                                  const std::string& secret) {
  self_ = self;
  secret_ = secret;
  lost_.resize(peers.size());
  outgoing_.resize(peers.size());
  expected_ = static_cast<std::uint32_t>(peers.size()) - 1;
  accept();
  std::string failure;
  std::uint32_t connected = 0;
  for (std::uint32_t i = 0; i < peers.size(); ++i) {
    if (i == self) continue;
    outgoing_[i] = std::make_unique<Outgoing>(io_);
    boost::system::error_code problem;
    const auto address = boost::asio::ip::make_address(peers[i].address, problem);
    outgoing_[i]->socket.async_connect(Tcp::endpoint(address, peers[i].port),
                                       [&, i](const boost::system::error_code& error) {
                                         if (error) {
                                           failure = fmt::format("{}:{}: {}", peers[i].address, peers[i].port,
                                                                 error.message());
                                           return;
                                         }
                                         ++connected;
                                         outgoing_[i]->socket.set_option(Tcp::no_delay(true));
                                         outgoing_[i]->queued = remote::Packer().add(secret_).add(self_).take();
                                         write(i);
                                       });
  }
  const auto limit = std::chrono::steady_clock::now() + connect_limit;
  while ((connected < expected_ || greeted_ < expected_) && failure.empty())
    if (io_.run_one_until(limit) == 0 && std::chrono::steady_clock::now() >= limit)
      failure = fmt::format("{} of {} other processes are reached after {} s", std::min(connected, greeted_), expected_,
                            connect_limit.count());
  acceptor_.close();
  if (!failure.empty()) return Error{failure};
  return {};
}

void PeerNetwork::accept() {
  acceptor_.async_accept([this](const boost::system::error_code& problem, Tcp::socket socket) {
    if (problem) return;
    socket.set_option(Tcp::no_delay(true));
    read(std::make_shared<Incoming>(std::move(socket)));
    accept();
  });
}

void PeerNetwork::read(const std::shared_ptr<Incoming>& from) {
  from->socket.async_read_some(boost::asio::buffer(from->buffer),
                               [this, from](const boost::system::error_code& problem, std::size_t count) {
                                 if (problem) {
                                   if (from->is_known) lose(from->process);
                                   return;
                                 }
                                 from->bytes.append(from->buffer.data(), count);
                                 if (!from->is_known && !greet(*from)) return;
                                 if (!from->is_known || take_messages(*from)) read(from);
                                 else lose(from->process);
                               });
}

// False: it is none of the processes.
bool PeerNetwork::greet(Incoming& from) {
  const std::size_t needed = sizeof(std::uint32_t) + secret_.size() + sizeof(std::uint32_t);
  if (from.bytes.size() < needed) return true;
  remote::Unpacker greeting(from.bytes);
  const std::string secret = greeting.text();
  from.process = greeting.value<std::uint32_t>();
  if (!greeting.is_good() || secret != secret_ || from.process >= outgoing_.size() || from.process == self_)
    return false;
  from.bytes.erase(0, needed);
  from.is_known = true;
  ++greeted_;
  return true;
}

bool PeerNetwork::take_messages(Incoming& from) {
  const std::string bytes = std::move(from.bytes);
  std::size_t at = 0;
  while (bytes.size() - at >= sizeof(std::uint32_t)) {
    const auto count = value_at<std::uint32_t>(bytes, at);
    if (count < least_message_bytes) return false;
    if (bytes.size() - at - sizeof(std::uint32_t) < count) break;
    const std::string_view message(bytes.data() + at + sizeof(std::uint32_t), count);
    const auto run = value_at<std::uint32_t>(message, sizeof(std::uint32_t));
    at += sizeof(std::uint32_t) + count;
    if (run == run_) hand_over(from.process, message);
    else if (run > run_) waiting_.push_back({from.process, std::string(message)});
  }
  from.bytes = bytes.substr(at);
  return true;
}

void PeerNetwork::hand_over(std::uint32_t process, std::string_view message) {
  ++received_[process];
  handlers_.received(process, value_at<PeerKind>(message, 0), message.substr(least_message_bytes));
}

void PeerNetwork::begin_run(std::uint32_t run) {
  run_ = run;
  sent_.assign(outgoing_.size(), 0);
  received_.assign(outgoing_.size(), 0);
  written_ = 0;
  for (const auto& to : outgoing_)
    if (to) to->contents.clear();
  const std::vector<Waiting> early = std::exchange(waiting_, {});
  for (const Waiting& message : early)
    if (value_at<std::uint32_t>(message.message, sizeof(std::uint32_t)) == run)
      hand_over(message.process, message.message);
}

void PeerNetwork::send(std::uint32_t process, PeerKind kind, const std::string& body, std::uint64_t filling) {
  if (lost_[process]) return;
  ++sent_[process];
  outgoing_[process]->queued += framed(kind, run_, body, filling);
  write(process);
}

std::uint32_t PeerNetwork::send_content(std::uint32_t process, const std::string& header, Content content) {
  const std::uint32_t number = ++transfers_;
  if (lost_[process]) return number;
  send(process, PeerKind::content, header + remote::Packer().add(number).take());
  outgoing_[process]->contents.push_back({number, std::move(content), 0});
  write(process);
  return number;
}

void PeerNetwork::drop_content(std::uint32_t process, std::uint32_t number) {
  if (lost_[process]) return;
  std::erase_if(outgoing_[process]->contents, [&](const Transfer& transfer) { return transfer.number == number; });
}

// The next part of the next content.
void PeerNetwork::add_part(std::uint32_t process) {
  Outgoing& to = *outgoing_[process];
  Transfer transfer = std::move(to.contents.front());
  to.contents.pop_front();
  const std::size_t count = std::min(part_bytes_max, transfer.content.bytes.size() - transfer.at);
  const std::uint64_t filling = std::min<std::uint64_t>(part_bytes_max - count, transfer.content.rest);
  const std::string body = remote::Packer()
                               .add(transfer.number)
                               .add(filling)
                               .add(std::string_view(transfer.content.bytes).substr(transfer.at, count))
                               .take();
  ++sent_[process];
  to.queued += framed(PeerKind::part, run_, body, filling);
  transfer.at += count;
  transfer.content.rest -= filling;
  if (transfer.at < transfer.content.bytes.size() || transfer.content.rest > 0)
    to.contents.push_back(std::move(transfer));
}

void PeerNetwork::write(std::uint32_t process) {
  Outgoing& to = *outgoing_[process];
  if (to.is_writing || !to.socket.is_open()) return;
  if (to.queued.empty() && !to.contents.empty()) add_part(process);
  if (to.queued.empty()) return;
  to.is_writing = true;
  to.current = std::exchange(to.queued, {});
  boost::asio::async_write(to.socket, boost::asio::buffer(to.current),
                           [this, process](const boost::system::error_code& problem, std::size_t count) {
                             outgoing_[process]->is_writing = false;
                             written_ += count;
                             if (problem) return lose(process);
                             write(process);
                           });
}

void PeerNetwork::lose(std::uint32_t process) {
  if (lost_[process]) return;
  lost_[process] = true;
  boost::system::error_code ignored;
  outgoing_[process]->socket.close(ignored);
  outgoing_[process]->contents.clear();
  handlers_.lost(process);
}

bool PeerNetwork::is_writing_content() const {
  return std::ranges::any_of(outgoing_, [](const auto& to) { return to && !to->contents.empty(); });
}

}  // namespace rehearse::real
