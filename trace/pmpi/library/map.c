// SPDX-License-Identifier: MIT
//
// Memory; and maps with open addressing and linear probing, in which removal moves later entries back.
#include <stdlib.h>

#include "trace/pmpi/library/recorder.h"

void* rt_grown(void* block, size_t bytes) {
  void* grown = realloc(block, bytes == 0 ? 1 : bytes);
  if (grown == NULL) abort();
  return grown;
}

static uint32_t home(const struct rt_map* map, uint64_t key) {
  return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (map->capacity - 1);
}

static uint32_t place_of(const struct rt_map* map, uint64_t key) {
  uint32_t place = home(map, key);
  while (map->values[place] != 0 && map->keys[place] != key) place = (place + 1) & (map->capacity - 1);
  return place;
}

uint32_t rt_map_find(const struct rt_map* map, uint64_t key) {
  if (map->capacity == 0) return rt_none;
  return map->values[place_of(map, key)] - 1;  // of a free one: rt_none
}

static void grow(struct rt_map* map) {
  const struct rt_map old = *map;
  map->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
  map->keys = rt_grown(NULL, map->capacity * sizeof *map->keys);
  map->values = rt_grown(NULL, map->capacity * sizeof *map->values);
  memset(map->values, 0, map->capacity * sizeof *map->values);
  for (uint32_t i = 0; i < old.capacity; ++i)
    if (old.values[i] != 0) {
      const uint32_t place = place_of(map, old.keys[i]);
      map->keys[place] = old.keys[i];
      map->values[place] = old.values[i];
    }
  free(old.keys);
  free(old.values);
}

void rt_map_set(struct rt_map* map, uint64_t key, uint32_t value) {
  if (2 * (map->used + 1) > map->capacity) grow(map);
  const uint32_t place = place_of(map, key);
  if (map->values[place] == 0) ++map->used;
  map->keys[place] = key;
  map->values[place] = value + 1;
}

void rt_map_remove(struct rt_map* map, uint64_t key) {
  if (map->capacity == 0) return;
  uint32_t hole = place_of(map, key);
  if (map->values[hole] == 0) return;
  --map->used;
  const uint32_t mask = map->capacity - 1;
  for (uint32_t next = (hole + 1) & mask; map->values[next] != 0; next = (next + 1) & mask) {
    const uint32_t distance = (next - home(map, map->keys[next])) & mask;
    if (distance < ((next - hole) & mask)) continue;
    map->keys[hole] = map->keys[next];
    map->values[hole] = map->values[next];
    hole = next;
  }
  map->values[hole] = 0;
}
