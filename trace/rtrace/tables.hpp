// SPDX-License-Identifier: MIT
//
// The tables of a file, which its actions refer to by index: contexts, texts and sites.
//
// Growth: while a run is recorded. What is new is written before the first block that needs it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simcore/ids.hpp"
#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::rtrace {

struct Context {
  ContextId id;
  std::vector<ActorId> members;  // empty: only messages so far
};

// The place of a call.
struct Site {
  std::uint64_t number = 0;  // Program::site()
  std::string call, function, file;
  std::uint32_t line = 0;
};

class Tables {
 public:
  Tables();

  const std::vector<Context>& contexts() const { return contexts_; }
  const std::vector<std::string>& texts() const { return texts_; }
  std::vector<Site>& sites() { return sites_; }
  const std::vector<Site>& sites() const { return sites_; }

  // ---- recording
  std::uint32_t context(ContextId id);
  void set_members(std::uint32_t context, std::span<const ActorId> members);
  std::uint32_t text(std::string_view text);
  std::uint32_t site(std::uint64_t number);

  // What is new since the last call; empty: nothing.
  Bytes take_additions();

  // ---- reading: false: malformed
  bool add(std::span<const std::uint8_t> additions, std::uint32_t ranks);

 private:
  std::vector<Context> contexts_;
  std::vector<std::string> texts_;
  std::vector<Site> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> context_of_, site_of_;
  std::unordered_map<std::string, std::uint32_t> text_of_;
  std::uint64_t last_context_id_ = 0, last_site_number_ = 0;
  std::uint32_t last_context_ = 0, last_site_ = 0;
  const char* last_text_data_ = nullptr;
  std::uint32_t last_text_ = 0;
  std::size_t written_contexts_ = 0, written_texts_ = 0, written_sites_ = 1;
  std::vector<std::uint32_t> given_members_;  // contexts whose members are not written
};

}  // namespace rehearse::trace::rtrace
