// SPDX-License-Identifier: MIT
//
// What a program asks about an open file or attaches to it: view, atomicity, hints, error handler.
//
// Source: MPI 5.0, 14.2.6 to 14.2.8, 14.3, 14.5.3, 14.6.1, 14.7.
#include <cstring>
#include <string>
#include <string_view>

#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/error.hpp"
#include "smpi/file/atomic_log.hpp"
#include "smpi/file/exchange.hpp"
#include "smpi/file/file.hpp"
#include "smpi/file/shared_pointer.hpp"
#include "smpi/group/group.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

void set_hints(Hints& hints, const Hints& given) {
  for (const auto& [key, value] : given) {
    const auto old = std::find_if(hints.begin(), hints.end(), [&](const auto& hint) { return hint.first == key; });
    if (old == hints.end()) hints.emplace_back(key, value);
    else old->second = value;
  }
}

struct ViewArguments {
  MPI_Offset displacement;
  MPI_Datatype etype, filetype;
  const char* form;
  MPI_Info info;
};

// The view that the program asks for; its displacement may be the current one.
FileView view_of(const ViewArguments& arguments, MPI_Offset displacement) {
  const auto named = [](MPI_Datatype handle) { return ViewType{DatatypeRef(find_datatype(handle)), handle}; };
  return {displacement, named(arguments.etype), named(arguments.filetype), *find_form(arguments.form)};
}

void check_view(Arguments& check, File* file, const ViewArguments& arguments) {
  check.pointer(arguments.form, "datarep");
  check.require(find_hints(arguments.info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  check.type(arguments.etype);
  check.type(arguments.filetype);
  check_nothing_pending(check, file, "at MPI_File_set_view");
  if (check.failed()) return;
  const bool is_current = arguments.displacement == MPI_DISPLACEMENT_CURRENT;
  check.require(
      is_current || arguments.displacement >= 0, MPI_ERR_ARG,
      [&] { return fmt::format("disp is {}; it must not be negative", arguments.displacement); }, "file.view");
  check.require(!is_current || file->has(MPI_MODE_SEQUENTIAL), MPI_ERR_ARG,
                "MPI_DISPLACEMENT_CURRENT needs a file of MPI_MODE_SEQUENTIAL", "file.view");
  check.require(is_current || !file->has(MPI_MODE_SEQUENTIAL), MPI_ERR_ARG,
                "a file of MPI_MODE_SEQUENTIAL needs MPI_DISPLACEMENT_CURRENT", "file.view");
  if (is_current) check_settled(check, file);
  check.require(find_form(arguments.form) != nullptr, MPI_ERR_UNSUPPORTED_DATAREP,
                [&] { return fmt::format("the data representation \"{}\" is not known", arguments.form); });
  if (check.failed()) return;
  const FileView view = view_of(arguments, 0);
  if (!view.is_settled()) return;
  const std::string fault = view.fault(file->is_writable());
  if (!fault.empty()) check.require(false, MPI_ERR_IO, fault, "file.view");
}

std::int64_t number_of_name(std::string_view name) {
  StableHash hash;
  for (const char c : name) hash.add(static_cast<std::uint8_t>(c));
  return static_cast<std::int64_t>(hash.value());
}

int set_view(MPI_File fh, const ViewArguments& arguments) {
  constexpr const char* call = "MPI_File_set_view";
  Arguments check(fh);
  File* file = find_file(fh);
  check_view(check, file, arguments);
  if (check.failed()) return check.error();
  const MPI_Offset pointer = agreed_shared_pointer(*file, call);
  const bool is_current = arguments.displacement == MPI_DISPLACEMENT_CURRENT;
  const MPI_Offset displacement = is_current ? file->view.place_of(pointer * file->view.etype_bytes())
                                             : arguments.displacement;
  file->view = view_of(arguments, displacement);
  set_shared_pointer(*file, pointer, 0);
  file->position = 0;
  set_hints(file->hints, *find_hints(arguments.info));
  return meet(*file, call,
              {"etype extent or data representation",
               number_of({file->view.etype().type->extent(), number_of_name(file->view.form().name())})});
}

// A handle of the program for a type: the same one for a predefined type, else a new one.
MPI_Datatype handle_for(const ViewType& of) {
  if (is_predefined_handle(of.handle)) return of.handle;
  return datatypes().made.insert(Ref<Datatype>(const_cast<Datatype*>(of.type.get())), creation_site());
}

template <class Extent>
int get_type_extent(MPI_File fh, MPI_Datatype datatype, Extent* extent) {
  Arguments check(fh);
  check.pointer(extent, "extent");
  const Datatype* type = any_type(check, datatype);
  if (check.failed()) return check.error();
  const DataForm& form = find_file(fh)->view.form();
  const std::string error = form.learn(*type);
  check.require(error.empty(), MPI_ERR_CONVERSION, error);
  if (!check.failed()) *extent = form.type_in_file(*type)->extent();
  return check.error();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep,
                  MPI_Info info) {
  return set_view(fh, {disp, etype, filetype, datarep, info});
}

int File_get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) {
  Arguments check(fh);
  check.pointer(disp, "disp").pointer(etype, "etype").pointer(filetype, "filetype").pointer(datarep, "datarep");
  if (check.failed()) return check.error();
  const FileView& view = find_file(fh)->view;
  *disp = view.displacement();
  *etype = handle_for(view.etype());
  *filetype = handle_for(view.filetype());
  const std::string_view name = view.form().name();
  std::memcpy(datarep, name.data(), name.size());
  datarep[name.size()] = '\0';
  return MPI_SUCCESS;
}

int File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  return get_type_extent(fh, datatype, extent);
}

