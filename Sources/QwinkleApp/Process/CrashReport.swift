import ArgumentParser
import CProcess
import Foundation

/// What is left of a crash: a file that says where in the program it happened, and nothing of what was read or written.
struct CrashReport {
  /// Where the state of the program is kept.
  let directory: String

  private var fresh: String { directory + "/crash.txt" }
  /// Where the report of the last crash is from the next start on.
  var path: String { directory + "/crash-report.txt" }

  /// Has a crash from now on write a report.
  func arm() {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    qw_crash_report_to(fresh, RootCommand.configuration.version)
  }

  /// A sentence about a crash that nobody has been told of, once; nil where there was none.
  func tell() -> String? {
    guard access(fresh, F_OK) == 0, rename(fresh, path) == 0 else { return nil }
    return "Qwinkle ended unexpectedly the last time. The report, without any text of yours, is in \(path)."
  }
}
