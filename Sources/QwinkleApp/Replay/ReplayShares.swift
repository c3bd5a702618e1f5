import CProcess
import Foundation

/// Has many tapes played by several processes at once, as many as there are processors: a tape has its program, its
/// service and its time for itself, and the screens of one process are drawn one after another.
enum ReplayShares {
  /// With fewer tapes per process, one process is done sooner.
  private static let minimumTapes = 8
  /// The exit status that says so many failed, and no more can.
  private static let maximumFailures = 100
  /// The exit status of a process that could not play all.
  private static let brokenOff: Int32 = 101

  /// One of the processes.
  private struct Share {
    let process: Int32
    /// What it prints, in memory.
    let output: Int32
    let errors: Int32
  }

  /// What one of the processes is to play.
  struct Part {
    let range: Range<Int>
    let isWhole: Bool

    /// Ends the process, once `failed` of its tapes have not gone as they should.
    func end(failed: Int, of count: Int) throws(AppError) {
      guard isWhole else { QwinkleProgram.end(status: Int32(min(failed, maximumFailures))) }
      if failed > 0 { throw ReplayShares.failure(failed, of: count) }
    }

    /// Says why the process cannot go on, and ends it, unless it is the only one.
    func breakOff(_ error: any Error) throws {
      guard !isWhole else { throw error }
      StandardOutput.complain(AppError(error).sentence)
      QwinkleProgram.end(status: brokenOff)
    }
  }

  /// Parts `count` tapes. Returns in each process that plays some of them; the first process, unless it plays them all,
  /// prints what the others print, in order, and ends. Without `together` there is no other. To be called while the
  /// program has one thread.
  static func part(_ count: Int, together: Bool) -> Part {
    let number = min(ProcessInfo.processInfo.activeProcessorCount, count / minimumTapes)
    guard together, number > 1 else { return Part(range: 0..<count, isWhole: true) }
    var shares: [Share] = []
    for index in 0..<number {
      let (output, errors) = (qw_memory_file(), qw_memory_file())
      let process = output < 0 || errors < 0 ? -1 : qw_fork()
      if process == 0 {
        dup2(output, 1)
        dup2(errors, 2)
        return Part(range: (index * count / number)..<((index + 1) * count / number), isWhole: false)
      }
      guard process > 0 else { break }
      shares.append(Share(process: process, output: output, errors: errors))
    }
    // Where not even one could be started, this one does it all.
    if shares.isEmpty { return Part(range: 0..<count, isWhole: true) }
    finish(shares, of: count, planned: number)
  }

  private static func finish(_ shares: [Share], of count: Int, planned: Int) -> Never {
    var failed = 0
    var isBroken = shares.count < planned
    for share in shares {
      var status: Int32 = 0
      while waitpid(share.process, &status, 0) < 0, errno == EINTR {}
      StandardOutput.copy(share.output, to: 1)
      StandardOutput.copy(share.errors, to: 2)
      let hasExited = status & 0x7F == 0
      let code = Int(status >> 8) & 0xFF
      if hasExited, code <= maximumFailures { failed += code } else { isBroken = true }
    }
    if isBroken {
      QwinkleProgram.end(
        with: AppError.failed("A process that plays tapes broke off: not all of \(count) were played."))
    }
    if failed > 0 { QwinkleProgram.end(with: failure(failed, of: count)) }
    QwinkleProgram.end(status: 0)
  }

  private static func failure(_ failed: Int, of count: Int) -> AppError {
    .failed("\(failed) of \(count) tapes did not go as they should.")
  }
}
