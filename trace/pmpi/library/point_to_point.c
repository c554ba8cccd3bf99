// SPDX-License-Identifier: MIT
//
// Sends, receives and probes as records.
#include "trace/pmpi/library/recorder.h"

// Messages that matched probes took, by handle.
struct taken {
  uint32_t number, comm;
  int source, tag;
};
enum { most_taken = 1024 };
static struct {
  struct rt_map places;  // by handle
  struct taken taken[most_taken];
  bool is_used[most_taken];
  uint32_t count;
} messages;

uint64_t rt_bytes(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count == 0) return 0;
  PMPI_Type_size_x(type, &size);
  return (uint64_t)(size * count);
}

static void write_send(int mode, bool blocking, uint32_t comm, int peer, int tag, uint64_t bytes) {
  rt_begin_operation('s', 64);
  rt_put((uint64_t)mode | (blocking ? rehearse_flag_blocking : 0));
  rt_put(comm);
  rt_put((uint64_t)peer);
  rt_put_signed(tag);
  rt_put(bytes);
  rt_end();
  rt_start_number();
}

static uint64_t pattern_flags(int peer, int tag) {
  return (peer == MPI_ANY_SOURCE ? rehearse_flag_any_source : 0) | (tag == MPI_ANY_TAG ? rehearse_flag_any_tag : 0);
}

static void put_pattern(uint32_t comm, int peer, int tag) {
  rt_put(comm);
  rt_put(peer == MPI_ANY_SOURCE ? 0 : (uint64_t)peer);
  rt_put_signed(tag == MPI_ANY_TAG ? 0 : tag);
}

static void write_receive(bool blocking, uint32_t comm, int peer, int tag, uint64_t bytes, const struct taken* taken) {
  rt_begin_operation('r', 80);
  rt_put(pattern_flags(peer, tag) | (blocking ? rehearse_flag_blocking : 0) | (taken ? rehearse_flag_takes : 0));
  put_pattern(comm, peer, tag);
  rt_put(bytes);
  if (taken) rt_put(taken->number);
  rt_end();
  rt_start_number();
}

static bool is_wildcard(int peer, int tag) {
  return peer != MPI_PROC_NULL && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
}

void rt_note_send(int mode, bool blocking, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL) return;
  const uint32_t number = rt_comm(comm);
  if (number == rt_none) return;
  write_send(mode, blocking, number, peer, tag, rt_bytes(count, type));
  if (blocking) rt_await();
}

bool rt_note_receive(bool blocking, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  if (peer == MPI_PROC_NULL) return false;
  const uint32_t number = rt_comm(comm);
  if (number == rt_none) return false;
  write_receive(blocking, number, peer, tag, rt_bytes(count, type), NULL);
  if (blocking) rt_await();
  return is_wildcard(peer, tag);
}

bool rt_note_exchange(MPI_Count sent, MPI_Datatype sent_type, int to, int send_tag, MPI_Count received,
                      MPI_Datatype received_type, int from, int receive_tag, MPI_Comm comm) {
  const uint32_t number = rt_comm(comm);
  if (number == rt_none) return false;
  uint64_t count = 0;
  if (to != MPI_PROC_NULL) {
    write_send(0, false, number, to, send_tag, rt_bytes(sent, sent_type));
    ++count;
  }
  if (from != MPI_PROC_NULL) {
    write_receive(false, number, from, receive_tag, rt_bytes(received, received_type), NULL);
    ++count;
  }
  if (count == 0) return false;
  rt_begin_operation('o', 48);
  rt_put(rt_all | rehearse_flag_blocking | rehearse_flag_yes);
  rt_put(count);
  for (uint64_t i = count; i > 0; --i) rt_put(i);
  rt_end();
  rt_await();
  return is_wildcard(from, receive_tag);
}

void rt_write_took(uint32_t request, const MPI_Status* status) {
  rt_begin('t', 48);
  rt_put(rt_next_number() - request);
  rt_put((uint64_t)status->MPI_SOURCE);
  rt_put_signed(status->MPI_TAG);
  rt_end();
}

void rt_note_took(const MPI_Status* status) { rt_write_took(rt_next_number() - 1, status); }

static struct rt_request* add(const MPI_Request* variable, enum rt_kind kind, int peer) {
  struct rt_request* request = rt_add_request(variable, kind);
  request->state = peer == MPI_PROC_NULL ? rt_complete : rt_pending;
  request->number = rt_next_number() - 1;
  return request;
}

void rt_made_send(int code, const MPI_Request* request, int peer, MPI_Comm comm) {
  if (code == MPI_SUCCESS && rt_comm(comm) != rt_none) add(request, rt_send_request, peer);
}

