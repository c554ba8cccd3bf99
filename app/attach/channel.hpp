// SPDX-License-Identifier: MIT
//
// Messages between the processes of an attached job: words, and open files, over Unix sockets (SOCK_SEQPACKET).
//
// Errors:  a message that is too large for the socket (some 200 kB), or a peer that is gone; the text is the system's.
// Threads: none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/attach/file_handle.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ChannelMessage {
  std::vector<std::string> words;
  std::vector<FileHandle> files;  // up to 3
  bool is_end = false;            // no message: the peer has closed the channel
};

Result<std::pair<FileHandle, FileHandle>> make_channel();
// A socket at this path for others to connect to.
Result<FileHandle> listen_at(const std::string& path);
Result<FileHandle> connect_to(const std::string& path);
// Waits for a peer. No value: none came.
std::optional<FileHandle> accept_from(int listener);

// The files stay open here.
Result<void> send_message(int channel, const std::vector<std::string>& words, const std::vector<int>& files = {});
// Waits.
Result<ChannelMessage> receive_message(int channel);

// As bytes: each word with a 0 behind it. Words contain no 0.
std::string pack(const std::vector<std::string>& words);
std::vector<std::string> unpack(std::string_view bytes);

}  // namespace rehearse::app
