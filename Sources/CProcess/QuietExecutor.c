#include "CProcess.h"

#include <stdint.h>

#if defined(__linux__)

// From the ABI of Swift's concurrency runtime and from libdispatch, declared here because a C target has no headers
// for them.
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

#else

void qw_install_quiet_executor(void) {}

#endif
