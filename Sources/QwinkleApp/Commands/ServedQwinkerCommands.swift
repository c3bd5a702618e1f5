import ArgumentParser
import Foundation
import QwinkleServer

/// `qwinkle serve add-user NAME`: adds a qwinker.
struct AddUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-user", abstract: "Add a user and print their token, once.",
    discussion: """
      The command asks for a password in the terminal. With a password the user can sign in from any client, without \
      one they can only use the token.
      """)

  @Argument(help: "The user's name: letters a to z, digits and underscores.")
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
    StandardOutput.target.note(done: "User added")
    // Only the token goes to standard output, so that a script can read it. The explanations are for a user at a
    // terminal.
    let isSeen = isatty(STDERR_FILENO) == 1
    if isSeen { StandardOutput.remark("Token of \(name), shown only now. Keep it as secret as a password:") }
    StandardOutput.print(token, wraps: false)
    if StandardOutput.target.isLost {
      StandardOutput.complain(
        "The token is lost. To remove \(name): qwinkle serve users remove \(name)\(location.words)")
    }
    if isSeen { StandardOutput.remark("To sign in with it at the server's URL: qwinkle login URL --token-stdin") }
    if answer == .nobodyThere {
      StandardOutput.complain(
        "\(name) has no password, as there is no terminal to ask in: they can use the token, but not sign in. "
          + "To set one: qwinkle serve set-password \(name)\(location.words)")
    }
  }
}

/// `qwinkle serve set-password NAME`: changes a qwinker's password.
struct SetPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-password", abstract: "Change a user's password; an empty one removes it.")

  @Argument(help: "The user's name.")
  var name: String

  @Flag(help: "Sign them out everywhere: revoke all their tokens.")
  var endTokens = false

  @OptionGroup var source: PasswordSource
  @OptionGroup var location: ServiceLocation

  func run() throws {
    let service = try location.openService()
    try service.checkKnown(name)
    switch try source.answer(for: name) {
    case .password(let password):
      try service.setPassword(password, of: name, endingTokens: endTokens)
      StandardOutput.target.note(done: "Password set")
      StandardOutput.print("\(name) has a new password.")
    case .none:
      try service.setPassword(nil, of: name, endingTokens: endTokens)
      StandardOutput.target.note(done: "Password removed")
      StandardOutput.print("Password of \(name) removed; signing in is off.")
    case .nobodyThere:
      throw AppError.usage("No terminal to ask in. Pass the password on standard input: --password-stdin")
    }
    service.close()
  }
}
