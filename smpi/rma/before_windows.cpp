// SPDX-License-Identifier: MIT
//
// The objects for windows that a program can make before it has one: attribute keys and error handlers. The functions
// that need a window are not implemented, because no window can be made.
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/attribute_table.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

struct WindowAttributes {
  AttributeTable<MPI_Win, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function> table;
};

}  // namespace

std::vector<CreationSite> live_window_keys() {
  std::vector<CreationSite> sites;
  if (const auto* attributes = find_per_rank<WindowAttributes>())
    attributes->table.for_each_live_key([&](const CreationSite& site) { sites.push_back(site); });
  return sites;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Win_create_keyval(MPI_Win_copy_attr_function* win_copy_attr_fn, MPI_Win_delete_attr_function* win_delete_attr_fn,
                      int* win_keyval, void* extra_state) {
  Arguments check;
  check.pointer(win_keyval, "win_keyval");
  if (check.failed()) return check.error();
  *win_keyval = per_rank<WindowAttributes>().table.make_key(win_copy_attr_fn, win_delete_attr_fn, extra_state);
  return MPI_SUCCESS;
}

int Win_free_keyval(int* win_keyval) {
  Arguments check;
  check.pointer(win_keyval, "win_keyval");
  if (check.failed()) return check.error();
  auto& attributes = per_rank<WindowAttributes>().table;
  check.require(attributes.is_known(*win_keyval), MPI_ERR_KEYVAL, "the key was freed, is predefined or never existed");
  if (check.failed()) return check.error();
  attributes.free_key(*win_keyval);
  *win_keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int Win_create_errhandler(MPI_Win_errhandler_function* win_errhandler_fn, MPI_Errhandler* errhandler) {
  Arguments check;
  check.pointer(reinterpret_cast<const void*>(win_errhandler_fn), "win_errhandler_fn")
      .pointer(errhandler, "errhandler");
  if (!check.failed()) *errhandler = per_rank<ErrorHandlers>().create_for_window(win_errhandler_fn);
  return check.error();
}

}  // namespace rehearse::smpi::calls
