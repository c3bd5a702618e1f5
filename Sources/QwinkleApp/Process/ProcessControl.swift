import CProcess
import Dispatch
import Foundation

/// System calls for the current process.
enum ProcessControl {
  /// Stops the whole job, including a `make` that started the program, as the terminal does for ^Z. Returns after a
  /// shell has continued the job. If the job has no shell that could continue it, the system doesn't stop the job.
  @MainActor
  static func stopJob() { qw_stop_job() }

  /// Opens standard descriptors that are closed at launch. Otherwise, the first file that the program opens would get
  /// the number of a standard descriptor, and output would be written to that file. Reading and writing the opened
  /// descriptors fails, as it does with closed ones.
  static func occupyStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // open() uses the lowest free number.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Calls `handler` when one of the signals arrives, instead of the default action. The caller must retain the result.
  @MainActor
  static func onSignals(
    _ numbers: [Int32], _ handler: @escaping @MainActor () -> Void
  ) -> [any DispatchSourceSignal] {
    numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { handler() }
      source.activate()
      return source
    }
  }

  /// Disables core dumps, which would contain secrets.
  static func forbidCoreDumps() {
    var limits = rlimit()
    #if canImport(Glibc)
      let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
      let core = RLIMIT_CORE
    #endif
    guard getrlimit(core, &limits) == 0 else { return }
    limits.rlim_cur = 0
    setrlimit(core, &limits)
  }
}
