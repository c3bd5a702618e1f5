import Dispatch
import Foundation
import Logging
import SafeText
import Synchronization
import Timekeeping

/// Logs to a file, created with the first line, and never to the screen. Callers must not log secrets or message texts.
/// Lines are written in the background, so that a slow disk doesn't stop the screen.
struct FileLog: LogHandler {
  private static let mostBytes = 1 << 20
  /// Further lines are dropped while as many wait for a disk that doesn't answer.
  private static let mostWaiting = 1000
  private static let work = DispatchQueue(label: "qwinkle.log")
  private static let waiting = Atomic(0)

  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info
  private let path: String
  private let clock: any ProgramClock

  /// Returns a logger for `directory`/log.
  static func logger(directory: String, clock: any ProgramClock) -> Logger {
    Logger(label: "qwinkle") { _ in FileLog(path: directory + "/log", clock: clock) }
  }

  /// Waits until all lines logged so far are written.
  static func flush() { work.sync {} }

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
    guard Self.waiting.load(ordering: .relaxed) < Self.mostWaiting else { return }
    Self.waiting.add(1, ordering: .relaxed)
    Self.work.async { [path] in
      Self.append(Array(line.utf8), to: path)
      Self.waiting.subtract(1, ordering: .relaxed)
    }
  }

  private static func append(_ bytes: [UInt8], to path: String) {
    let directory = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if size > mostBytes {
      try? FileManager.default.removeItem(atPath: path + ".old")
      try? FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }
}
