// SPDX-License-Identifier: MIT
//
// The table of windows, and what a program attaches to a window: attributes, name, hints, error handler.
//
// Source: MPI 5.0, 7.7.4 (caching), 7.8 (names), 9.3.2 (error handlers), 12.2.6 (predefined attributes), 12.2.7
// (hints).
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/attribute_table.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/window.hpp"
#include "smpi/rma/window_hints.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::string_view unknown_window_key = "the key was freed, is predefined or never existed";

struct WindowAttributes {
  AttributeTable<MPI_Win, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function> table;
};

auto& window_attributes() { return per_rank<WindowAttributes>().table; }

int failed_window_callback(MPI_Win win, int code) {
  return error_about(win, code, "the attribute's delete function failed");
}

// The value that MPI_Win_get_attr stores for a predefined attribute; null: there is no such attribute.
void* find_predefined_of(Window& window, int keyval) {
  switch (keyval) {
    case MPI_WIN_BASE: return window.own().base;
    case MPI_WIN_SIZE: return &window.size_attribute;
    case MPI_WIN_DISP_UNIT: return &window.unit_attribute;
    case MPI_WIN_CREATE_FLAVOR: return &window.flavor;
    case MPI_WIN_MODEL: return &window.model;
    default: return nullptr;
  }
}

bool is_predefined_key(int keyval) { return keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL; }

}  // namespace

std::vector<CreationSite> live_window_keys() {
  std::vector<CreationSite> sites;
  if (const auto* attributes = find_per_rank<WindowAttributes>())
    attributes->table.for_each_live_key([&](const CreationSite& site) { sites.push_back(site); });
  return sites;
}

Windows& windows() { return per_rank<Windows>(); }

Window* find_window(MPI_Win handle) {
  Windows* all = find_per_rank<Windows>();
  std::unique_ptr<Window>* found = all == nullptr ? nullptr : all->made.find(handle);
  return found == nullptr ? nullptr : found->get();
}

const Window* find_window(const Windows& windows, ContextId context) {
  const Window* found = nullptr;
  windows.made.for_each_live([&](MPI_Win, const std::unique_ptr<Window>& window, const CreationSite&) {
    if (window->communicator->message_context() == context) found = window.get();
  });
  return found;
}

int delete_window_attributes(MPI_Win window) {
  auto* known = find_per_rank<WindowAttributes>();
  return known == nullptr ? MPI_SUCCESS : known->table.remove_all(window);
}

Hints default_window_hints() {
  return {{"accumulate_ordering", "rar,raw,war,waw"}, {"accumulate_ops", "same_op_no_op"}};
}

void set_window_hints(Hints& hints, const Hints& given) {
  static constexpr std::string_view known[] = {
      "no_locks",  "accumulate_ordering", "accumulate_ops",         "mpi_accumulate_granularity",
      "same_size", "same_disp_unit",      "alloc_shared_noncontig", "mpi_minimum_memory_alignment"};
  for (const auto& [key, value] : given) {
    if (std::ranges::find(known, key) == std::end(known)) continue;
    const auto old = std::ranges::find(hints, key, &Hints::value_type::first);
    if (old == hints.end()) hints.emplace_back(key, value);
    else old->second = value;
  }
}

bool is_order_relaxed(const Hints& hints) {
  const auto order = std::ranges::find(hints, "accumulate_ordering", &Hints::value_type::first);
  if (order == hints.end()) return false;
  return !std::ranges::all_of(std::array{"rar", "raw", "war", "waw"},
                              [&](const char* pair) { return order->second.find(pair) != std::string::npos; });
}

