import Foundation
import Synchronization

/// A program without a terminal. Tests start it, wait for it and read its output.
public final class ChildProcess: Sendable {
  /// How a program ended.
  public struct Outcome: Sendable {
    /// The exit status, or 128 plus the number of the signal that ended the program.
    public let status: Int32
    /// Bytes written to standard output.
    public let output: [UInt8]
    /// Text written to standard error.
    public let errors: String

    /// Text written to standard output.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines of standard error.
    public var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    /// Number of ends still open: standard output, standard error and the process.
    var openEnds = 3
    var status: Int32 = 0
    var lookers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let command: [String]
  private let process = Mutex<PipedProcess?>(nil)
  private let patience: Duration

  /// Starts a program. Without `input`, its standard input is empty. Waiting for the program fails after `patience`.
  public init(
    _ command: [String], input: String? = nil, environment: [String: String], directory: String,
    patience: Duration = Deadline.patience
  ) throws {
    self.patience = patience
    signal(SIGPIPE, SIG_IGN)
    let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
    self.command = command
    let started = try PipedProcess(
      command, input: input == nil ? nil : stdin.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor, errors: errors.fileHandleForWriting.fileDescriptor,
      environment: environment, directory: directory,
      didEnd: { [self] status in finish { $0.status = status } })
    process.withLock { $0 = started }
    for pipe in [output, errors] { try? pipe.fileHandleForWriting.close() }
    try? stdin.fileHandleForReading.close()
    if let input { try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try? stdin.fileHandleForWriting.close()
    read(output) { $0.output += $1 }
    read(errors) { $0.errors += $1 }
  }

  public var processID: Int32 { process.withLock { $0?.processID ?? 0 } }

  /// Waits for the program to end and returns the outcome.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after `patience`. The program is then killed.
  public func outcome() async throws -> Outcome {
    do {
      try await wait(for: "the end of \(command)") { $0.openEnds == 0 }
    } catch {
      kill(processID, SIGKILL)
      throw error
    }
    return state.withLock { state in
      Outcome(status: state.status, output: state.output, errors: String(decoding: state.errors, as: UTF8.self))
    }
  }

  /// Waits for the first complete line of standard output and returns it.
  public func firstLine() async throws -> String {
    try await wait(for: "a line of \(command)") { $0.output.contains(UInt8(ascii: "\n")) || $0.openEnds == 0 }
    return state.withLock { String(decoding: $0.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
  }

  /// Sends SIGTERM and returns the outcome.
  @discardableResult
  public func stop() async throws -> Outcome {
    if state.withLock({ $0.openEnds > 0 }) { kill(processID, SIGTERM) }
    return try await outcome()
  }

  /// Runs a program and returns the outcome.
  public static func run(
    _ command: [String], input: String? = nil, environment: [String: String], directory: String,
    patience: Duration = Deadline.patience
  ) async throws -> Outcome {
    try await ChildProcess(
      command, input: input, environment: environment, directory: directory, patience: patience
    ).outcome()
  }

  // MARK: Reading

  private func read(_ pipe: Pipe, _ take: @escaping @Sendable (inout State, [UInt8]) -> Void) {
    let reader = Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        // `FileHandle`'s own reading returns only when the buffer is full or the file ends.
        let count = systemRead(pipe.fileHandleForReading.fileDescriptor, &buffer)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        tell { take(&$0, Array(buffer[..<count])) }
      }
      finish { _ in }
    }
    reader.start()
  }

  private func finish(_ change: (inout State) -> Void) {
    tell { state in
      change(&state)
      state.openEnds -= 1
    }
  }

  private func tell(_ change: (inout State) -> Void) {
    let lookers = state.withLock { state in
      change(&state)
      defer { state.lookers = [] }
      return state.lookers
    }
    for looker in lookers { looker.resume() }
  }

  private func wait(for what: String, until isSo: (borrowing State) -> Bool) async throws {
    let deadline = Deadline(after: patience)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler { [weak self] in self?.tell { _ in } }
    timer.activate()
    defer { timer.cancel() }
    while !state.withLock({ isSo($0) }) {
      try deadline.check(what) { state.withLock { String(decoding: $0.output + $0.errors, as: UTF8.self) } }
      await withCheckedContinuation { continuation in
        state.withLock { $0.lookers.append(continuation) }
      }
    }
  }
}
