import Foundation

/// Runs short shell commands. Doesn't use Foundation's `Process`, which reads past its list of open files and crashes
/// if there are more than a thousand, as in parallel tests.
public enum Shell {
  /// A command could not be started, or failed.
  public struct Failure: Error {
    public let command: String
    /// The exit status, or -1 if the command was not started or was killed by a signal.
    public let status: Int32
  }

  /// Returns the output of `command`. Its standard input is empty.
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
