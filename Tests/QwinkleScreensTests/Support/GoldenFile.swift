import FoundationEssentials
import Testing

/// A screen as it should look, in a file. `QWINKLE_RECORD=1` in the environment writes the files anew.
enum GoldenFile {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")
  private static let isRecording = ProcessInfo.processInfo.environment["QWINKLE_RECORD"] == "1"

  /// Fails the test where `text` is not what the file `name` says, or where there is no such file.
  static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let url = folder.appendingPathComponent("\(name).txt")
    if isRecording {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: url)
      return
    }
    guard let data = try? Data(contentsOf: url) else {
      Issue.record(
        "There is no \(name).txt. Record it with QWINKLE_RECORD=1 and look at it.", sourceLocation: sourceLocation)
      return
    }
    let wanted = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let found = (text + "\n").split(separator: "\n", omittingEmptySubsequences: false)
    let differences = (0..<max(wanted.count, found.count)).filter { row in
      (row < wanted.count ? wanted[row] : nil) != (row < found.count ? found[row] : nil)
    }
    guard let first = differences.first else { return }
    Issue.record(
      """
      \(name) looks different in \(differences.count) rows, first in row \(first):
      wanted: \(first < wanted.count ? wanted[first] : "nothing")
      found:  \(first < found.count ? found[first] : "nothing")
      The whole screen:
      \(text)
      """, sourceLocation: sourceLocation)
  }
}
