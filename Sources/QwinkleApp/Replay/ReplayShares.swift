import CProcess
import Foundation

/// Plays many tapes in parallel, in at most one process per processor. Tapes share nothing, but they need separate
/// processes, because a process draws only one screen at a time.
enum ReplayShares {
  /// Minimum number of tapes per process. With fewer tapes, a single process is faster.
  private static let minimumTapes = 8
  /// Maximum number of failures that an exit status can report.
  private static let maximumFailures = 100
  /// Exit status of a child process that stopped early.
  private static let brokenOff: Int32 = 101

  private struct Share {
    let process: Int32
    /// Standard output, in a memory file.
    let output: Int32
    let errors: Int32
  }

  /// The tapes that this process plays.
  struct Part {
    let range: Range<Int>
    let isWhole: Bool

    /// Reports the number of failed tapes. A child process exits with this number as its status. If this is the only
    /// process, throws an error if any tape has failed.
    func end(failed: Int, of count: Int) throws(AppError) {
      guard isWhole else { QwinkleProgram.end(status: Int32(min(failed, maximumFailures))) }
      if failed > 0 { throw ReplayShares.failure(failed, of: count) }
    }

    /// Reports an error that prevents playing further tapes. A child process prints `error` and exits. If this is the
    /// only process, throws `error`.
    func breakOff(_ error: any Error) throws {
      guard !isWhole else { throw error }
      StandardOutput.complain(AppError(error).sentence)
      QwinkleProgram.end(status: brokenOff)
    }
  }

  /// Divides `count` tapes among child processes and returns in each of them. The parent doesn't return: it prints the
  /// children's output in order and exits. With few tapes, or if `together` is false, no child is started and the
  /// calling process plays all tapes. Call it while the program has only one thread.
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
    // No child process could be started, so play all tapes here.
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
        with: AppError.failed("A replay process stopped early: not all \(count) tapes were played."))
    }
    if failed > 0 { QwinkleProgram.end(with: failure(failed, of: count)) }
    QwinkleProgram.end(status: 0)
  }

  private static func failure(_ failed: Int, of count: Int) -> AppError {
    .failed("\(failed) of \(count) tapes failed.")
  }
}
