import Foundation
import Synchronization

/// A failure of a test's terminal or program.
public enum HarnessError: Error, CustomStringConvertible {
  /// `tmux` is not in `PATH`.
  case missing
  /// tmux or the terminal has ended.
  case ended
  /// tmux refused a command, or the system refused to start a program or a terminal.
  case refused(String)
  /// A wait reached its deadline; `screen` is the screen or log at that moment.
  case timedOut(String, screen: String)

  public var description: String {
    switch self {
    case .missing: "tmux is not installed: run make deps-test"
    case .ended: "tmux has ended"
    case .refused(let reason): "tmux refused: \(reason)"
    case .timedOut(let what, let screen): "The wait for \(what) timed out. The screen:\n\(screen)"
    }
  }
}

/// A tmux in control mode for one test. It reports screen changes, so tests don't need to poll.
final class TmuxControl: Sendable {
  private struct State {
    /// Commands without a reply, in order. An entry remains after its deadline, as the reply may still arrive.
    var pending: [(number: Int, reply: CheckedContinuation<[String], any Error>?)] = []
    var sentCount = 0
    var reply: [String]?
    var changes = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var waitingCount = 0
    var hasEnded = false
  }

  private static let timers = DispatchQueue(label: "tmux.timers")

  private let state = Mutex(State())
  private let process: PipedProcess
  private let input = Pipe()
  private let output = Pipe()

  /// Starts tmux with `arguments`.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` if it cannot be started.
  init(executable: String, arguments: [String], environment: [String: String], directory: String) throws {
    // Writing to a tmux that has ended must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    process = try PipedProcess(
      [executable] + arguments, input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor, errors: nil, environment: environment, directory: directory)
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    let reader = Thread { [self] in read() }
    reader.name = "tmux"
    reader.start()
  }

  /// Number of changes so far.
  var changes: Int { state.withLock { $0.changes } }

  /// Sends `command` and returns the lines of the reply.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  func send(_ command: String) async throws -> [String] {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[String], any Error>) in
      let sent = state.withLock { state -> Int? in
        guard !state.hasEnded else { return nil }
        state.sentCount += 1
        state.pending.append((state.sentCount, continuation))
        try? input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        return state.sentCount
      }
      guard let sent else { return continuation.resume(throwing: HarnessError.ended) }
      Self.timers.asyncAfter(deadline: .now() + .seconds(Deadline.seconds)) { [weak self] in
        self?.giveUp(sent, command)
      }
    }
  }

  private func giveUp(_ number: Int, _ command: String) {
    let reply = state.withLock { state -> CheckedContinuation<[String], any Error>? in
      guard let index = state.pending.firstIndex(where: { $0.number == number }) else { return nil }
      defer { state.pending[index].reply = nil }
      return state.pending[index].reply
    }
    reply?.resume(throwing: HarnessError.timedOut("tmux's reply to \(command)", screen: ""))
  }

  /// Returns once `changes` differs from `seen`, or after `milliseconds`.
  func change(after seen: Int, atMost milliseconds: Int) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let number = state.withLock { state -> Int? in
        guard state.changes == seen, !state.hasEnded else { return nil }
        state.waitingCount += 1
        state.waiting[state.waitingCount] = continuation
        return state.waitingCount
      }
      guard let number else { return continuation.resume() }
      Self.timers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
      }
    }
  }

  /// Stops tmux and its programs.
  func stop() async {
    _ = try? await send("kill-server")
    try? input.fileHandleForWriting.close()
    let deadline = Deadline()
    while !state.withLock({ $0.hasEnded }) {
      if deadline.timeLeft < .zero { kill(process.processID, SIGKILL) }
      await change(after: changes, atMost: 100)
    }
  }

  // MARK: Reading

  private func read() {
    var unread: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      let count = systemRead(descriptor, &buffer)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      unread += buffer[..<count]
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: unread[..<end], as: UTF8.self))
        unread.removeSubrange(...end)
      }
    }
    end()
  }

  private func take(_ line: String) {
    let words = line.split(separator: " ")
    // The last field is 1 for replies to commands from standard input.
    let isOfGuard = words.count == 4 && words[3] == "1"
    state.withLock { state in
      if let reply = state.reply {
        guard isOfGuard, words[0] == "%end" || words[0] == "%error" else { return state.reply = reply + [line] }
        state.reply = nil
        guard !state.pending.isEmpty else { return }
        let continuation = state.pending.removeFirst().reply
        if words[0] == "%end" {
          continuation?.resume(returning: reply)
        } else {
          continuation?.resume(throwing: HarnessError.refused(reply.joined(separator: "\n")))
        }
      } else if isOfGuard, words[0] == "%begin" {
        state.reply = []
      } else {
        state.changes += 1
        Self.tell(&state)
      }
    }
  }

  private func end() {
    process.waitForEnd()
    state.withLock { state in
      state.hasEnded = true
      for (_, reply) in state.pending { reply?.resume(throwing: HarnessError.ended) }
      state.pending = []
      Self.tell(&state)
    }
  }

  private static func tell(_ state: inout State) {
    for continuation in state.waiting.values { continuation.resume() }
    state.waiting = [:]
  }
}

/// Reads at least one byte, and as many as are available; returns 0 at the end.
func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  let capacity = buffer.count
  return buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, capacity) }
}
