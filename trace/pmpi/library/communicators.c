// SPDX-License-Identifier: MIT
//
// Communicators by number. The members of each are written once, by world ranks.
#include <stdlib.h>

#include "trace/pmpi/library/recorder.h"

struct comm {
  int size, rank, children;
};

static struct {
  struct rt_map numbers;  // by handle
  struct comm* comms;
  uint32_t count, room;
  uint64_t last_key;
  uint32_t last_number;
  bool has_last;
  MPI_Group world;
} table;

static uint64_t key_of(MPI_Comm comm) {
  uint64_t key = 0;
  memcpy(&key, &comm, sizeof comm);
  return key;
}

static uint32_t add(int size, int rank) {
  if (table.count == table.room) {
    table.room = table.room == 0 ? 16 : 2 * table.room;
    table.comms = rt_grown(table.comms, table.room * sizeof *table.comms);
  }
  table.comms[table.count] = (struct comm){size, rank, 0};
  return table.count++;
}

static uint32_t add_handle(MPI_Comm comm) {
  int size = 0, rank = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &rank);
  const uint32_t number = add(size, rank);
  rt_map_set(&table.numbers, key_of(comm), number);
  return number;
}

void rt_add_predefined_comms(void) {
  PMPI_Comm_group(MPI_COMM_WORLD, &table.world);
  add_handle(MPI_COMM_WORLD);
  add_handle(MPI_COMM_SELF);
}

uint32_t rt_comm(MPI_Comm comm) {
  const uint64_t key = key_of(comm);
  if (table.has_last && table.last_key == key) return table.last_number;
  const uint32_t number = rt_map_find(&table.numbers, key);
  if (number == rt_none) {
    rt_refuse("a communicator of unknown origin");
    return rt_none;
  }
  table.last_key = key;
  table.last_number = number;
  table.has_last = true;
  return number;
}

int rt_comm_size(uint32_t comm) { return table.comms[comm].size; }
int rt_comm_rank(uint32_t comm) { return table.comms[comm].rank; }

// The record of a communicator with these members.
static void write_comm(struct rt_maker maker, int form, int tag, MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  int* ranks = rt_grown(NULL, 2 * (size_t)size * sizeof *ranks);
  int* actors = ranks + size;
  for (int i = 0; i < size; ++i) ranks[i] = i;
  PMPI_Group_translate_ranks(group, size, ranks, table.world, actors);
  rt_begin('C', 64 + 20 * (size_t)size);
  rt_put(maker.parent);
  rt_put((uint64_t)form);
  rt_put_signed(maker.child);
  rt_put_signed(tag);
  rt_put((uint64_t)size);
  for (int first = 0, end; first < size; first = end) {
    for (end = first + 1; end < size && actors[end] == actors[end - 1] + 1;) ++end;
    rt_put((uint64_t)actors[first]);
    rt_put((uint64_t)(end - first));
  }
  rt_end();
  free(ranks);
}

struct rt_maker rt_make_from(MPI_Comm parent) {
  const uint32_t number = rt_comm(parent);
  if (number == rt_none) return (struct rt_maker){rt_none, 0};
  return (struct rt_maker){number, table.comms[number].children++};
}

struct rt_maker rt_make_from_group(MPI_Comm parent, MPI_Group group, int tag) {
  const struct rt_maker none = {rt_none, 0};
  const uint32_t number = rt_comm(parent);
  int rank = MPI_UNDEFINED, size = 0;
  PMPI_Group_rank(group, &rank);
  PMPI_Group_size(group, &size);
  if (number == rt_none || rank == MPI_UNDEFINED) return none;
  write_comm((struct rt_maker){number, 0}, rehearse_comm_of_group, tag, group);
  const struct rt_maker maker = {add(size, rank), 0};
  rt_note_sync_of(true, maker.parent, 0);
  return maker;
}

void rt_made_comm(int code, struct rt_maker maker, const MPI_Comm* made) {
  if (code != MPI_SUCCESS || maker.parent == rt_none || *made == MPI_COMM_NULL) return;
  int is_inter = 0;
  PMPI_Comm_test_inter(*made, &is_inter);
  if (is_inter) {
    rt_refuse("an intercommunicator");
    return;
  }
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(*made, &group);
  write_comm(maker, rehearse_comm_of_parent, 0, group);
  PMPI_Group_free(&group);
  table.has_last = false;
  add_handle(*made);
}

void rt_remove_comm(MPI_Comm comm) {
  table.has_last = false;
  rt_map_remove(&table.numbers, key_of(comm));
}
