import ArgumentParser
import Foundation
import QwinkleConfig
import QwinkleModel
import QwinkleService
import QwinkleStore

/// `qwinkle login URL`: signs in and stores the account.
struct LoginCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to a server.",
    discussion: """
      Opens a page of the server in your browser, where you allow Qwinkle. Without a browser here, open the printed \
      address anywhere, and type the code that the page shows. The token is saved in your desktop's keyring if \
      secret-tool can store it there, otherwise in a file that only you can read.
      """)

  /// Maximum number of codes that the user can try.
  private static let mostTries = 3

  @Argument(help: ArgumentHelp("The server, such as https://example.org.", valueName: "url"))
  var server: String

  @Flag(help: "Read a token from standard input instead of asking for a code.")
  var tokenStdin = false

  @Option(help: ArgumentHelp("Save this command, which prints the token, instead of the token.", valueName: "command"))
  var tokenCommand: String?

  @Flag(help: "Save the token in a file, not in the keyring.")
  var tokenFile = false

  @Flag(help: "Don't open a browser: print the page's address and ask for the code.")
  var noBrowser = false

  func validate() throws {
    if tokenStdin, tokenCommand != nil {
      throw ValidationError("Use either --token-stdin or --token-command, not both.")
    }
    if tokenFile, tokenCommand != nil {
      throw ValidationError("Use either --token-file or --token-command, not both.")
    }
    if tokenCommand?.isEmpty == true { throw ValidationError("--token-command needs a command.") }
  }

  func start() throws {
    let address = try ServerAddress(typed: server)
    CommandRunner.run {
      do {
        try await signIn(at: address, with: AccountManager(paths: Paths()))
      } catch {
        throw address.explained(error)
      }
    }
  }

  @MainActor
  private func signIn(at address: ServerAddress, with desk: AccountManager) async throws {
    if let aside = try desk.prepare(keepsToken: tokenCommand == nil) {
      StandardOutput.complain(desk.wordsAboutDamage(movedTo: aside))
    }
    if let warning = address.warningAboutToken { StandardOutput.complain(warning) }
    let signIn = desk.signIn(at: address)
    let outcome = try await outcome(of: signIn, at: address, with: desk)
    let saved = try await desk.keep(
      outcome, at: address, in: tokenCommand.map { .command($0) } ?? (tokenFile ? .file : .keyringOrFile),
      signIn: signIn)
    if let complaint = saved.complaint { StandardOutput.complain(complaint) }
    let name = saved.accounts.words(of: saved.account.name)
    StandardOutput.print("Signed in as \(Self.words(for: outcome.qwinker, name)).")
    StandardOutput.print(Self.wayOn(name, saved, defaultWords: desk.book.defaultWords(in: saved.accounts)))
  }

  /// Returns the account's name, preceded by the display name if that differs from the user name.
  private static func words(for qwinker: Qwinker, _ account: String) -> String {
    let name = qwinker.displayName
    return name.lowercased() == qwinker.userName.lowercased() ? account : "\(name) (\(account))"
  }

  /// Returns a sentence that explains how to use the new account.
  private static func wayOn(
    _ name: String, _ saved: (account: SavedAccount, accounts: SavedAccounts, complaint: String?), defaultWords: String
  ) -> String {
    guard saved.accounts.defaultName != saved.account.name else { return "It is the default account now." }
    return """
      To use it: qwinkle --as \(name). The default is still \(defaultWords). \
      To change it: qwinkle accounts --default \(name)
      """
  }

  @MainActor
  private func outcome(
    of signIn: SignIn, at address: ServerAddress, with desk: AccountManager
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
    let hasAccountThere = try desk.hasAccount(at: address)
    let redirect = usesBrowser ? await LoopbackRedirect.open() : nil
    let page = try await signIn.begin(asksAgain: hasAccountThere, redirect: redirect?.uri)
    let isOpen = redirect != nil && SystemBrowser(chosen: UserConfig.value(of: .browser).text).opens(page)
    StandardOutput.print(
      isOpen
        ? "Allow Qwinkle in your browser. If it shows nothing, open this page:\n\n\(page)\n"
        : "Open this page in a browser and allow Qwinkle:\n\n\(page)\n")
    let codes = CodeInput(redirect: redirect)
    do {
      let outcome = try await outcome(of: codes, for: signIn, isBrowserOpen: isOpen)
      await redirect?.close()
      return outcome
    } catch {
      await redirect?.close()
      throw error
    }
  }

  /// Whether to open a browser on this machine, which can send the code to Qwinkle by itself.
  @MainActor
  private var usesBrowser: Bool { !noBrowser && isatty(0) != 0 && SystemBrowser.isHere() }

  /// Waits for a code from the browser or the user, and signs in with it. On a terminal, asks again if the code is
  /// wrong.
  @MainActor
  private func outcome(
    of codes: CodeInput, for signIn: SignIn, isBrowserOpen: Bool
  ) async throws -> SignIn.Outcome {
    let isTerminal = isatty(0) != 0
    var tries = 1
    while true {
      if isTerminal { StandardOutput.prompt(isBrowserOpen ? "Waiting for the browser. Or its code: " : "Code: ") }
      guard let code = await codes.next() else {
        throw AppError.failed("Not signed in: no code. Type it here, or pass it on standard input.")
      }
      do throws(SignInError) {
        let outcome = try await signIn.finish(code: code)
        if isBrowserOpen { StandardOutput.print("") }
        return outcome
      } catch {
        guard isTerminal, error.isAboutCode, tries < Self.mostTries else { throw error }
        StandardOutput.complain(error.sentence)
        tries += 1
      }
    }
  }
}
