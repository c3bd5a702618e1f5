import Foundation
import QwinkleModel

/// Reads a bearer token. Tokens are never read from arguments or the environment, which other users of the machine can
/// see.
enum TokenSource {
  private static let mostBytes = 8192
  private static let variable = "QWINKLE_TOKEN_COMMAND"

  /// Returns the token from standard input if requested, otherwise the token that a command prints: the command in the
  /// environment variable, or else `configured`. Returns nil if no source is given.
  ///
  /// - Throws: ``AppError`` if a source returns no token.
  static func token(fromStandardInput: Bool, configured: @autoclosure () -> String?) throws(AppError) -> Secret? {
    if fromStandardInput { return try tokenFromStandardInput() }
    guard let command = ProcessInfo.processInfo.environment[variable], !command.isEmpty else {
      guard let command = configured() else { return nil }
      return try token(fromCommand: command, named: "token-command of config.toml")
    }
    return try token(fromCommand: command, named: "the command in \(variable)")
  }

  /// Reads the token from the first line of standard input. On a terminal, asks for it without echo.
  static func tokenFromStandardInput() throws(AppError) -> Secret {
    if let prompt = HiddenPrompt() { return try checked(prompt.answer(to: "Token:"), from: "the terminal") }
    guard let line = readLine(strippingNewline: true) else {
      throw .usage("No token on standard input. Use: printf %s TOKEN | qwinkle --token-stdin …")
    }
    return try checked(line, from: "standard input")
  }

  /// Returns the token that a shell command prints. The command may ask for a passphrase on the terminal. `name`
  /// describes the command in error messages.
  static func token(fromCommand command: String, named name: String) throws(AppError) -> Secret {
    try token(from: HelperProgram().run(shell(command), in: .terminal, mostBytes: mostBytes), named: name)
  }

  /// Returns the token that a shell command prints, without blocking the program.
  static func token(
    fromCommand command: String, named name: String, in place: HelperProgram.Place
  ) async throws(AppError) -> Secret {
    try token(from: await HelperProgram.run(shell(command), in: place, mostBytes: mostBytes), named: name)
  }

  private static func shell(_ command: String) -> [String] { ["/bin/sh", "-c", command] }

  private static func token(from outcome: HelperProgram.Outcome, named name: String) throws(AppError) -> Secret {
    guard !outcome.isLate else { throw .failed("\(name.capitalizingFirst) took too long and was stopped.") }
    guard outcome.status == 0 || outcome.isTooLong else {
      let reason =
        outcome.status < 128 ? "with status \(outcome.status)" : "by signal \(outcome.status - 128)"
      throw .failed("\(name.capitalizingFirst) failed \(reason).")
    }
    return try checked(String(decoding: outcome.output, as: UTF8.self), from: name)
  }

  private static func checked(_ text: String, from source: String) throws(AppError) -> Secret {
    guard let token = Secret(text) else {
      throw .failed("Not a token from \(source): expected one line without spaces.")
    }
    return token
  }
}
