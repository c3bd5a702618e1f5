import ArgumentParser
import CProcess
import Foundation

/// A crash report. It contains the code position of the crash, but no text that the user read or wrote.
struct CrashReport {
  /// The program's state directory.
  let directory: String

  private var fresh: String { directory + "/crash.txt" }
  /// The report of the last crash. When the program starts after a crash, it moves the report here.
  var path: String { directory + "/crash-report.txt" }

  /// Installs a handler that writes a report when the program crashes.
  func arm() {
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    qw_crash_report_to(fresh, RootCommand.configuration.version)
  }

  /// Returns a message about a new crash, and archives its report so that the message appears only once.
  func tell() -> String? {
    guard access(fresh, F_OK) == 0, rename(fresh, path) == 0 else { return nil }
    return "Qwinkle crashed last time. The report contains none of your text: \(path)"
  }
}
