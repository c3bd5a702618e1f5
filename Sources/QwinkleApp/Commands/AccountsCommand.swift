import ArgumentParser
import QwinkleStore

/// `qwinkle accounts`: lists the signed-in accounts.
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List your accounts; * is the default.")

  @Option(
    help: ArgumentHelp(
      "Make this account the default; local is the timeline on this machine.", valueName: "account"),
    completion: KnownCompletions.accounts)
  var `default`: String?

  @Flag(help: "Print an array of objects: name, server, default, token.")
  var json = false

  func run() throws {
    let book = AccountBook(paths: Paths())
    if let name = self.default { try makeDefault(name, in: book) }
    let saved = try book.load()
    if json {
      printJSON(saved)
    } else {
      printTable(saved)
    }
  }

  private func makeDefault(_ name: String, in book: AccountBook) throws {
    let account = name == SessionChoice.local ? nil : try AccountBook.find(name, in: try book.load())
    // Without saved accounts, the embedded server is the default already.
    guard try account != nil || !book.load().accounts.isEmpty else { return }
    try book.file.change { $0.makeDefault(account?.name) }
  }

  private func printTable(_ saved: SavedAccounts) {
    let rows =
      saved.accounts.map { (saved.words(of: $0.name), $0.serverURL + $0.tokenOrigin.words.remark) }
      + [(SessionChoice.local, "the timeline on this machine")]
    let usual = saved.defaultName.map { saved.words(of: $0) } ?? SessionChoice.local
    let width = rows.map(\.0.count).max() ?? 0
    for (name, place) in rows {
      let isDefault = name == usual
      let padding = String(repeating: " ", count: width - name.count)
      StandardOutput.print("\(isDefault ? "*" : " ") \(name)\(padding)  \(place)", wraps: false)
    }
    if saved.accounts.isEmpty { StandardOutput.print("To sign in: qwinkle login URL") }
  }

  private struct Item: Encodable {
    var name: String
    var server: String?
    var isDefault: Bool
    /// Storage of the token: `file`, `keyring` or `command`. Nil for the embedded server, which needs no token.
    var token: String?

    enum CodingKeys: String, CodingKey {
      case name, server, token
      case isDefault = "default"
    }
  }

  private func printJSON(_ saved: SavedAccounts) {
    let items =
      saved.accounts.map { account in
        Item(
          name: saved.words(of: account.name), server: account.serverURL, isDefault: account.name == saved.defaultName,
          token: account.tokenOrigin.words.json)
      } + [Item(name: SessionChoice.local, isDefault: saved.defaultName == nil)]
    StandardOutput.print(json: PlainDraft.encoded(items))
  }
}

extension SavedAccount.TokenOrigin {
  /// Names of the token's location: in JSON, in the list of accounts, and in `qwinkle doctor`.
  var words: (json: String, remark: String, place: String) {
    switch self {
    case .file: ("file", "", "in a file")
    case .keyring: ("keyring", "  (token in keyring)", "in the keyring, by secret-tool")
    case .command: ("command", "  (token from command)", "from a command")
    }
  }
}
