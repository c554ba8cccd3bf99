// SPDX-License-Identifier: MIT
//
// A file in the format pcapng with one interface of link type Ethernet and dates in nanoseconds.
//
// Limits: longer comments than 2 KiB are cut.
// Shape:  blocks wait in a buffer. A file that does not stay open is open only while the buffer is written, so that a
//         capture of thousands of links needs few descriptors. Only whole blocks are written.
// Errors: flush() keeps the first error number; later calls do nothing.
// Source: draft-ietf-opsawg-pcapng: section header, interface description and enhanced packet blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "simcore/capture/frame.hpp"

namespace rehearse::capture {

class PcapngFile {
 public:
  struct Limits {
    std::uint32_t snap_length;
    bool stays_open;
  };
  PcapngFile(std::string path, std::string_view interface, Limits limits);
  PcapngFile(const PcapngFile&) = delete;
  PcapngFile& operator=(const PcapngFile&) = delete;
  ~PcapngFile();
  // `length`: of the frame on the link, of which `captured` are the first bytes, at most as many as the snap length. An
  // empty comment is no option.
  void add(std::int64_t nanoseconds, const CapturedBytes& captured, std::uint32_t length, std::string_view comment);
  void flush();
  int error() const { return error_; }  // an errno; 0: none
  const std::string& path() const { return path_; }

 private:
  void put32(std::uint32_t value);
  void put_bytes(const CapturedBytes& bytes);  // with zeros up to a multiple of 4
  void put_option(std::uint16_t code, std::string_view value);
  std::size_t begin_block(std::uint32_t type);
  void end_block(std::size_t begin);

  std::string path_;
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t size_ = 0;  // of the blocks in the buffer
  std::size_t flushed_bytes_;
  int file_ = -1;  // -1: not open
  bool stays_open_;
  bool is_begun_ = false;
  int error_ = 0;
};

}  // namespace rehearse::capture
