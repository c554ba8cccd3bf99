// SPDX-License-Identifier: MIT
//
// The pointers of each kind of Operation.
#include "mc/history/own_operation.hpp"

#include <cstring>

#include "mc/history/words.hpp"

namespace rehearse::mc::history {

namespace {

// Copies all data of an Operation, one behind the other: into the node if they are small, otherwise into one block.
class Owner {
 public:
  explicit Owner(Node& node) : node_(node) {}

  template <class T>
  void take(std::span<const T>& from) {
    parts_.push_back({from.data(), from.size_bytes(),
                      [](void* span, const std::byte* at) {
                        auto& s = *static_cast<std::span<const T>*>(span);
                        s = {reinterpret_cast<const T*>(at), s.size()};
                      },
                      &from});
  }
  void take(std::string_view& from) {
    parts_.push_back({from.data(), from.size(),
                      [](void* text, const std::byte* at) {
                        auto& t = *static_cast<std::string_view*>(text);
                        t = {reinterpret_cast<const char*>(at), t.size()};
                      },
                      &from});
  }

  void copy() {
    std::size_t bytes = 0;
    for (const Part& part : parts_) bytes += rounded(part.bytes);
    std::byte* at = node_.few_data.data();
    if (bytes > node_.few_data.size()) {
      node_.data = std::make_unique_for_overwrite<std::byte[]>(bytes);
      node_.bytes += bytes;
      at = node_.data.get();
    }
    for (const Part& part : parts_) {
      if (part.bytes == 0) continue;
      std::memcpy(at, part.from, part.bytes);
      part.point(part.view, at);
      at += rounded(part.bytes);
    }
  }

 private:
  struct Part {
    const void* from;
    std::size_t bytes;
    void (*point)(void* view, const std::byte* at);
    void* view;
  };
  static std::size_t rounded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

  Node& node_;
  boost::container::small_vector<Part, 4> parts_;
};

}  // namespace

void own_operation(Node& node, DataStore& store) {
  Owner owner(node);
  const auto take_data = [&](std::span<const std::byte>& data) {
    if (data.data() == nullptr) return;  // only its size is known
    if (data.size() < DataStore::worthwhile) return owner.take(data);
    node.large_data = store.keep(node.data_hash, data);
    data = {node.large_data.get(), data.size()};
  };
  owner.take(node.ways.list);
  std::visit(
      [&](auto& op) {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Send>) {
          take_data(op.data);
        } else if constexpr (std::is_same_v<Op, Observe>) {
          owner.take(op.requests);
        } else if constexpr (std::is_same_v<Op, Collective>) {
          Words words;
          words.add(op.groups.first == 0 ? op.root : 0, op.flow, op.blocking);
          words.add_text(op.name);
          node.collective_hash = words.hash().low;
          owner.take(op.members);
          owner.take(op.name);
          take_data(op.contribution);
          owner.take(op.segment_bytes);
          owner.take(op.remark);
        } else if constexpr (std::is_same_v<Op, Choose>) {
          owner.take(op.what);
        } else if constexpr (std::is_same_v<Op, Fail>) {
          owner.take(op.id);
          owner.take(op.what);
        }
      },
      node.operation);
  owner.copy();
}

}  // namespace rehearse::mc::history
