import Foundation

/// Where a bearer token comes from. It is never in arguments or the environment, where others on the machine see it.
enum TokenSource {
  private static let mostBytes = 8192
  private static let variable = "QWINKLE_TOKEN_COMMAND"

  /// The token from standard input, where asked for, or else from the command that the environment names.
  ///
  /// - Throws: ``AppError`` when a source was named and gives none.
  static func token(fromStandardInput: Bool, environment: [String: String] = ProcessInfo.processInfo.environment)
    throws(AppError) -> String?
  {
    if fromStandardInput {
      guard let line = readLine(strippingNewline: true) else {
        throw .usage("No token came from standard input. Write it there: printf %s TOKEN | qwinkle --token-stdin …")
      }
      return try checked(line, from: "standard input")
    }
    guard let command = environment[variable], !command.isEmpty else { return nil }
    return try checked(output(of: command), from: variable)
  }

  private static func checked(_ text: String, from source: String) throws(AppError) -> String {
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let isToken = !token.isEmpty && token.utf8.count <= 4096 && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isToken else {
      throw .failed("What came from \(source) is no token: it must be one line without spaces.")
    }
    return token
  }

  private static func output(of command: String) throws(AppError) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    // The command must not take over that this program ignores broken pipes.
    let former = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, former) }
    do {
      try process.run()
    } catch {
      throw .failed("The command in \(variable) cannot be started: \(error.localizedDescription).")
    }
    let data = (try? pipe.fileHandleForReading.read(upToCount: mostBytes)) ?? Data()
    // Who says more than a token is not listened to, and must not wait for it.
    try? pipe.fileHandleForReading.close()
    if data.count == mostBytes { process.terminate() }
    process.waitUntilExit()
    guard data.count < mostBytes else { return String(decoding: data, as: UTF8.self) }
    guard process.terminationStatus == 0 else {
      throw .failed("The command in \(variable) failed with status \(process.terminationStatus).")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
