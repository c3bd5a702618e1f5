import ArgumentParser
import CProcess
import Foundation

/// A file about a crash. It says where in the program it happened, and has none of the text read or written.
struct CrashReport {
  /// The program's state directory.
  let directory: String

  private var fresh: String { directory + "/crash.txt" }
  /// The last crash's report, which the next start moves here.
  var path: String { directory + "/crash-report.txt" }

  /// Makes a later crash write a report.
  func arm() {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    qw_crash_report_to(fresh, RootCommand.configuration.version)
  }

  /// A sentence about a crash, once; nil if there was none.
  func tell() -> String? {
    guard access(fresh, F_OK) == 0, rename(fresh, path) == 0 else { return nil }
    return "Qwinkle crashed last time. The report contains none of your text: \(path)"
  }
}
