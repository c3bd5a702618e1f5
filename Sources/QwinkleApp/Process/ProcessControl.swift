import CProcess
import Foundation

/// System calls about the program's own process.
enum ProcessControl {
  /// Stops the whole job as the terminal would for ^Z, including a `make` that started the program. Returns once it is
  /// continued. If no shell could continue it, the system ignores the signal and nothing happens.
  @MainActor
  static func stopJob() { qw_stop_job() }

  /// Opens standard descriptors that the caller has closed, or the program's first file would get one of their numbers
  /// and the output would go there. Reading and writing them still fails.
  static func occupyStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The system takes the lowest free number.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
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
