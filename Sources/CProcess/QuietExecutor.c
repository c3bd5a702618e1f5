#include "CProcess.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// From the ABI of Swift's concurrency runtime and of libdispatch. C targets have no headers for them.
typedef struct Job Job;
typedef struct {
  void *identity;
  uintptr_t implementation;
} ExecutorReference;

typedef __attribute__((swiftcall)) void (*EnqueueGlobal)(Job *job);
typedef __attribute__((swiftcall)) void (*EnqueueGlobalHook)(Job *job, EnqueueGlobal original);

extern EnqueueGlobalHook swift_task_enqueueGlobal_hook __attribute__((weak));
extern __attribute__((swiftcall)) void swift_job_run(Job *job, ExecutorReference executor) __attribute__((weak));
extern void *dispatch_queue_create(const char *label, void *attributes) __attribute__((weak));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *)) __attribute__((weak));

static void *queue;

static void run(void *job) { swift_job_run((Job *)job, (ExecutorReference){0, 0}); }

static __attribute__((swiftcall)) void enqueue(Job *job, EnqueueGlobal original) {
  (void)original;
  dispatch_async_f(queue, job, run);
}

void qw_install_quiet_executor(void) {
  if (queue || !&swift_task_enqueueGlobal_hook || !swift_job_run || !dispatch_queue_create || !dispatch_async_f) return;
  queue = dispatch_queue_create("qwinkle.tasks", 0);
  if (queue) swift_task_enqueueGlobal_hook = enqueue;
}

// Jobs that run in shuffled order, and the generator's state (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number
// Generators", 2014).
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static Job **waiting;
static size_t waiting_count, waiting_capacity;
static uint64_t shuffle_state;

static uint64_t next_random(void) {
  uint64_t value = shuffle_state += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

static void run_any(void *context) {
  (void)context;
  pthread_mutex_lock(&turn);
  size_t index = (size_t)(next_random() % waiting_count);
  Job *job = waiting[index];
  waiting[index] = waiting[--waiting_count];
  pthread_mutex_unlock(&turn);
  swift_job_run(job, (ExecutorReference){0, 0});
}

static __attribute__((swiftcall)) void enqueue_shuffled(Job *job, EnqueueGlobal original) {
  (void)original;
  pthread_mutex_lock(&turn);
  if (waiting_count == waiting_capacity) {
    waiting_capacity = waiting_capacity ? 2 * waiting_capacity : 64;
    waiting = realloc(waiting, waiting_capacity * sizeof *waiting);
    if (!waiting) abort();
  }
  waiting[waiting_count++] = job;
  pthread_mutex_unlock(&turn);
  dispatch_async_f(queue, NULL, run_any);
}

void qw_install_shuffling_executor(uint64_t seed) {
  qw_install_quiet_executor();
  if (!queue) return;
  shuffle_state = seed;
  swift_task_enqueueGlobal_hook = enqueue_shuffled;
}
