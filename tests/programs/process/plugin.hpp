// SPDX-License-Identifier: MIT
//
// What a program and its plugin both define, and must share.
#pragma once

template <class T>
T* only_one() {
  static T value;
  return &value;
}
