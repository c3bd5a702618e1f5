import Foundation
import Synchronization

/// A tmux window that shows given bytes, to compare tmux's rendering with the driver's. No program draws in it.
public final class TmuxCanvas: Sendable {
  private let harness: TmuxHarness
  private let terminal: Int32
  /// The pipe that receives tmux's replies.
  private let answers: Int32
  private let answersPath: String
  private let rowCount: Mutex<Int>

  private init(harness: TmuxHarness, terminal: Int32, answers: Int32, answersPath: String, rowCount: Int) {
    self.harness = harness
    self.terminal = terminal
    self.answers = answers
    self.answersPath = answersPath
    self.rowCount = Mutex(rowCount)
  }

  deinit {
    close(terminal)
    close(answers)
  }

  /// Starts a canvas of this size.
  ///
  /// - Parameter directory: The directory of tmux's socket. Its path must be short.
  ///
  /// - Throws: ``HarnessError/missing`` if tmux is not installed.
  public static func start(rows: Int, columns: Int, directory: String = "/tmp") async throws -> TmuxCanvas {
    let path = "\(directory)/tmux-answers-\(UUID().uuidString.prefix(8))"
    guard mkfifo(path, 0o600) == 0 else { throw HarnessError.refused("\(path) cannot be made, error \(errno)") }
    let answers = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": directory,
    ]
    // The program on the terminal only forwards tmux's replies. Its first line reports that it is ready.
    let script = #"stty raw -echo; { echo ready; exec cat; } > "$0""#
    let harness: TmuxHarness
    do {
      harness = try await TmuxHarness.start(
        ["/bin/sh", "-c", script, path], rows: rows, columns: columns, environment: environment, directory: directory)
    } catch {
      close(answers)
      unlink(path)
      throw error
    }
    do {
      try await harness.mute()
      let terminal = open(try await harness.terminalPath(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      let canvas = TmuxCanvas(
        harness: harness, terminal: terminal, answers: answers, answersPath: path, rowCount: rows)
      _ = try await canvas.exchange([]) { $0.contains(UInt8(ascii: "\n")) }
      return canvas
    } catch {
      await harness.stop()
      unlink(path)
      throw error
    }
  }

  /// Stops tmux.
  public func stop() async {
    await harness.stop()
    unlink(answersPath)
  }

  // MARK: Drawing

  /// Resets the canvas to this size.
  public func begin(rows: Int, columns: Int) async throws {
    try await harness.resize(rows: rows, columns: columns)
    rowCount.withLock { $0 = rows }
    try await show(Array("\u{1B}c".utf8))
  }

  /// Shows `bytes` after the current content, and returns once tmux has processed them.
  public func show(_ bytes: [UInt8]) async throws {
    _ = try await exchange(bytes + Self.question, until: Self.hasAnswers(1))
  }

  /// Returns the cursor's column, from 0, after each of the texts, written at the start of an empty row.
  public func columns(after texts: [[UInt8]]) async throws -> [Int] {
    var bytes: [UInt8] = Array("\u{1B}[m\u{1B}[H".utf8)
    for text in texts { bytes += Array("\r\u{1B}[K".utf8) + text + Self.question }
    let answered = try await exchange(bytes, until: Self.hasAnswers(texts.count))
    return String(decoding: answered, as: UTF8.self).split(separator: "\u{1B}").map { answer in
      let column = answer.split(separator: ";").last?.prefix { $0.isNumber }
      return (column.flatMap { Int($0) } ?? 0) - 1
    }
  }

  /// Erases all rows from `column` to the end.
  public func erase(from column: Int) async throws {
    let rows = (1...rowCount.withLock { $0 }).map { "\u{1B}[\($0);\(column + 1)H\u{1B}[K" }
    try await show(Array(("\u{1B}[m" + rows.joined()).utf8))
  }

  // MARK: Searching

  /// Returns the visible rows without trailing blanks.
  public func rows() async throws -> [String] {
    try await harness.screen().rows
  }

  /// Returns the window's title.
  public func title() async throws -> String {
    try await harness.screen().title
  }

  /// Returns the clipboard's content, if any.
  public func clipboard() async throws -> String? {
    try await harness.clipboard()
  }

  // MARK: Queries

  /// The query for the cursor's position (DSR 6).
  private static let question = Array("\u{1B}[6n".utf8)

  private static func hasAnswers(_ count: Int) -> @Sendable ([UInt8]) -> Bool {
    { answers in answers.count { $0 == UInt8(ascii: "R") } >= count }
  }

  /// Writes `bytes` and returns the replies received until `isEnough` accepts them.
  private func exchange(
    _ bytes: [UInt8], until isEnough: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws -> [UInt8] {
    let (terminal, answers) = (terminal, answers)
    return try await withCheckedThrowingContinuation { continuation in
      // This may take long and must not block a thread of Swift's concurrency pool.
      DispatchQueue(label: "tmux.canvas").async {
        continuation.resume(with: Result { try Self.exchange(bytes, terminal, answers, until: isEnough) })
      }
    }
  }

  private static func exchange(
    _ bytes: [UInt8], _ terminal: Int32, _ answers: Int32, until isEnough: ([UInt8]) -> Bool
  ) throws -> [UInt8] {
    let deadline = Deadline()
    var unsent = bytes[...]
    var answered: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while !unsent.isEmpty || !isEnough(answered) {
      try deadline.check("tmux's answers") { String(decoding: answered.suffix(200), as: UTF8.self) }
      var ends = [
        pollfd(fd: answers, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unsent.isEmpty ? -1 : terminal, events: Int16(POLLOUT), revents: 0),
      ]
      poll(&ends, 2, 1000)
      if ends[1].revents != 0 {
        let written = unsent.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
        if written > 0 { unsent = unsent.dropFirst(written) } else if errno == EIO { throw HarnessError.ended }
      }
      if ends[0].revents != 0 {
        let count = systemRead(answers, &buffer)
        // The pipe has no writer: normal before the program opens it, the end afterwards.
        if count == 0, answered.isEmpty == false || unsent.isEmpty == false, ends[0].revents & Int16(POLLHUP) != 0 {
          throw HarnessError.ended
        }
        if count > 0 { answered += buffer[..<count] }
      }
    }
    return answered
  }
}
