// SPDX-License-Identifier: MIT
//
// The text of a Log with a Published: three numbers, the length of the name, the name, the bytes.
#include "simcore/published.hpp"

#include <cstring>

#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

struct Head {
  std::int64_t value;
  std::uint64_t address, name_size;
  Published::Kind kind;
};

}  // namespace

std::string text_of(const Published& published) {
  Head head;
  std::memset(&head, 0, sizeof head);
  head.value = published.value;
  head.address = published.address;
  head.name_size = published.name.size();
  head.kind = published.kind;
  std::string text(sizeof head, '\0');
  std::memcpy(text.data(), &head, sizeof head);
  return text + published.name + published.bytes;
}

Published read_published(std::string_view text) {
  Head head;
  REHEARSE_ASSERT(text.size() >= sizeof head, "something else than was published");
  std::memcpy(&head, text.data(), sizeof head);
  text.remove_prefix(sizeof head);
  REHEARSE_ASSERT(text.size() >= head.name_size, "something else than was published");
  return {head.kind, std::string(text.substr(0, head.name_size)), head.value, std::string(text.substr(head.name_size)),
          head.address};
}

}  // namespace rehearse
