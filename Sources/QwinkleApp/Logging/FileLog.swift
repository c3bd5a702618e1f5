import Foundation
import Logging
import SafeText
import Timekeeping

/// Logs to a file, created with the first line, and never to the screen. Callers must not log secrets or message texts.
struct FileLog: LogHandler {
  private static let mostBytes = 1 << 20

  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info
  private let path: String
  private let clock: any ProgramClock

  /// Returns a logger for `directory`/log.
  static func logger(directory: String, clock: any ProgramClock) -> Logger {
    Logger(label: "qwinkle") { _ in FileLog(path: directory + "/log", clock: clock) }
  }

  private init(path: String, clock: any ProgramClock) {
    self.path = path
    self.clock = clock
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let time = clock.now.formatted(.iso8601)
    let line = SafeText.line("\(time) \(event.level) \(event.message)") + "\n"
    append(Array(line.utf8))
  }

  private func append(_ bytes: [UInt8]) {
    let directory = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if size > Self.mostBytes {
      try? FileManager.default.removeItem(atPath: path + ".old")
      try? FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }
}
