import ArgumentParser
import Foundation
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import Timekeeping

/// `qwinkle login URL`: signs in, stores the account, and shows the first posts of Home.
struct LoginCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to a server.",
    discussion: """
      Prints the server's name, and opens its page in your browser, where you allow Qwinkle. Without a browser here, \
      open the printed address anywhere, and type the code that the page shows. The token is saved in your desktop's \
      keyring if secret-tool can store it there, otherwise in a file that only you can read. On a terminal it then \
      prints the newest posts of Home.
      """)

  /// Maximum number of codes that the user can try.
  private static let mostTries = 3
  /// Number of posts of Home to print.
  private static let firstPosts = 5

  @Argument(
    help: ArgumentHelp(
      "The server: tilde.example, your handle @anna@tilde.example, your profile, or http://host:port.",
      valueName: "url"),
    completion: KnownCompletions.usedServers)
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
    let address = try ServerAddress(signingIn: server)
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
    if isatty(STDOUT_FILENO) != 0 { await printHome(outcome.token, at: address) }
    StandardOutput.print(Self.wayOn(name, saved, defaultWords: desk.book.defaultWords(in: saved.accounts)))
  }

  /// Prints the newest posts of Home. Reports a failure without failing, as the account is already stored.
  @MainActor
  private func printHome(_ token: Secret, at address: ServerAddress) async {
    let clock = SystemClock()
    let server = AccountConnection(
      service: DownloadService(
        configuration: .init(serverURL: address.url, token: token.value), ledger: ActivityLedger(),
        transport: { AccountSession.transport() }), clock: clock, isSignedIn: true)
    StandardOutput.print("")
    do {
      try await TimelineCommand.print(
        .named(.home), without: HiddenQwinks(rules: UserConfig.hideRules),
        try ListOptions.parse(["--limit", String(Self.firstPosts)]), try TranslateOption.parse([]), server,
        PlainStyle(clock))
    } catch {
      StandardOutput.complain("Cannot load Home. \(AppError(error).sentence)")
    }
    StandardOutput.print("")
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
    guard saved.accounts.defaultName != saved.account.name else {
      let sentence = "It is the default account now."
      guard isatty(STDOUT_FILENO) != 0, let keymap = try? UserConfig.keymap(Paths()) else { return sentence }
      return "\(sentence) To read on: qwinkle. \(keymap.naming("There, \(Action.help.key) lists all keys."))"
    }
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
    if let words = try await signIn.serverInfo().flatMap(address.words) { StandardOutput.print(words) }
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
