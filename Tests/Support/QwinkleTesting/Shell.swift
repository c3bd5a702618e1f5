import Foundation

/// Runs short shell commands. Foundation's `Process` isn't used: with more than a thousand open files, as tests that
/// run in parallel have, it reads beyond its list of them and crashes.
public enum Shell {
  /// A command could not be started, or failed.
  public struct Failure: Error {
    /// The command.
    public let command: String
    /// Its exit status; -1 if it was not started or was ended by a signal.
    public let status: Int32
  }

  /// What `command` prints. Its standard input is empty.
  ///
  /// - Throws: ``Failure``.
  @discardableResult
  public static func output(of command: String) throws -> [UInt8] {
    guard let pipe = popen("exec </dev/null; \(command)", "r") else { throw Failure(command: command, status: -1) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    let status = pclose(pipe)
    guard status == 0 else {
      throw Failure(command: command, status: status > 0 && status & 0x7F == 0 ? status >> 8 : -1)
    }
    return output
  }
}
