import CProcess
import Foundation

/// System calls about the program's own process.
enum ProcessControl {
  /// Stops the whole job as the terminal would for ^Z, including a `make` that started the program. Returns once it is
  /// continued. If no shell could continue it, the system ignores the signal and nothing happens.
  @MainActor
  static func stopJob() { qw_stop_job() }

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
