import ArgumentParser
import QwinkleService
import QwinkleStore

/// `qwinkle accounts`: lists the signed-in accounts.
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List your accounts; * is the default.")

  @Option(
    help: ArgumentHelp(
      "Make this account the default; local is the timeline on this machine, shared the one of this host.",
      valueName: "account"),
    completion: KnownCompletions.accounts)
  var `default`: String?

  @Flag(help: "Print an array of objects: name, server, default, token.")
  var json = false

  func run() throws {
    let book = AccountBook(paths: Paths())
    if let name = self.default { try makeDefault(name, in: book) }
    let saved = try book.load()
    if json {
      printJSON(saved, book.shared)
    } else {
      printTable(saved, book)
    }
  }

  private func makeDefault(_ name: String, in book: AccountBook) throws {
    let isSpecial = name == SessionChoice.local || name == SharedTimeline.name
    if isSpecial { try checkSpecialDefault(name, in: book) }
    let account = isSpecial ? nil : try AccountBook.find(name, in: try book.load())
    // Without saved accounts, the shared timeline or the embedded server is the default already.
    guard try account != nil || !book.load().accounts.isEmpty else { return }
    try book.file.change { $0.makeDefault(account?.name) }
  }

  /// Without a default account, the program uses the shared timeline if it found one, otherwise the embedded server.
  private func checkSpecialDefault(_ name: String, in book: AccountBook) throws(AppError) {
    let hasShared = book.shared != nil
    if name == SharedTimeline.name, !hasShared {
      throw .failed("This host has no shared timeline that Qwinkle trusts. For details: qwinkle doctor")
    }
    if name == SessionChoice.local, hasShared {
      throw .failed(
        "The shared timeline of this host comes before local. To use local by default, write socket = \"off\" in "
          + "config.toml. For one command: --as local")
    }
  }

  private func printTable(_ saved: SavedAccounts, _ book: AccountBook) {
    var rows = saved.accounts.map { (saved.words(of: $0.name), $0.serverURL + $0.tokenOrigin.words.remark) }
    if let shared = book.shared {
      rows.append((SharedTimeline.name, "the timeline of this host, at \(shared.socket.path)"))
    }
    rows.append((SessionChoice.local, "the timeline on this machine"))
    let usual = book.defaultWords(in: saved)
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
    /// Storage of the token: `file`, `keyring` or `command`. Nil for the shared timeline and the
    /// embedded server, which need no token.
    var token: String?

    enum CodingKeys: String, CodingKey {
      case name, server, token
      case isDefault = "default"
    }
  }

  private func printJSON(_ saved: SavedAccounts, _ shared: SharedTimeline?) {
    var items = saved.accounts.map { account in
      Item(
        name: saved.words(of: account.name), server: account.serverURL, isDefault: account.name == saved.defaultName,
        token: account.tokenOrigin.words.json)
    }
    let hasDefault = saved.defaultName != nil
    if shared != nil { items.append(Item(name: SharedTimeline.name, isDefault: !hasDefault)) }
    items.append(Item(name: SessionChoice.local, isDefault: !hasDefault && shared == nil))
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
