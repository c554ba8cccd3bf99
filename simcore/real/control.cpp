// SPDX-License-Identifier: MIT
//
// See control.hpp.
#include "simcore/real/control.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

#include "simcore/real/program_streams.hpp"

namespace rehearse::real {

using remote::Packer;

Result<void> ControlLink::connect(const std::string& place) {
  namespace asio = boost::asio;
  boost::system::error_code problem;
  const std::string rest = place.substr(place.find(':') + 1);
  if (place.starts_with("unix:")) {
    socket_.connect(asio::local::stream_protocol::endpoint(rest), problem);
  } else {
    const std::size_t colon = rest.rfind(':');
    std::uint16_t port = 0;
    if (colon != std::string::npos) std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), port);
    const auto address = asio::ip::make_address(rest.substr(0, colon), problem);
    if (!problem) socket_.connect(asio::ip::tcp::endpoint(address, port), problem);
    if (!problem) socket_.set_option(asio::ip::tcp::no_delay(true), problem);
  }
  if (problem) return Error{place + ": " + problem.message()};
  read();
  return {};
}

void ControlLink::send(ControlKind kind, const std::string& body) {
  const std::string message = Packer().add(kind).add(body).take();
  boost::system::error_code problem;
  boost::asio::write(socket_, boost::asio::buffer(message), problem);
  if (problem) leave_program();
}

void ControlLink::read() {
  socket_.async_read_some(boost::asio::buffer(buffer_),
                          [this](const boost::system::error_code& problem, std::size_t count) {
                            if (problem == boost::asio::error::operation_aborted) return;
                            if (problem) leave_program();
                            bytes_.append(buffer_.data(), count);
                            take_messages();
                            read();
                          });
}

void ControlLink::take_messages() {
  while (true) {
    remote::Unpacker unpacker(bytes_);
    const auto kind = unpacker.value<ControlKind>();
    std::string body = unpacker.text();
    if (!unpacker.is_good()) return;
    bytes_.erase(0, sizeof(ControlKind) + sizeof(std::uint32_t) + body.size());
    ++count_;
    received_(kind, std::move(body));
  }
}

}  // namespace rehearse::real
