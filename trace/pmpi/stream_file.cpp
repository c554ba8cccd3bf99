// SPDX-License-Identifier: MIT
//
// See stream_file.hpp.
#include "trace/pmpi/stream_file.hpp"

#include <cstring>
#include <string_view>

#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::pmpi {

Result<std::unique_ptr<StreamFile>> StreamFile::open(const std::string& path) {
  std::unique_ptr<StreamFile> file(new StreamFile(path));
  if (const auto done = file->read(); !done) return done.error();
  return file;
}

Result<void> StreamFile::read() {
  if (!file_.problem().empty()) return Error{path_ + ": " + file_.problem()};
  const std::string_view text = file_.text();
  constexpr std::string_view magic(REHEARSE_STREAM_MAGIC, 8);
  if (!text.starts_with(magic))
    return Error{path_ + ": not the stream of a rank; accepted: files of rehearse trace record --real"};
  if (text.size() < rehearse_stream_head_bytes) return Error{path_ + ": the stream is cut short in its head"};
  std::memcpy(&head_, text.data(), sizeof head_);
  if (head_.version != rehearse_stream_version)
    return Error{path_ + ": a stream of version " + std::to_string(head_.version) + "; this program reads version " +
                 std::to_string(rehearse_stream_version)};
  if (head_.bytes > text.size() - rehearse_stream_head_bytes)
    return Error{path_ + ": the stream is cut short: " + std::to_string(head_.bytes) + " bytes of records, " +
                 std::to_string(text.size() - rehearse_stream_head_bytes) + " in the file"};
  if (head_.ranks == 0 || head_.rank >= head_.ranks || head_.counter > rehearse_counter_instructions)
    return Error{path_ + ": the stream is damaged: its head"};
  rtrace::ByteReader in(records());
  if (in.is_at_end() || in.get_fixed(1) != 'A') return {};
  for (std::size_t pairs = in.get_count(); pairs > 0 && in.is_good(); --pairs) {
    const std::string key = in.get_text();
    about_[key] = in.get_text();
  }
  return {};
}

const std::string& StreamFile::about(const std::string& key) const {
  static const std::string nothing;
  const auto found = about_.find(key);
  return found == about_.end() ? nothing : found->second;
}

std::span<const std::uint8_t> StreamFile::records() const {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(file_.text().data());
  return {bytes + rehearse_stream_head_bytes, static_cast<std::size_t>(head_.bytes)};
}

}  // namespace rehearse::trace::pmpi
