// SPDX-License-Identifier: MIT
//
// See pcapng_file.hpp.
#include "simcore/capture/pcapng_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace rehearse::capture {
namespace {

// The buffers of some hundred files fit into the second cache.
constexpr std::size_t flushed_bytes_open = 8 << 10, flushed_bytes_closed = 32 << 10;
constexpr std::size_t most_option_bytes = 2048, most_block_bytes = 4096;
constexpr std::uint32_t section_header = 0x0a0d0d0a, byte_order_magic = 0x1a2b3c4d;
constexpr std::uint32_t interface_description = 1, enhanced_packet = 6;
constexpr std::uint16_t option_comment = 1, option_interface_name = 2, option_resolution = 9, option_application = 4;
constexpr std::uint16_t link_type_ethernet = 1;

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

}  // namespace

PcapngFile::PcapngFile(std::string path, std::string_view interface, Limits limits)
    : path_(std::move(path)),
      flushed_bytes_(limits.stays_open ? flushed_bytes_open : flushed_bytes_closed),
      stays_open_(limits.stays_open) {
  buffer_ = std::make_unique_for_overwrite<std::uint8_t[]>(flushed_bytes_ + most_block_bytes + limits.snap_length);
  std::size_t block = begin_block(section_header);
  put32(byte_order_magic);
  put32(1);    // version 1.0
  put32(~0u);  // the length of the section is unknown
  put32(~0u);
  put_option(option_application, "rehearse");
  put32(0);  // end of options
  end_block(block);
  block = begin_block(interface_description);
  put32(link_type_ethernet);
  put32(limits.snap_length);
  put_option(option_interface_name, interface);
  put_option(option_resolution, "\x09");  // 10^-9 s
  put32(0);
  end_block(block);
}

void PcapngFile::put32(std::uint32_t value) {
  std::memcpy(buffer_.get() + size_, &value, 4);
  size_ += 4;
}

void PcapngFile::put_bytes(const CapturedBytes& bytes) {
  std::uint8_t* to = buffer_.get() + size_;
  const std::size_t end = size_ + padded(bytes.size());
  std::memcpy(to, bytes.begin.data(), bytes.begin.size());
  std::memset(to + bytes.begin.size(), 0, bytes.zeros + 4);  // up to 3 bytes of padding, in which an end may begin
  if (!bytes.end.empty()) std::memcpy(to + bytes.begin.size() + bytes.zeros, bytes.end.data(), bytes.end.size());
  if (!bytes.end.empty()) std::memset(to + bytes.size(), 0, 4);
  size_ = end;
}

void PcapngFile::put_option(std::uint16_t code, std::string_view value) {
  value = value.substr(0, most_option_bytes);
  put32(code | static_cast<std::uint32_t>(value.size()) << 16);
  put_bytes({{reinterpret_cast<const std::uint8_t*>(value.data()), value.size()}});
}

std::size_t PcapngFile::begin_block(std::uint32_t type) {
  const std::size_t begin = size_;
  put32(type);
  put32(0);  // its length
  return begin;
}

void PcapngFile::end_block(std::size_t begin) {
  const auto length = static_cast<std::uint32_t>(size_ - begin + 4);
  put32(length);
  std::memcpy(buffer_.get() + begin + 4, &length, 4);
}

void PcapngFile::add(std::int64_t nanoseconds, const CapturedBytes& captured, std::uint32_t length,
                     std::string_view comment) {
  if (size_ >= flushed_bytes_) flush();
  const std::uint32_t size = captured.size();
  const auto block = static_cast<std::uint32_t>(28 + padded(size) + 4);
  const std::uint32_t head[7] = {enhanced_packet,
                                 block,
                                 0,
                                 static_cast<std::uint32_t>(nanoseconds >> 32),
                                 static_cast<std::uint32_t>(nanoseconds),
                                 size,
                                 length};
  const std::size_t begin = size_;
  std::memcpy(buffer_.get() + begin, head, sizeof head);
  size_ += sizeof head;
  put_bytes(captured);
  if (comment.empty()) return put32(block);
  put_option(option_comment, comment);
  put32(0);
  end_block(begin);
}

PcapngFile::~PcapngFile() {
  if (file_ >= 0) ::close(file_);
}

void PcapngFile::flush() {
  const std::size_t size = std::exchange(size_, 0);
  if (size == 0 || error_ != 0) return;
  const int mode = O_WRONLY | O_CLOEXEC | (is_begun_ ? O_APPEND : O_CREAT | O_TRUNC);
  if (file_ < 0) file_ = ::open(path_.c_str(), mode, 0666);
  if (file_ < 0) error_ = errno;
  is_begun_ = true;
  for (std::size_t done = 0; done < size && error_ == 0;) {
    const ssize_t written = ::write(file_, buffer_.get() + done, size - done);
    if (written > 0) done += static_cast<std::size_t>(written);
    else if (written == 0 || errno != EINTR) error_ = written < 0 ? errno : ENOSPC;
  }
  if (file_ < 0 || (stays_open_ && error_ == 0)) return;
  if (::close(std::exchange(file_, -1)) != 0 && error_ == 0) error_ = errno;
}

}  // namespace rehearse::capture
