// SPDX-License-Identifier: MIT
//
// The calls that complete requests. What the real call changes is read before it: handles become MPI_REQUEST_NULL.
//
// Method:  as Rehearse's own library asks: about the pending requests of the list, without those that are complete
//          already (of MPI_PROC_NULL, or seen by MPI_Request_get_status).
// Cancel:  whether a receive was cancelled is known when it is complete, so the record comes then, with the site of
//          MPI_Cancel.
#include <stdlib.h>

#include "trace/pmpi/library/recorder.h"

static struct {
  struct rt_request** requests;  // of the list; null: none
  uint32_t* places;              // of the list: index of the request in the operation; rt_none: not in it
  uint32_t* numbers;             // of the operation
  MPI_Status* statuses;
  uint32_t* completed;  // of the operation
  int room;
  uint32_t asked;   // requests of the operation
  bool is_noted;    // before the real call
  bool has_known;   // a request of the list is complete already
  bool has_cancel;  // MPI_Cancel was called for a pending one
} list;

static void make_room(int count) {
  if (count <= list.room) return;
  const size_t room = (size_t)(count < 64 ? 64 : 2 * count);
  list.requests = rt_grown(list.requests, room * sizeof *list.requests);
  list.places = rt_grown(list.places, room * sizeof *list.places);
  list.numbers = rt_grown(list.numbers, room * sizeof *list.numbers);
  list.statuses = rt_grown(list.statuses, room * sizeof *list.statuses);
  list.completed = rt_grown(list.completed, room * sizeof *list.completed);
  list.room = (int)room;
}

static void write_observe(uint64_t flags, const uint32_t* numbers, uint32_t count) {
  rt_begin_operation('o', 48 + 6 * (size_t)count);
  rt_put(flags);
  rt_put(count);
  for (uint32_t i = 0; i < count; ++i) rt_put(rt_next_number() - numbers[i]);
  rt_end();
}

struct rt_list rt_list_requests(int count, const MPI_Request* requests, enum rt_quantifier quantifier, bool blocking) {
  struct rt_list result = {count, false};
  const uint64_t listing = rt_next_listing();
  make_room(count);
  list.asked = 0;
  list.has_known = list.has_cancel = list.is_noted = false;
  for (int i = 0; i < count; ++i) {
    list.places[i] = rt_none;
    struct rt_request* request = requests[i] == MPI_REQUEST_NULL ? NULL : rt_find_request(&requests[i], listing);
    list.requests[i] = request;
    if (request == NULL) continue;
    request->listing = listing;
    if (request->state == rt_complete) list.has_known = true;
    if (request->state != rt_pending) continue;
    if (request->is_wildcard || request->cancel_site != 0) result.needs_statuses = true;
    if (request->cancel_site != 0) {
      list.has_cancel = true;
      continue;
    }
    list.places[i] = list.asked;
    list.numbers[list.asked++] = request->number;
  }
  const bool may_end_without = quantifier != rt_all && (list.has_known || list.has_cancel);
  if (!blocking || list.asked == 0 || may_end_without) return result;
  write_observe((uint64_t)quantifier | rehearse_flag_blocking | rehearse_flag_yes, list.numbers, list.asked);
  list.is_noted = true;
  rt_await();
  return result;
}

MPI_Status* rt_statuses(MPI_Status* given, const MPI_Status* ignored, const struct rt_list* of) {
  return given == ignored && of->needs_statuses ? list.statuses : given;
}

// MPI_Cancel was called for a receive, which is over now.
static void note_outcome(struct rt_request* request, const MPI_Status* status) {
  int cancelled = 0;
  PMPI_Test_cancelled(status, &cancelled);
  rt_use_site(request->cancel_site);
  write_observe((uint64_t)rt_all | rehearse_flag_withdraws | (cancelled ? 0 : rehearse_flag_yes), &request->number, 1);
  if (cancelled) request->is_wildcard = false;
}

static int compare_numbers(const void* a, const void* b) {
  const uint32_t one = *(const uint32_t*)a, other = *(const uint32_t*)b;
  return one < other ? -1 : one > other;
}

// Some of the requests were completed.
static void write_answer(uint32_t count) {
  qsort(list.completed, count, sizeof *list.completed, compare_numbers);
  rt_begin('a', 32 + 6 * (size_t)count);
  rt_put(count);
  for (uint32_t i = 0; i < count; ++i) rt_put(list.completed[i]);
  rt_end();
}

static void note_answer(enum rt_quantifier quantifier, int completed, const int* indices) {
  uint32_t count = 0;
  for (int i = 0; i < completed; ++i) {
    const uint32_t place = list.places[indices == NULL ? i : indices[i]];
    if (place != rt_none) list.completed[count++] = place;
  }
  if (!list.is_noted && count > 0) write_observe((uint64_t)quantifier | rehearse_flag_yes, list.numbers, list.asked);
  if (quantifier != rt_all && (list.is_noted || count > 0)) write_answer(count);
}

static void end_request(struct rt_request* request, bool peeks) {
  const bool was_pending = request->state == rt_pending;
  if (peeks) {
    if (was_pending) request->state = rt_complete;
    return;
  }
  if (request->made != NULL) rt_made_comm(MPI_SUCCESS, request->maker, request->made);
  request->cancel_site = 0;
  if (request->is_persistent) request->state = rt_inactive;
  else rt_remove_request(request);
}

void rt_note_completed(const struct rt_list* of, enum rt_quantifier quantifier, int completed, const int* indices,
                       const MPI_Status* statuses, bool peeks) {
  if (indices == NULL) completed = of->count;
  note_answer(quantifier, completed, indices);
  for (int i = 0; i < completed; ++i) {
    struct rt_request* request = list.requests[indices == NULL ? i : indices[i]];
    if (request == NULL || request->state == rt_inactive) continue;
    const bool was_pending = request->state == rt_pending;
    if (was_pending && request->cancel_site != 0) note_outcome(request, &statuses[i]);
    if (was_pending && request->is_wildcard) rt_write_took(request->number, &statuses[i]);
    end_request(request, peeks);
  }
}

void rt_note_cancel(const MPI_Request* variable) {
  struct rt_request* request = rt_find_request(variable, 0);
  if (request == NULL || request->state != rt_pending) return;
  if (request->kind == rt_receive_request) request->cancel_site = rt_site();
  else rt_refuse("of a send");
}

void rt_note_free(const MPI_Request* variable) {
  struct rt_request* request = rt_find_request(variable, 0);
  if (request == NULL) return;
  if (request->state == rt_pending) {
    rt_begin_operation('f', 32);
    rt_put(rt_next_number() - request->number);
    rt_end();
  }
  rt_remove_request(request);
}