bool is_true(const Hints& hints, std::string_view key) {
  return std::ranges::any_of(hints, [&](const auto& hint) { return hint.first == key && hint.second == "true"; });
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_create_keyval(MPI_Win_copy_attr_function* win_copy_attr_fn, MPI_Win_delete_attr_function* win_delete_attr_fn,
                      int* win_keyval, void* extra_state) {
  Arguments check;
  check.pointer(win_keyval, "win_keyval");
  if (check.failed()) return check.error();
  *win_keyval = window_attributes().make_key(win_copy_attr_fn, win_delete_attr_fn, extra_state);
  return MPI_SUCCESS;
}

int Win_free_keyval(int* win_keyval) {
  Arguments check;
  check.pointer(win_keyval, "win_keyval");
  if (check.failed()) return check.error();
  check.require(window_attributes().is_known(*win_keyval), MPI_ERR_KEYVAL, unknown_window_key);
  if (check.failed()) return check.error();
  window_attributes().free_key(*win_keyval);
  *win_keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int Win_set_attr(MPI_Win win, int win_keyval, void* attribute_val) {
  Arguments check(win);
  check.require(window_attributes().is_live(win_keyval), MPI_ERR_KEYVAL, unknown_window_key);
  if (check.failed()) return check.error();
  const int code = window_attributes().set(win, win_keyval, attribute_val);
  return code == MPI_SUCCESS ? MPI_SUCCESS : failed_window_callback(win, code);
}

int Win_get_attr(MPI_Win win, int win_keyval, void* attribute_val, int* flag) {
  Arguments check(win);
  check.pointer(attribute_val, "attribute_val").pointer(flag, "flag");
  if (check.failed()) return check.error();
  const bool is_predefined = is_predefined_key(win_keyval);
  check.require(is_predefined || window_attributes().is_known(win_keyval), MPI_ERR_KEYVAL, unknown_window_key);
  if (check.failed()) return check.error();
  void* const predefined = find_predefined_of(*find_window(win), win_keyval);
  void* const* found = is_predefined ? &predefined : window_attributes().find(win, win_keyval);
  *flag = found != nullptr ? 1 : 0;
  if (found != nullptr) std::memcpy(attribute_val, found, sizeof *found);
  return MPI_SUCCESS;
}

int Win_delete_attr(MPI_Win win, int win_keyval) {
  Arguments check(win);
  check.require(window_attributes().is_known(win_keyval), MPI_ERR_KEYVAL, unknown_window_key);
  if (check.failed()) return check.error();
  const int code = window_attributes().remove(win, win_keyval);
  return code == MPI_SUCCESS ? MPI_SUCCESS : failed_window_callback(win, code);
}

int Win_set_name(MPI_Win win, const char* win_name) {
  Arguments check(win);
  check.pointer(win_name, "win_name");
  if (check.failed()) return check.error();
  find_window(win)->name.assign(win_name, strnlen(win_name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

int Win_get_name(MPI_Win win, char* win_name, int* resultlen) {
  Arguments check(win);
  check.pointer(win_name, "win_name").pointer(resultlen, "resultlen");
  if (check.failed()) return check.error();
  const std::string& name = find_window(win)->name;
  std::memcpy(win_name, name.c_str(), name.size() + 1);
  *resultlen = static_cast<int>(name.size());
  return MPI_SUCCESS;
}

int Win_get_group(MPI_Win win, MPI_Group* group) {
  Arguments check(win);
  check.pointer(group, "group");
  if (check.failed()) return check.error();
  std::vector<int> processes;
  for (const ActorId member : check.communicator()->members()) processes.push_back(static_cast<int>(member.value));
  *group = add_group(GroupRef(new Group(processes)), check.communicator()->session);
  return MPI_SUCCESS;
}

int Win_set_info(MPI_Win win, MPI_Info info) {
  Arguments check(win);
  const Hints* hints = find_hints(info);
  check.require(hints != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  Window& window = *find_window(win);
  set_window_hints(window.hints, *hints);
  window.has_no_locks = is_true(window.hints, "no_locks");
  if (is_order_relaxed(window.hints)) report_outcomes_left_out("the hint accumulate_ordering");
  return MPI_SUCCESS;
}

int Win_get_info(MPI_Win win, MPI_Info* info_used) {
  Arguments check(win);
  check.pointer(info_used, "info_used");
  if (!check.failed()) *info_used = add_info(find_window(win)->hints);
  return check.error();
}

int Win_create_errhandler(MPI_Win_errhandler_function* win_errhandler_fn, MPI_Errhandler* errhandler) {
  Arguments check;
  check.pointer(reinterpret_cast<const void*>(win_errhandler_fn), "win_errhandler_fn")
      .pointer(errhandler, "errhandler");
  if (!check.failed()) *errhandler = per_rank<ErrorHandlers>().create_for_window(win_errhandler_fn);
  return check.error();
}

int Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  Arguments check(win);
  ErrorHandlers& handlers = per_rank<ErrorHandlers>();
  if (!handlers.is_known(errhandler))
    check.require(false, MPI_ERR_ERRHANDLER, wrong_handle(Kind::errhandler, errhandler));
  check.require(is_predefined_handle(errhandler) || handlers.window_function_of(errhandler) != nullptr,
                MPI_ERR_ERRHANDLER, "the error handler is not one for windows");
  if (check.failed()) return check.error();
  Window& window = *find_window(win);
  handlers.take_for_communicator(errhandler);
  handlers.release_by_communicator(window.error_handler);
  window.error_handler = errhandler;
  return MPI_SUCCESS;
}

int Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler) {
  Arguments check(win);
  check.pointer(errhandler, "errhandler");
  if (check.failed()) return check.error();
  *errhandler = find_window(win)->error_handler;
  per_rank<ErrorHandlers>().take_for_program(*errhandler);
  return MPI_SUCCESS;
}

int Win_call_errhandler(MPI_Win win, int errorcode) {
  Arguments check(win);
  if (check.failed()) return check.error();
  if (find_window(win)->error_handler != MPI_ERRORS_RETURN)
    error_about(win, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
