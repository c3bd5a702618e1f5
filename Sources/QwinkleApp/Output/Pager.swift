import CProcess
import Foundation
import QwinkleConfig
import Synchronization

/// The program that the output of a command is read in, if the configuration names one and standard output is a
/// terminal. It starts when all is known: until then ^C ends the command as ever, and errors are not drawn over.
enum Pager {
  /// What `less` does where the user does not say otherwise: leave at once what one screen holds, and know colours.
  private static let habits = "LESS=${LESS-FRX}; export LESS; "

  private struct Kept {
    let command: String
    var bytes: [UInt8] = []
  }

  private static let kept = Mutex<Kept?>(nil)

  /// Whether what is printed is kept for a pager.
  static var isOn: Bool { kept.withLock { $0 != nil } }

  /// Has what is printed from now on read in the pager of `account`.
  static func begin(for account: String? = nil) {
    guard isatty(STDOUT_FILENO) == 1 else { return }
    let command = UserConfig.value(of: .pager, for: account).text
    guard !command.isEmpty else { return }
    kept.withLock { $0 = Kept(command: command) }
  }

  /// Keeps `bytes`. Returns false if they are to be printed at once.
  static func keep(_ bytes: ArraySlice<UInt8>) -> Bool {
    kept.withLock { kept in
      guard kept != nil else { return false }
      kept?.bytes += bytes
      return true
    }
  }

  /// Shows what was kept, and waits until the reader has seen it. If the pager does not start, prints it.
  static func finish() {
    let shown = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    guard let shown, !shown.bytes.isEmpty else { return }
    if !show(shown) { StandardOutput.show(shown.bytes) }
  }

  private static func show(_ shown: Kept) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard qw_pipe(&ends) else { return false }
    let process = qw_foreground_start(habits + shown.command, "", ends[0], STDOUT_FILENO)
    close(ends[0])
    guard process > 0 else {
      close(ends[1])
      return false
    }
    write(shown.bytes, to: ends[1])
    close(ends[1])
    let status = qw_foreground_wait(process)
    qw_foreground_end()
    guard [126, 127].contains(status) else { return true }
    StandardOutput.complain("“\(shown.command)” did not start: check pager in config.toml.")
    return false
  }

  /// Writes `bytes`, as far as the pager reads them.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
