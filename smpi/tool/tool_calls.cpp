// SPDX-License-Identifier: MIT
//
// The MPI tool interface. One performance variable per MPI function counts the rank's calls of the function since the
// interface was initialised. The categories are the chapters of the standard. There are no control variables, events or
// sources.
//
// Errors: returned, never raised, because the standard gives these functions no error handler.
// Source: MPI 5.0, 15.3. The variables are continuous and read-only.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {
namespace {

struct ToolVariable {
  std::uint16_t function = 0;
  MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
};

struct Tool {
  int users = 0;  // of MPI_T_init_thread
  HandleRegistry<MPI_T_pvar_session, bool, HandleKind::tool_session> sessions;
  HandleRegistry<MPI_T_pvar_handle, ToolVariable, HandleKind::tool_variable> variables;
};

Tool& tool() { return per_rank<Tool>(); }

int uninitialised() { return tool().users == 0 ? MPI_T_ERR_NOT_INITIALIZED : MPI_SUCCESS; }

// An error for every index, because there are no objects of that kind.
int no_such_index() { return tool().users == 0 ? MPI_T_ERR_NOT_INITIALIZED : MPI_T_ERR_INVALID_INDEX; }
int no_such_name() { return tool().users == 0 ? MPI_T_ERR_NOT_INITIALIZED : MPI_T_ERR_INVALID_NAME; }
int no_such_handle() { return tool().users == 0 ? MPI_T_ERR_NOT_INITIALIZED : MPI_T_ERR_INVALID_HANDLE; }

int give_none(int* number) {
  const int error = uninitialised();
  if (error == MPI_SUCCESS && number == nullptr) return MPI_T_ERR_INVALID;
  if (error == MPI_SUCCESS) *number = 0;
  return error;
}

template <class Value>
void give(Value* out, Value value) {
  if (out != nullptr) *out = value;
}

// Copies text into a buffer of *length bytes. Sets *length to the size that the whole text needs.
void give_text(std::string_view text, char* out, int* length) {
  if (length == nullptr) return;
  if (out != nullptr && *length > 0) {
    const std::size_t kept = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    std::memcpy(out, text.data(), kept);
    out[kept] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

bool is_variable(int index) { return 0 <= index && index < static_cast<int>(functions().size()); }

bool is_category(int index) { return 0 <= index && index < static_cast<int>(chapters().size()); }

// The variables of a category, ascending.
std::vector<int> variables_of(int category) {
  std::vector<int> indices;
  for (int i = 0; is_variable(i); ++i)
    if (functions()[static_cast<std::size_t>(i)].chapter == category) indices.push_back(i);
  return indices;
}

// The result of a query for objects of a category that has none.
int category_with_none(int category) {
  const int error = uninitialised();
  return error == MPI_SUCCESS && !is_category(category) ? MPI_T_ERR_INVALID_INDEX : error;
}

// The error of a session and one of its handles.
int check_handle(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (tool().sessions.find(session) == nullptr) return MPI_T_ERR_INVALID_SESSION;
  const ToolVariable* variable = tool().variables.find(handle);
  return variable != nullptr && variable->session == session ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

// Starts or stops a handle. For all handles, does nothing, because no handle can be started or stopped.
int start_or_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (handle == MPI_T_PVAR_ALL_HANDLES)
    return tool().sessions.find(session) == nullptr ? MPI_T_ERR_INVALID_SESSION : uninitialised();
  const int error = check_handle(session, handle);
  return error == MPI_SUCCESS ? MPI_T_ERR_PVAR_NO_STARTSTOP : error;
}

int change(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal) {
  const int error = check_handle(session, handle);
  return error == MPI_SUCCESS ? refusal : error;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int T_init_thread(int required, int* provided) {
  if (provided != nullptr) *provided = std::min(required, highest_thread_level());
  if (tool().users++ == 0) {
    CallChain& chain = per_rank<CallChain>();
    if (chain.counters == nullptr) chain.counters = new std::uint64_t[functions().size()]();
  }
  return MPI_SUCCESS;
}

int T_finalize() {
  const int error = uninitialised();
  if (error == MPI_SUCCESS) --tool().users;
  return error;
}

int T_pvar_get_num(int* num_pvar) {
  const int error = give_none(num_pvar);
  if (error == MPI_SUCCESS) *num_pvar = static_cast<int>(functions().size());
  return error;
}

int T_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class, MPI_Datatype* datatype,
                    MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* readonly, int* continuous,
                    int* atomic) {
  if (tool().users == 0 || !is_variable(pvar_index)) return no_such_index();
  give_text(functions()[static_cast<std::size_t>(pvar_index)].name, name, name_len);
  give_text("calls of this function by the rank", desc, desc_len);
  give(verbosity, int{MPI_T_VERBOSITY_USER_BASIC});
  give(var_class, int{MPI_T_PVAR_CLASS_COUNTER});
  give(datatype, MPI_UNSIGNED_LONG_LONG);
  give(enumtype, MPI_T_ENUM_NULL);
  give(bind, int{MPI_T_BIND_NO_OBJECT});
  give(readonly, 1);
  give(continuous, 1);
  give(atomic, 0);
  return MPI_SUCCESS;
}

int T_pvar_get_index(const char* name, int var_class, int* pvar_index) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (name == nullptr || pvar_index == nullptr) return MPI_T_ERR_INVALID;
  for (std::size_t i = 0; i < functions().size(); ++i) {
    if (functions()[i].name != name || var_class != MPI_T_PVAR_CLASS_COUNTER) continue;
    *pvar_index = static_cast<int>(i);
    return MPI_SUCCESS;
  }
  return MPI_T_ERR_INVALID_NAME;
}

int T_pvar_session_create(MPI_T_pvar_session* session) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (session == nullptr) return MPI_T_ERR_INVALID;
  *session = tool().sessions.insert(true, creation_site());
  return MPI_SUCCESS;
}

int T_pvar_session_free(MPI_T_pvar_session* session) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (session == nullptr || tool().sessions.find(*session) == nullptr) return MPI_T_ERR_INVALID_SESSION;
  tool().sessions.erase(*session);
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

int T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void*, MPI_T_pvar_handle* handle, int* count) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (tool().sessions.find(session) == nullptr) return MPI_T_ERR_INVALID_SESSION;
  if (!is_variable(pvar_index)) return MPI_T_ERR_INVALID_INDEX;
  if (handle == nullptr) return MPI_T_ERR_INVALID;
  const ToolVariable variable{static_cast<std::uint16_t>(pvar_index), session};
  *handle = tool().variables.insert(variable, creation_site());
  give(count, 1);
  return MPI_SUCCESS;
}

