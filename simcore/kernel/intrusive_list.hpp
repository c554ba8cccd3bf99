// SPDX-License-Identifier: MIT
//
// Doubly linked lists with the links inside the items: no allocation, removal without search.
//
// Shape:     a ListNode is the head of a list, or the place of an item in it. The node of an item that is in no list is
//            linked to itself.
// Ownership: none; the destructor of a head unlinks it from its items.
#pragma once

#include <cstddef>

namespace rehearse::sim::kernel {

struct ListNode {
  ListNode* previous = this;
  ListNode* next = this;

  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;
  ~ListNode() { unlink(); }

  bool empty() const { return next == this; }
  bool is_linked() const { return next != this; }

  // If a head is unlinked, its items form a ring without a head, from which each item can still be unlinked.
  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
  void push_back(ListNode& node) {
    node.previous = previous;
    node.next = this;
    previous->next = &node;
    previous = &node;
  }
};

// A place in one kind of list. An item for several lists has several hooks as bases, each with its own tag.
template <class Tag>
struct Hook : ListNode {};

template <class T, class Tag>
T& owner_of(ListNode& node) {
  return static_cast<T&>(static_cast<Hook<Tag>&>(node));
}

}  // namespace rehearse::sim::kernel
