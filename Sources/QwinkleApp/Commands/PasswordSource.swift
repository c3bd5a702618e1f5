import ArgumentParser
import Foundation

/// Reads the new password of a qwinker on the embedded server. Passwords are never read from arguments or the
/// environment, which other users of the machine can see.
struct PasswordSource: ParsableArguments {
  private static let mostBytes = 4096

  @Flag(help: "Read the password, one line, from standard input instead of asking in the terminal.")
  var passwordStdin = false

  enum Answer: Equatable {
    case password(String)
    /// An empty password was entered.
    case none
    /// The process has no terminal on which to ask for the password.
    case nobodyThere
  }

  /// Reads the password: once from standard input with `--password-stdin`, otherwise twice from the terminal.
  func answer(for name: String) throws(AppError) -> Answer {
    if passwordStdin { return try lineFromStandardInput() }
    guard let prompt = HiddenPrompt() else { return .nobodyThere }
    let password = try prompt.answer(to: "Password for \(name) (8–1000 characters, empty = none):")
    guard try prompt.answer(to: "Again:") == password else {
      throw .failed("The passwords differ; nothing was changed. Try again.")
    }
    return password.isEmpty ? .none : .password(password)
  }

  private func lineFromStandardInput() throws(AppError) -> Answer {
    let data = (try? FileHandle.standardInput.read(upToCount: Self.mostBytes)) ?? Data()
    guard var line = String(validating: data.prefix { $0 != 0x0A }, as: UTF8.self) else {
      throw .failed("The password on standard input is not UTF-8; nothing was changed.")
    }
    if line.hasSuffix("\r") { line.removeLast() }
    return line.isEmpty ? .none : .password(line)
  }
}
