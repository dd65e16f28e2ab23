#include "pools.h"

#include "play.h"

enum { POOL_SIZE = 4, GRAVEYARD_SIZE = 32 };

typedef struct pooled {
  uint64_t id;
  int is_owned;
} pooled;

typedef struct pool {
  pooled entries[POOL_SIZE];
  size_t count;
} pool;

size_t current_group;

static uint64_t runtimes[RUNTIME_COUNT];
static pool pools[MAX_KINDS][GROUP_COUNT];
static uint64_t graveyard[MAX_KINDS][GRAVEYARD_SIZE];

uint64_t runtime_of_group(size_t group) {
  return runtimes[group / GROUPS_PER_RUNTIME];
}

uint64_t runtime_at(size_t number) {
  return runtimes[number];
}

void set_runtime(size_t number, uint64_t id) {
  runtimes[number] = id;
}

static void bury(int kind, uint64_t id) {
  graveyard[kind][random_below(GRAVEYARD_SIZE)] = id;
}

static uint64_t any_of(const pool *pool) {
  return pool->count ? pool->entries[random_below(pool->count)].id : 0;
}

static uint64_t of_group(int kind, size_t group) {
  return kind == kind_of_runtime ? runtime_of_group(group) : any_of(&pools[kind][group]);
}

int has_handle(int kind) {
  return of_group(kind, current_group) != 0;
}

uint64_t pick_handle(const char *name, int kind, unsigned null_permille) {
  const size_t neighbour = current_group / GROUPS_PER_RUNTIME * GROUPS_PER_RUNTIME + random_below(GROUPS_PER_RUNTIME);
  uint64_t id = of_group(kind, current_group);
  if (random_permille(null_permille ? null_permille : 5))
    id = 0;
  else if (random_permille(8))
    id = graveyard[kind][random_below(GRAVEYARD_SIZE)];
  else if (random_permille(8))
    id = of_group(kind, random_below(GROUP_COUNT));
  else if (id == 0 || random_permille(50))
    id = of_group(kind, neighbour);
  trace(" %s=%s:%llx", name, kinds[kind].name, (unsigned long long)id);
  return id;
}

static void remove_at(pool *pool, size_t index) {
  pool->entries[index] = pool->entries[--pool->count];
}

/* Takes an entry out of a pool and gives it back to the library. */
static void drop(int kind, pool *pool, size_t index) {
  const pooled dropped = pool->entries[index];
  remove_at(pool, index);
  if (dropped.is_owned) {
    trace(" [and releases %s:%llx]", kinds[kind].name, (unsigned long long)dropped.id);
    kinds[kind].release(dropped.id);
  }
  bury(kind, dropped.id);
}

void keep_handle(int kind, uint64_t id, int is_owned) {
  if (kind == kind_of_runtime) {
    /* The sequence has its runtimes already. */
    if (is_owned) {
      kinds[kind].release(id);
      bury(kind, id);
    }
    return;
  }
  pool *pool = &pools[kind][current_group];
  /* A borrowed handle that the pool knows is no other object. */
  for (size_t i = 0; i < pool->count; i++)
    if (pool->entries[i].id == id && !is_owned)
      return;
  if (pool->count == POOL_SIZE)
    drop(kind, pool, random_below(POOL_SIZE));
  pool->entries[pool->count++] = (pooled){id, is_owned};
}

/* The groups of a runtime that has been released may hold objects of another one, which are the host's to release; for
 * stale objects that does nothing. */
static void drop_objects_of_groups(size_t runtime_number) {
  for (size_t kind = 0; kind < kind_count; kind++)
    for (size_t i = 0; i < GROUPS_PER_RUNTIME; i++) {
      pool *pool = &pools[kind][runtime_number * GROUPS_PER_RUNTIME + i];
      while (pool->count)
        drop((int)kind, pool, pool->count - 1);
    }
}

void forget_handle(int kind, uint64_t id) {
  bury(kind, id);
  if (kind == kind_of_runtime) {
    for (size_t i = 0; i < RUNTIME_COUNT; i++)
      if (runtimes[i] == id) {
        runtimes[i] = 0;
        drop_objects_of_groups(i);
      }
    return;
  }
  for (size_t group = 0; group < GROUP_COUNT; group++)
    for (size_t i = pools[kind][group].count; i-- > 0;)
      if (pools[kind][group].entries[i].id == id)
        remove_at(&pools[kind][group], i);
}

void release_all_objects(void) {
  const size_t place_count = kind_count * GROUP_COUNT;
  size_t step = 0;
  while (step < place_count) {
    /* The first pool that is not empty, from any one on. */
    const size_t start = random_below(place_count);
    for (step = 0; step < place_count; step++) {
      const size_t kind = (start + step) % place_count / GROUP_COUNT;
      pool *pool = &pools[kind][(start + step) % GROUP_COUNT];
      if (pool->count) {
        drop((int)kind, pool, random_below(pool->count));
        break;
      }
    }
  }
}
