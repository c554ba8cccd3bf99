// SPDX-License-Identifier: MIT
//
// Doubly linked lists whose links are in the things themselves: no allocation, removal without search.
//
// Shape:     a ListNode is a list's head or a thing's place in it; a thing that is in no list is linked to itself.
// Ownership: none; a head that goes away lets its things go.
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

  // The rest of a list whose head is unlinked is a ring without head: everything in it still unlinks properly.
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

// A place in one kind of list; a thing that can be in several has several hooks as bases, each with its own tag.
template <class Tag>
struct Hook : ListNode {};

template <class T, class Tag>
T& owner_of(ListNode& node) {
  return static_cast<T&>(static_cast<Hook<Tag>&>(node));
}

}  // namespace rehearse::sim::kernel
