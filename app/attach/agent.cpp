// SPDX-License-Identifier: MIT
//
// The launch agent: it passes its streams and a command to the session, which starts the command on another host.
#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "app/attach.hpp"
#include "app/attach/channel.hpp"

namespace rehearse::app {

Result<int> enter_host(const std::string& socket, const std::string& host, const std::vector<std::string>& words) {
  const auto channel = connect_to(socket);
  if (!channel) return channel.error();
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::current_path(problem);
  const auto sent = send_message(channel.value().get(), {host, problem ? "/" : folder.string(), line},
                                 {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO});
  if (!sent) return sent.error();
  auto answer = receive_message(channel.value().get());
  if (!answer) return answer.error();
  const std::vector<std::string>& said = answer.value().words;
  if (said.size() != 2) return Error{"the job has ended"};
  if (said[0] != "ended") return Error{said[1]};
  int status = 0;
  std::from_chars(said[1].data(), said[1].data() + said[1].size(), status);
  return status;
}

}  // namespace rehearse::app