void rt_made_receive(int code, const MPI_Request* request, int peer, int tag, MPI_Comm comm) {
  if (code != MPI_SUCCESS || rt_comm(comm) == rt_none) return;
  add(request, rt_receive_request, peer)->is_wildcard = is_wildcard(peer, tag);
}

void rt_made_persistent(int code, const MPI_Request* variable, enum rt_kind kind, int mode, MPI_Count count,
                        MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  if (code != MPI_SUCCESS) return;
  const uint32_t number = rt_comm(comm);
  if (number == rt_none) return;
  struct rt_request* request = rt_add_request(variable, kind);
  request->state = rt_inactive;
  request->is_persistent = true;
  request->mode = mode;
  request->comm = number;
  request->peer = peer;
  request->tag = tag;
  request->bytes = peer == MPI_PROC_NULL ? 0 : rt_bytes(count, type);
  request->is_wildcard = kind == rt_receive_request && is_wildcard(peer, tag);
}

void rt_note_start(const MPI_Request* requests, int count) {
  const uint64_t listing = rt_next_listing();
  for (int i = 0; i < count; ++i) {
    struct rt_request* request = rt_find_request(&requests[i], listing);
    if (request == NULL || !request->is_persistent) continue;
    request->listing = listing;
    request->cancel_site = 0;
    request->state = request->peer == MPI_PROC_NULL ? rt_complete : rt_pending;
    if (request->peer == MPI_PROC_NULL) continue;
    if (request->kind == rt_send_request)
      write_send(request->mode, false, request->comm, request->peer, request->tag, request->bytes);
    else write_receive(false, request->comm, request->peer, request->tag, request->bytes, NULL);
    request->number = rt_next_number() - 1;
  }
}

// ---- probes

static bool write_probe(bool blocking, bool takes, int peer, int tag, MPI_Comm comm) {
  const uint32_t number = rt_comm(comm);
  if (number == rt_none) return false;
  rt_begin_operation('p', 64);
  rt_put(pattern_flags(peer, tag) | (blocking ? rehearse_flag_blocking : 0) | (takes ? rehearse_flag_takes : 0));
  put_pattern(number, peer, tag);
  rt_end();
  return true;
}

void rt_note_probe(bool takes, int peer, int tag, MPI_Comm comm) {
  if (peer != MPI_PROC_NULL && write_probe(true, takes, peer, tag, comm)) rt_await();
}

static uint64_t key_of(MPI_Message message) {
  uint64_t key = 0;
  memcpy(&key, &message, sizeof message);
  return key;
}

static void add_taken(MPI_Message message, MPI_Comm comm, const MPI_Status* status) {
  uint32_t place = 0;
  while (place < most_taken && messages.is_used[place]) ++place;
  if (place == most_taken) {
    rt_refuse("more than 1024 messages that probes took and no receive");
    return;
  }
  messages.is_used[place] = true;
  messages.taken[place] = (struct taken){messages.count++, rt_comm(comm), status->MPI_SOURCE, status->MPI_TAG};
  rt_map_set(&messages.places, key_of(message), place);
}

void rt_note_seen(bool is_noted, int peer, int tag, MPI_Comm comm, const MPI_Status* status,
                  const MPI_Message* message) {
  if (peer == MPI_PROC_NULL) return;
  if (is_noted ? rt_comm(comm) == rt_none : !write_probe(false, message != NULL, peer, tag, comm)) return;
  rt_begin('e', 48);
  rt_put((uint64_t)status->MPI_SOURCE);
  rt_put_signed(status->MPI_TAG);
  rt_end();
  if (message != NULL) add_taken(*message, comm, status);
}

bool rt_note_matched_receive(bool blocking, MPI_Count count, MPI_Datatype type, MPI_Message message) {
  const uint32_t place = rt_map_find(&messages.places, key_of(message));
  if (place == rt_none) {
    if (message != MPI_MESSAGE_NO_PROC) rt_refuse("a message that no recorded probe took");
    return false;
  }
  rt_map_remove(&messages.places, key_of(message));
  messages.is_used[place] = false;
  const struct taken* taken = &messages.taken[place];
  write_receive(blocking, taken->comm, taken->source, taken->tag, rt_bytes(count, type), taken);
  if (blocking) rt_await();
  return true;
}

void rt_made_matched_receive(int code, const MPI_Request* request, bool is_started) {
  if (code == MPI_SUCCESS) add(request, rt_receive_request, is_started ? 0 : MPI_PROC_NULL);
}
