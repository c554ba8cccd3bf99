// SPDX-License-Identifier: GPL-2.0-only
//
// rehearse-ns3: simulates packets with ns-3 for `rehearse --network ns3`, which starts it.
//
// Input:  messages of simcore/ns3/protocol.hpp from the socket that is standard input; answers go to the same socket.
// Errors: exit status 1 with a line on standard error after a frame that makes no sense, or if standard input is no
//         socket. The end of the other program ends this one, within a second also during a long simulation.
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "ns3/session.hpp"

namespace {

namespace protocol = rehearse::ns3;

// False: nobody reads any more.
bool write_all(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = send(STDIN_FILENO, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool is_socket(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Handles all whole frames. False: the session is over.
bool handle(std::string& received, rehearse_ns3::Session& session) {
  std::string_view rest = received;
  protocol::Frame frame;
  protocol::FrameStatus status = protocol::FrameStatus::found;
  while ((status = protocol::take_frame(rest, frame)) == protocol::FrameStatus::found)
    if (!session.handle(frame)) return false;
  received.erase(0, received.size() - rest.size());
  if (status != protocol::FrameStatus::damaged) return true;
  std::cerr << "rehearse-ns3: a frame of a length that none has\n";
  _exit(1);
}

}  // namespace

int main() {
  if (!is_socket(STDIN_FILENO)) {
    std::cerr << "rehearse-ns3 simulates packets for `rehearse --network ns3`, which starts it. It has no other use.\n";
    return 1;
  }
  rehearse_ns3::Session session([](const std::string& bytes) {
    if (!write_all(bytes)) _exit(0);  // also during a long simulation, by its reports of progress
  });
  std::string received;
  char buffer[65536];
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    received.append(buffer, static_cast<std::size_t>(got));
    if (!handle(received, session)) break;
  }
  // The objects of ns-3 have no order in which they can be destroyed, and nobody needs them.
  std::cout.flush();
  _exit(0);
}
