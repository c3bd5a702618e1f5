import Foundation
import QwinkleModel

/// Reads a bearer token, never from arguments or the environment, where other users see it.
enum TokenSource {
  private static let mostBytes = 8192
  private static let variable = "QWINKLE_TOKEN_COMMAND"

  /// The token from standard input if requested, otherwise from the command that the environment names; nil if none is
  /// named.
  ///
  /// - Throws: ``AppError`` if a named source gives no token.
  static func token(fromStandardInput: Bool, environment: [String: String] = ProcessInfo.processInfo.environment)
    throws(AppError) -> Secret?
  {
    if fromStandardInput { return try tokenFromStandardInput() }
    guard let command = environment[variable], !command.isEmpty else { return nil }
    return try token(fromCommand: command, named: "the command in \(variable)")
  }

  /// The token in the first line of standard input. On a terminal, asks for it without echo.
  static func tokenFromStandardInput() throws(AppError) -> Secret {
    if let prompt = HiddenPrompt() { return try checked(prompt.answer(to: "Token:"), from: "the terminal") }
    guard let line = readLine(strippingNewline: true) else {
      throw .usage("No token on standard input. Use: printf %s TOKEN | qwinkle --token-stdin …")
    }
    return try checked(line, from: "standard input")
  }

  /// The token that the shell command `command` prints. `name` is what messages call it.
  static func token(fromCommand command: String, named name: String) throws(AppError) -> Secret {
    try checked(output(of: command, named: name), from: name)
  }

  private static func checked(_ text: String, from source: String) throws(AppError) -> Secret {
    guard let token = Secret(text) else {
      throw .failed("Not a token from \(source): expected one line without spaces.")
    }
    return token
  }

  private static func output(of command: String, named name: String) throws(AppError) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    // The command must not inherit that this program ignores SIGPIPE.
    let former = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, former) }
    do {
      try process.run()
    } catch {
      throw .failed("\(sentenceStart(name)) did not start: \(error.localizedDescription).")
    }
    let data = (try? pipe.fileHandleForReading.read(upToCount: mostBytes)) ?? Data()
    // A command that prints more than a token must not block on the rest.
    try? pipe.fileHandleForReading.close()
    if data.count == mostBytes { process.terminate() }
    process.waitUntilExit()
    guard data.count < mostBytes else { return String(decoding: data, as: UTF8.self) }
    guard process.terminationStatus == 0 else {
      throw .failed("\(sentenceStart(name)) failed with status \(process.terminationStatus).")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func sentenceStart(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }
}
