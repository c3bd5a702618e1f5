import ArgumentParser
import QwinkleServer

/// `qwinkle serve add-user NAME`: adds a qwinker.
struct AddUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-user", abstract: "Make a qwinker, and print their token, once.",
    discussion: """
      Asks for a password at the terminal. With it the qwinker signs in from any program; with none they can only use \
      the token.
      """)

  @Argument(help: "The name: letters a to z, digits and underscores.")
  var name: String

  @OptionGroup var source: PasswordSource
  @OptionGroup var location: ServiceLocation

  func run() throws {
    let service = try location.openService()
    try service.checkFree(name)
    let answer = try source.answer(for: name)
    let token: String
    if case .password(let password) = answer {
      token = try service.addQwinker(named: name, password: password)
    } else {
      token = try service.addQwinker(named: name)
    }
    service.close()
    StandardOutput.print(token)
    if answer == .nobodyThere {
      StandardOutput.complain(
        "\(name) has no password, as there is no terminal to ask at: they can use their token, but not sign in. "
          + "Give one with qwinkle serve set-password \(name).")
    }
  }
}

/// `qwinkle serve set-password NAME`: changes a qwinker's password.
struct SetPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-password", abstract: "Give a qwinker another password; an empty one takes it away.")

  @Argument(help: "The name of the qwinker.")
  var name: String

  @Flag(help: "Sign them out everywhere: all their tokens end.")
  var endTokens = false

  @OptionGroup var source: PasswordSource
  @OptionGroup var location: ServiceLocation

  func run() throws {
    let service = try location.openService()
    try service.checkKnown(name)
    switch try source.answer(for: name) {
    case .password(let password):
      try service.setPassword(password, of: name, endingTokens: endTokens)
      StandardOutput.print("\(name) has a new password.")
    case .none:
      try service.setPassword(nil, of: name, endingTokens: endTokens)
      StandardOutput.print("\(name) has no password any more, and cannot sign in.")
    case .nobodyThere:
      throw AppError.usage("There is no terminal to ask at. Write the password to standard input: --password-stdin.")
    }
    service.close()
  }
}
