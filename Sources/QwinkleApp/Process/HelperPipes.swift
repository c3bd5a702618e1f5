import CProcess
import Foundation

/// The pipes to and from another program. Writing and reading don't block each other, because the program may print
/// before it has read its input, or never read it.
final class HelperPipes {
  /// The program's standard input. -1 if the program reads from the terminal.
  private(set) var programInput: Int32 = -1
  private(set) var programOutput: Int32 = -1
  private var input: Int32 = -1
  private var output: Int32 = -1

  /// Creates the pipes. Nil if the system refuses, with the reason in `errno`.
  init?(hasInput: Bool) {
    var ends: [Int32] = [-1, -1]
    guard qw_pipe(&ends) else { return nil }
    (output, programOutput) = (ends[0], ends[1])
    if hasInput {
      guard qw_pipe(&ends) else { return nil }
      (programInput, input) = (ends[0], ends[1])
    }
    for end in [input, output] where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    releaseProgramEnds()
    releaseOwnEnds()
  }

  /// Closes the program's ends. Call this after the program has started and inherited them.
  func releaseProgramEnds() {
    Self.release(&programInput)
    Self.release(&programOutput)
  }

  /// Writes `bytes` and reads the output until both pipes are closed, or until `deadline`.
  ///
  /// - Returns: The first `mostBytes` of the output, and whether there was more. The rest is discarded if
  ///   `discardsRest` is true. Otherwise reading stops, and SIGPIPE ends the program if it continues to print.
  func exchange(
    _ bytes: [UInt8], mostBytes: Int, discardsRest: Bool, until deadline: SuspendingClock.Instant?
  ) -> (output: [UInt8], isTooLong: Bool) {
    var unsent = bytes[...]
    var printed: [UInt8] = []
    var isTooLong = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    if unsent.isEmpty { Self.release(&input) }
    while input >= 0 || output >= 0 {
      // poll() ignores entries with -1.
      var ends = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
      ]
      let readyCount = poll(&ends, 2, Self.milliseconds(until: deadline))
      if readyCount < 0, errno == EINTR { continue }
      guard readyCount > 0 else { break }
      if ends[1].revents != 0 { send(&unsent) }
      guard ends[0].revents != 0 else { continue }
      let count = Foundation.read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        Self.release(&output)
        continue
      }
      let room = mostBytes - printed.count
      printed += buffer[..<min(count, room)]
      isTooLong = isTooLong || count > room
      if isTooLong, !discardsRest { break }
    }
    releaseOwnEnds()
    return (printed, isTooLong)
  }

  // MARK: Helpers

  /// Writes as much of `unsent` as fits in the pipe. Closes the pipe after everything has been sent, or if the program
  /// has closed its end.
  private func send(_ unsent: inout ArraySlice<UInt8>) {
    let count = unsent.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    unsent = unsent.dropFirst(max(0, count))
    if count <= 0 || unsent.isEmpty { Self.release(&input) }
  }

  private func releaseOwnEnds() {
    Self.release(&input)
    Self.release(&output)
  }

  private static func release(_ end: inout Int32) {
    if end >= 0 { close(end) }
    end = -1
  }

  /// The time limit for `poll`, or -1 without a deadline.
  private static func milliseconds(until deadline: SuspendingClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
    return Int32(min(max(0, left.rounded(.up)), 1e9))
  }
}
