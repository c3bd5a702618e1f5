import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore

/// `qwinkle login URL`: signs in and stores the account.
struct LoginCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to a server.",
    discussion: """
      Prints the address of a page. Open it in a browser, allow Qwinkle, and type the code that the page shows. \
      The token is kept in a file that only you can read.
      """)

  /// Maximum number of tries to type a code.
  private static let mostTries = 3

  @Argument(help: ArgumentHelp("The server, such as https://example.org.", valueName: "url"))
  var server: String

  @Flag(help: "Read a token from standard input instead of asking for a code.")
  var tokenStdin = false

  @Option(help: ArgumentHelp("Keep this command, which prints the token, instead of the token.", valueName: "command"))
  var tokenCommand: String?

  func validate() throws {
    if tokenStdin, tokenCommand != nil {
      throw ValidationError("Use either --token-stdin or --token-command, not both.")
    }
    if tokenCommand?.isEmpty == true { throw ValidationError("--token-command needs a command.") }
  }

  @MainActor
  func start() throws {
    let address = try ServerAddress(server)
    CommandRunner.run {
      do {
        try await signIn(at: address, with: AccountDesk(paths: Paths()))
      } catch {
        throw address.explained(error)
      }
    }
  }

  @MainActor
  private func signIn(at address: ServerAddress, with desk: AccountDesk) async throws {
    if let aside = try desk.prepare(keepsToken: tokenCommand == nil) {
      StandardOutput.complain(
        "\(desk.book.file.path) was damaged. It was moved to \(aside), and a new one was started.")
    }
    if let warning = address.warningAboutToken { StandardOutput.complain(warning) }
    let signIn = desk.signIn(at: address)
    let outcome = try await outcome(of: signIn, at: address, with: desk)
    let kept = try await desk.keep(
      outcome, at: address, tokenFrom: tokenCommand.map { .command($0) } ?? .file, signIn: signIn)
    if let complaint = kept.complaint { StandardOutput.complain(complaint) }
    StandardOutput.print("Signed in as \(Self.words(for: outcome.qwinker, kept.account.name)).")
    StandardOutput.print(Self.wayOn(kept.account.name, kept.accounts))
  }

  /// The account's name, after the display name if that says more.
  private static func words(for qwinker: Qwinker, _ account: String) -> String {
    let name = qwinker.displayName
    return name.lowercased() == qwinker.userName.lowercased() ? account : "\(name) (\(account))"
  }

  /// How to use the account from now on.
  private static func wayOn(_ name: String, _ accounts: KeptAccounts) -> String {
    guard accounts.defaultName != name else { return "It is the default account now." }
    return """
      To use it: qwinkle --as \(name). The default is still \(accounts.defaultName ?? SessionChoice.local). \
      To change it: qwinkle accounts --default \(name)
      """
  }

  @MainActor
  private func outcome(
    of signIn: SignIn, at address: ServerAddress, with desk: AccountDesk
  ) async throws -> SignIn.Outcome {
    if tokenStdin { return try await signIn.identify(TokenSource.tokenFromStandardInput()) }
    if let tokenCommand {
      let token = try TokenSource.token(fromCommand: tokenCommand, named: "the token command")
      guard !tokenCommand.contains(token.value) else {
        throw AppError.usage(
          "The command contains the token, where others can see it. Use a command that fetches it, or --token-stdin."
        )
      }
      return try await signIn.identify(token)
    }
    let hasAccountThere = try desk.book.load().accounts.contains { $0.serverURL == address.url }
    let page = try await signIn.begin(asksAgain: hasAccountThere)
    StandardOutput.print("Open this page in a browser and allow Qwinkle:\n\n\(page)\n")
    return try await outcome(ofCodesFor: signIn)
  }

  /// Asks for the code, on a terminal again if it is wrong.
  @MainActor
  private func outcome(ofCodesFor signIn: SignIn) async throws -> SignIn.Outcome {
    let isTerminal = isatty(0) != 0
    var tries = 1
    while true {
      if isTerminal { StandardOutput.prompt("Code: ") }
      guard let code = readLine() else {
        throw AppError.failed("Not signed in: no code. Type it here, or pass it on standard input.")
      }
      do throws(SignInError) {
        return try await signIn.finish(code: code)
      } catch {
        guard isTerminal, error.isAboutCode, tries < Self.mostTries else { throw error }
        StandardOutput.complain(error.sentence)
        tries += 1
      }
    }
  }
}
