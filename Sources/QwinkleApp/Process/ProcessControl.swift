import CProcess
import Foundation

/// What the program asks of the system for its own process.
enum ProcessControl {
  /// Stops the whole job, as the terminal would for ^Z: a `make` that started the program stops with it. Returns when
  /// it has been continued. Where no shell could continue it the system passes over the signal, and nothing happens.
  @MainActor
  static func stopJob() { qw_stop_job() }

  /// From now on a crash writes no image of the memory, in which secrets are, to a file.
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