int T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  if (handle == nullptr) return MPI_T_ERR_INVALID;
  const int error = check_handle(session, *handle);
  if (error != MPI_SUCCESS) return error;
  tool().variables.erase(*handle);
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
  const int error = check_handle(session, handle);
  if (error != MPI_SUCCESS) return error;
  if (buf == nullptr) return MPI_T_ERR_INVALID;
  const unsigned long long calls = per_rank<CallChain>().counters[tool().variables.find(handle)->function];
  std::memcpy(buf, &calls, sizeof calls);
  return MPI_SUCCESS;
}

int T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) { return start_or_stop(session, handle); }

int T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) { return start_or_stop(session, handle); }

int T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void*) {
  return change(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

int T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (handle == MPI_T_PVAR_ALL_HANDLES)
    return tool().sessions.find(session) == nullptr ? MPI_T_ERR_INVALID_SESSION : uninitialised();
  return change(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

int T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void*) {
  return change(session, handle, MPI_T_ERR_PVAR_NO_ATOMIC);
}

// ---- control variables: none

int T_cvar_get_num(int* num_cvar) { return give_none(num_cvar); }

int T_cvar_get_info(int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*) {
  return no_such_index();
}

int T_cvar_get_index(const char*, int*) { return no_such_name(); }

int T_cvar_handle_alloc(int, void*, MPI_T_cvar_handle*, int*) { return no_such_index(); }

int T_cvar_handle_free(MPI_T_cvar_handle*) { return no_such_handle(); }

int T_cvar_read(MPI_T_cvar_handle, void*) { return no_such_handle(); }

int T_cvar_write(MPI_T_cvar_handle, const void*) { return no_such_handle(); }

// ---- enumerations: none

int T_enum_get_info(MPI_T_enum, int*, char*, int*) { return no_such_handle(); }

int T_enum_get_item(MPI_T_enum, int, int*, char*, int*) { return no_such_handle(); }

// ---- categories: the chapters; they never change and have no subcategories

int T_category_get_num(int* num_cat) {
  const int error = give_none(num_cat);
  if (error == MPI_SUCCESS) *num_cat = static_cast<int>(chapters().size());
  return error;
}

int T_category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len, int* num_cvars,
                        int* num_pvars, int* num_categories) {
  const int error = category_with_none(cat_index);
  if (error != MPI_SUCCESS) return error;
  const ChapterInfo& chapter = chapters()[static_cast<std::size_t>(cat_index)];
  give_text(chapter.key, name, name_len);
  give_text(chapter.title, desc, desc_len);
  give(num_cvars, 0);
  give(num_pvars, static_cast<int>(variables_of(cat_index).size()));
  give(num_categories, 0);
  return MPI_SUCCESS;
}

int T_category_get_num_events(int cat_index, int* num_events) {
  const int error = category_with_none(cat_index);
  if (error == MPI_SUCCESS) give(num_events, 0);
  return error;
}

int T_category_get_index(const char* name, int* cat_index) {
  if (tool().users == 0) return MPI_T_ERR_NOT_INITIALIZED;
  if (name == nullptr || cat_index == nullptr) return MPI_T_ERR_INVALID;
  const auto found = std::ranges::find(chapters(), std::string_view(name), &ChapterInfo::key);
  if (found == chapters().end()) return MPI_T_ERR_INVALID_NAME;
  *cat_index = static_cast<int>(found - chapters().begin());
  return MPI_SUCCESS;
}

int T_category_get_cvars(int cat_index, int, int[]) { return category_with_none(cat_index); }

int T_category_get_pvars(int cat_index, int len, int indices[]) {
  const int error = category_with_none(cat_index);
  if (error != MPI_SUCCESS) return error;
  const std::vector<int> all = variables_of(cat_index);
  const auto given = std::min(all.size(), static_cast<std::size_t>(std::max(len, 0)));
  std::copy_n(all.begin(), given, indices);
  return MPI_SUCCESS;
}

int T_category_get_events(int cat_index, int, int[]) { return category_with_none(cat_index); }

int T_category_get_categories(int cat_index, int, int[]) { return category_with_none(cat_index); }

int T_category_changed(int* update_number) { return give_none(update_number); }

// ---- events and their sources: none

int T_event_get_num(int* num_events) { return give_none(num_events); }

int T_event_get_info(int, char*, int*, int*, MPI_Datatype[], MPI_Aint[], int*, MPI_T_enum*, MPI_Info*, char*, int*,
                     int*) {
  return no_such_index();
}

int T_event_get_index(const char*, int*) { return no_such_name(); }

int T_event_handle_alloc(int, void*, MPI_Info, MPI_T_event_registration*) { return no_such_index(); }

int T_event_handle_free(MPI_T_event_registration, void*, MPI_T_event_free_cb_function*) { return no_such_handle(); }

int T_event_handle_get_info(MPI_T_event_registration, MPI_Info*) { return no_such_handle(); }

int T_event_handle_set_info(MPI_T_event_registration, MPI_Info) { return no_such_handle(); }

int T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*, MPI_T_event_cb_function*) {
  return no_such_handle();
}

int T_event_callback_get_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info*) { return no_such_handle(); }

int T_event_callback_set_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info) { return no_such_handle(); }

int T_event_set_dropped_handler(MPI_T_event_registration, MPI_T_event_dropped_cb_function*) { return no_such_handle(); }

int T_event_read(MPI_T_event_instance, int, void*) { return no_such_handle(); }

int T_event_copy(MPI_T_event_instance, void*) { return no_such_handle(); }

int T_event_get_source(MPI_T_event_instance, int*) { return no_such_handle(); }

int T_event_get_timestamp(MPI_T_event_instance, MPI_Count*) { return no_such_handle(); }

int T_source_get_num(int* num_sources) { return give_none(num_sources); }

int T_source_get_info(int, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*, MPI_Count*, MPI_Info*) {
  return no_such_index();
}

int T_source_get_timestamp(int, MPI_Count*) { return no_such_index(); }

}  // namespace rehearse::smpi::calls
