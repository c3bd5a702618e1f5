import Foundation
import Synchronization

/// A program with pipes for its standard files. Doesn't use Foundation's `Process`, which reads past its list of open
/// files if there are more than a thousand, as in parallel tests.
final class PipedProcess: Sendable {
  let processID: Int32
  private let ending = Mutex<Int32?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a program. A nil descriptor means `/dev/null`. `didEnd` is called on a separate thread with the exit
  /// status, or 128 plus the number of the signal that ended the program.
  ///
  /// - Throws: ``HarnessError/refused(_:)`` if the program can't be started.
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

  /// Blocks until the program has ended.
  func waitForEnd() {
    hasEnded.wait()
    hasEnded.signal()
  }
}
