import Foundation
import QwinkleModel

/// Where a bearer token comes from. It is never in arguments or the environment, where others on the machine see it.
enum TokenSource {
  private static let mostBytes = 8192
  private static let variable = "QWINKLE_TOKEN_COMMAND"

  /// The token from standard input, where asked for, or else from the command that the environment names.
  ///
  /// - Throws: ``AppError`` when a source was named and gives none.
  static func token(fromStandardInput: Bool, environment: [String: String] = ProcessInfo.processInfo.environment)
    throws(AppError) -> Secret?
  {
    if fromStandardInput { return try tokenFromStandardInput() }
    guard let command = environment[variable], !command.isEmpty else { return nil }
    return try token(fromCommand: command, named: "the command in \(variable)")
  }

  /// The token in the first line of standard input. On a terminal it is asked for, and does not show.
  static func tokenFromStandardInput() throws(AppError) -> Secret {
    if let prompt = HiddenPrompt() { return try checked(prompt.answer(to: "Token:"), from: "the terminal") }
    guard let line = readLine(strippingNewline: true) else {
      throw .usage("No token came from standard input. Write it there: printf %s TOKEN | qwinkle --token-stdin …")
    }
    return try checked(line, from: "standard input")
  }

  /// The token that `command` of the shell prints. `name` is what a person is told it is.
  static func token(fromCommand command: String, named name: String) throws(AppError) -> Secret {
    try checked(output(of: command, named: name), from: name)
  }

  private static func checked(_ text: String, from source: String) throws(AppError) -> Secret {
    guard let token = Secret(text) else {
      throw .failed("What came from \(source) is no token: it must be one line without spaces.")
    }
    return token
  }

  private static func output(of command: String, named name: String) throws(AppError) -> String {
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
      throw .failed("\(sentenceStart(name)) cannot be started: \(error.localizedDescription).")
    }
    let data = (try? pipe.fileHandleForReading.read(upToCount: mostBytes)) ?? Data()
    // Who says more than a token is not listened to, and must not wait for it.
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
