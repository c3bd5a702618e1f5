import GRDB

/// Fills a new database. Adds the greeter, which is a bot account that posts the welcome posts, and the owner, who
/// follows the greeter.
struct FirstStart {
  /// Candidate names for the greeter. The first one that isn't taken and isn't the owner's is used.
  private static let greeterNames = ["qwinkle", "welcome", "greeter"]
  /// First line of a welcome post whose text is only true for an embedded service, such as a text about where files are
  /// stored. The line isn't part of the post.
  private static let ownMachineMark = "# Not in a served timeline"

  private struct WelcomePost {
    var text: String
    var isOfOwnMachine: Bool
  }

  let transaction: Transaction
  /// The owner's name, if any.
  let owner: String?
  let use: Service.Use

  /// Whether ``perform(welcome:)`` has anything to do.
  var isNeeded: Bool {
    get throws {
      if let owner { return try transaction.accountID(named: owner) == nil || isGreeterInTheWay }
      return try isEmpty
    }
  }

  /// Adds the greeter and its welcome posts to an empty database. Adds the owner if the owner has no account yet. If
  /// the greeter has the owner's name, renames the greeter first.
  func perform(welcome: String) throws {
    if try isEmpty {
      try greet(Self.posts(in: welcome).filter { use == .embedded || !$0.isOfOwnMachine }.map(\.text))
    }
    guard let owner else { return }
    if try isGreeterInTheWay, let greeter = try greeter, let name = try freeName {
      try transaction.run("UPDATE accounts SET name = ? WHERE id = ?", [name, greeter])
    }
    guard try transaction.accountID(named: owner) == nil else { return }
    let id = try transaction.addAccount(name: owner, displayName: owner)
    if let greeter = try greeter { try transaction.follow(greeter, by: id) }
  }

  /// Deletes welcome posts that are only true for an embedded service. Needed when the database of an embedded service
  /// is served to others.
  func deletePostsOfOwnMachine(in welcome: String) throws {
    guard let greeter = try greeter else { return }
    let theirs = transaction.viewed(by: greeter)
    for post in Self.posts(in: welcome) where post.isOfOwnMachine {
      let ids = try transaction.numbers(
        "SELECT id FROM statuses WHERE account_id = ? AND source = ?", [greeter, post.text])
      for id in ids { _ = try theirs.deleteStatus(id, deletesMedia: true) }
    }
  }

  /// Splits a text at its `---` lines and drops blank parts.
  private static func posts(in welcome: String) -> [WelcomePost] {
    welcome.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "---", omittingEmptySubsequences: true)
      .map { lines in
        let isOfOwnMachine = lines.first.map { $0 == ownMachineMark } ?? false
        let text = lines.dropFirst(isOfOwnMachine ? 1 : 0).joined(separator: "\n").drop(while: \.isNewline)
        return WelcomePost(
          text: String(text.reversed().drop(while: \.isWhitespace).reversed()), isOfOwnMachine: isOfOwnMachine)
      }
      .filter { !isBlank($0.text) }
  }

  private var isEmpty: Bool {
    get throws { try transaction.row("SELECT 1 FROM accounts LIMIT 1") == nil }
  }

  /// The greeter's account: the first account in the file, if it is a bot with one of `greeterNames`.
  private var greeter: Int64? {
    get throws {
      guard let first = try transaction.row("SELECT id, name, is_bot FROM accounts ORDER BY id LIMIT 1"), first[2],
        Self.greeterNames.contains(first[1])
      else { return nil }
      return first[0]
    }
  }

  /// Whether the greeter has the owner's name and can be renamed. A greeter can have the owner's name if the file was
  /// created without an owner. If the account has posted anything but the welcome posts, a user is using it, so it
  /// keeps its name.
  private var isGreeterInTheWay: Bool {
    get throws {
      guard let owner, let greeter = try greeter, try transaction.accountID(named: owner) == greeter else {
        return false
      }
      return try transaction.row(
        """
        SELECT 1 FROM statuses s JOIN accounts a ON a.id = s.account_id
        WHERE a.id = ? AND s.created_at <> a.created_at LIMIT 1
        """, [greeter]) == nil && freeName != nil
    }
  }

  private var freeName: String? {
    get throws { try Self.greeterNames.first { try $0 != owner && transaction.accountID(named: $0) == nil } }
  }

  private func greet(_ texts: [String]) throws {
    guard !texts.isEmpty, let name = try freeName else { return }
    let greeter = try transaction.addAccount(name: name, displayName: "Qwinkle", isBot: true)
    for text in texts { _ = try transaction.addStatus(NewStatus(account: greeter, source: text)) }
  }
}
