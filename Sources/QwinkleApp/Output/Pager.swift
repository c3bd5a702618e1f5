import CProcess
import Foundation
import QwinkleConfig
import Synchronization

/// The pager for a command's output, if one is configured and standard output is a terminal. The pager starts after the
/// output is complete. Until then, ^C ends the command as usual, and error messages stay visible because the pager
/// can't draw over them.
enum Pager {
  /// Defaults for `less` if the user hasn't set `LESS`: quit if the text fits on one screen, and show colours.
  private static let habits = "LESS=${LESS-FRX}; export LESS; "

  private struct Output {
    let command: String
    var bytes: [UInt8] = []
  }

  private static let collected = Mutex<Output?>(nil)

  /// Whether output is collected for a pager.
  static var isOn: Bool { collected.withLock { $0 != nil } }

  /// Starts collecting output for the pager configured for `account`. Does nothing if no pager is configured or
  /// standard output isn't a terminal.
  static func begin(for account: String? = nil) {
    guard isatty(STDOUT_FILENO) == 1 else { return }
    let command = UserConfig.value(of: .pager, for: account).text
    guard !command.isEmpty else { return }
    collected.withLock { $0 = Output(command: command) }
  }

  /// Collects `bytes`. Returns false if they should be printed at once.
  static func keep(_ bytes: ArraySlice<UInt8>) -> Bool {
    collected.withLock { collected in
      guard collected != nil else { return false }
      collected?.bytes += bytes
      return true
    }
  }

  /// Shows the collected output and waits until the pager ends. Prints the output if the pager doesn't start.
  static func finish() {
    let shown = collected.withLock { collected in
      defer { collected = nil }
      return collected
    }
    guard let shown, !shown.bytes.isEmpty else { return }
    if !show(shown) { StandardOutput.show(shown.bytes) }
  }

  private static func show(_ shown: Output) -> Bool {
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

  /// Writes `bytes` until the pager stops reading.
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