int File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count* extent) {
  return get_type_extent(fh, datatype, extent);
}

int File_get_amode(MPI_File fh, int* amode) {
  Arguments check(fh);
  check.pointer(amode, "amode");
  if (!check.failed()) *amode = find_file(fh)->amode;
  return check.error();
}

int File_get_group(MPI_File fh, MPI_Group* group) {
  Arguments check(fh);
  check.pointer(group, "group");
  if (check.failed()) return check.error();
  std::vector<int> processes;
  for (const ActorId member : check.communicator()->members()) processes.push_back(static_cast<int>(member.value));
  *group = add_group(GroupRef(new Group(processes)), check.communicator()->session);
  return MPI_SUCCESS;
}

int File_set_info(MPI_File fh, MPI_Info info) {
  Arguments check(fh);
  const Hints* hints = find_hints(info);
  check.require(hints != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  check_no_split(check, find_file(fh));
  if (check.failed()) return check.error();
  File& file = *find_file(fh);
  set_hints(file.hints, *hints);
  return meet(file, "MPI_File_set_info");
}

int File_get_info(MPI_File fh, MPI_Info* info_used) {
  Arguments check(fh);
  check.pointer(info_used, "info_used");
  if (!check.failed()) *info_used = add_info(find_file(fh)->hints);
  return check.error();
}

int File_set_atomicity(MPI_File fh, int flag) {
  Arguments check(fh);
  check_no_split(check, find_file(fh));
  if (check.failed()) return check.error();
  File& file = *find_file(fh);
  settle_date();
  const int error = exchange(file, "MPI_File_set_atomicity", {"flag", flag != 0 ? 1 : 0}, false);
  file.is_atomic = flag != 0;
  if (file.is_atomic) open_atomic_log(file, "MPI_File_set_atomicity");
  return error;
}

int File_get_atomicity(MPI_File fh, int* flag) {
  Arguments check(fh);
  check.pointer(flag, "flag");
  if (!check.failed()) *flag = find_file(fh)->is_atomic ? 1 : 0;
  return check.error();
}

int File_create_errhandler(MPI_File_errhandler_function* file_errhandler_fn, MPI_Errhandler* errhandler) {
  Arguments check;
  check.pointer(reinterpret_cast<const void*>(file_errhandler_fn), "file_errhandler_fn")
      .pointer(errhandler, "errhandler");
  if (!check.failed()) *errhandler = per_rank<ErrorHandlers>().create_for_file(file_errhandler_fn);
  return check.error();
}

int File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  Arguments check = file == MPI_FILE_NULL ? Arguments::without_file() : Arguments(file);
  ErrorHandlers& handlers = per_rank<ErrorHandlers>();
  if (!handlers.is_known(errhandler))
    check.require(false, MPI_ERR_ERRHANDLER, wrong_handle(Kind::errhandler, errhandler));
  check.require(is_predefined_handle(errhandler) || handlers.file_function_of(errhandler) != nullptr,
                MPI_ERR_ERRHANDLER, "the error handler is not one for files");
  if (check.failed()) return check.error();
  MPI_Errhandler& place = file == MPI_FILE_NULL ? files().default_handler : find_file(file)->error_handler;
  handlers.take_for_communicator(errhandler);
  handlers.release_by_communicator(place);
  place = errhandler;
  return MPI_SUCCESS;
}

int File_get_errhandler(MPI_File file, MPI_Errhandler* errhandler) {
  Arguments check = file == MPI_FILE_NULL ? Arguments::without_file() : Arguments(file);
  check.pointer(errhandler, "errhandler");
  if (check.failed()) return check.error();
  *errhandler = file == MPI_FILE_NULL ? files().default_handler : find_file(file)->error_handler;
  per_rank<ErrorHandlers>().take_for_program(*errhandler);
  return MPI_SUCCESS;
}

int File_call_errhandler(MPI_File fh, int errorcode) {
  Arguments check = fh == MPI_FILE_NULL ? Arguments::without_file() : Arguments(fh);
  if (check.failed()) return check.error();
  const MPI_Errhandler handler = fh == MPI_FILE_NULL ? files().default_handler : find_file(fh)->error_handler;
  if (handler != MPI_ERRORS_RETURN) error_about(fh, errorcode, "the program called the error handler");
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
