// SPDX-License-Identifier: MIT
//
// The requests of the program. MPICH gives all sends that are complete at once the same handle, so a handle may stand
// for several requests: the variable that got the handle tells them apart, else the oldest is meant.
#include "trace/pmpi/library/recorder.h"

static struct {
  struct rt_map first;  // by handle
  struct rt_request* requests;
  uint32_t room, free;  // free: the first of a list
  uint64_t listings;
  uint32_t next_number;
} table = {.free = rt_none};

static uint64_t key_of(MPI_Request request) {
  uint64_t key = 0;
  memcpy(&key, &request, sizeof request);
  return key;
}

static uint32_t take_free(void) {
  if (table.free == rt_none) {
    const uint32_t old = table.room;
    table.room = old == 0 ? 64 : 2 * old;
    table.requests = rt_grown(table.requests, table.room * sizeof *table.requests);
    for (uint32_t i = table.room; i-- > old;) {
      table.requests[i].next = table.free;
      table.free = i;
    }
  }
  const uint32_t index = table.free;
  table.free = table.requests[index].next;
  return index;
}

struct rt_request* rt_add_request(const MPI_Request* variable, enum rt_kind kind) {
  const uint32_t index = take_free();
  struct rt_request* request = &table.requests[index];
  memset(request, 0, sizeof *request);
  request->handle = key_of(*variable);
  request->variable = variable;
  request->kind = kind;
  request->next = rt_none;
  const uint32_t first = rt_map_find(&table.first, request->handle);
  if (first == rt_none) {
    rt_map_set(&table.first, request->handle, index);
    return request;
  }
  uint32_t last = first;
  while (table.requests[last].next != rt_none) last = table.requests[last].next;
  table.requests[last].next = index;
  return request;
}

struct rt_request* rt_find_request(const MPI_Request* variable, uint64_t listing) {
  struct rt_request* oldest = NULL;
  for (uint32_t i = rt_map_find(&table.first, key_of(*variable)); i != rt_none; i = table.requests[i].next) {
    struct rt_request* request = &table.requests[i];
    if (listing != 0 && request->listing == listing) continue;
    if (request->variable == variable) return request;
    if (oldest == NULL) oldest = request;
  }
  return oldest;
}

void rt_remove_request(struct rt_request* request) {
  const uint32_t index = (uint32_t)(request - table.requests);
  const uint32_t first = rt_map_find(&table.first, request->handle);
  if (first == index) {
    if (request->next == rt_none) rt_map_remove(&table.first, request->handle);
    else rt_map_set(&table.first, request->handle, request->next);
  } else {
    uint32_t before = first;
    while (table.requests[before].next != index) before = table.requests[before].next;
    table.requests[before].next = request->next;
  }
  request->next = table.free;
  table.free = index;
}

uint64_t rt_next_listing(void) { return ++table.listings; }
uint32_t rt_next_number(void) { return table.next_number; }
uint32_t rt_start_number(void) { return table.next_number++; }
