import Foundation
import Synchronization

/// A program with pipes for its standard files. Foundation's `Process` isn't used: it first lists the open files of the
/// whole program, and reads beyond that list if there are more than a thousand, as in tests that run in parallel.
final class PipedProcess: Sendable {
  /// Its process id.
  let processID: Int32
  private let ending = Mutex<Int32?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a program. A nil descriptor stands for `/dev/null`. `didEnd` is called on a thread of its own with the exit
  /// status, or 128 plus the number of the signal that ended the program.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` if it cannot be started.
  init(
    _ command: [String], input: Int32?, output: Int32?, errors: Int32?, environment: [String: String],
    directory: String,
    didEnd: @escaping @Sendable (Int32) -> Void = { _ in }
  ) throws {
    processID = try Spawn.start(
      command, files: [input, output, errors].map { $0.map(Spawn.StandardFile.descriptor) ?? .nowhere },
      environment: environment, directory: directory)
    let process = processID
    let waiter = Thread { [self] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
      ending.withLock { $0 = code }
      hasEnded.signal()
      didEnd(code)
    }
    waiter.name = "program"
    waiter.start()
  }

  /// Returns once it has ended.
  func waitForEnd() {
    hasEnded.wait()
    hasEnded.signal()
  }
}
