import Foundation
import LibC

/// Resources that the operating system counts for this process. A figure is nil where the system has no source for it.
struct ProcessFigures {
  /// Resident memory, in bytes.
  var residentBytes: Int?
  var openDescriptors: Int?
  /// User and system time of all threads, in seconds.
  var cpuSeconds: Double

  /// Reads the current figures.
  init() {
    let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    residentBytes = pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    // The list includes the descriptor that reads it.
    openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
    var used = timespec()
    cpuSeconds =
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 ? Double(used.tv_sec) + Double(used.tv_nsec) / 1e9 : 0
  }
}
