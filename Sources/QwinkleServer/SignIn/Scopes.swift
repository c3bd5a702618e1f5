/// What a token allows: names such as `read`, `write:statuses`, `follow`.
/// <https://docs.joinmastodon.org/api/oauth-scopes/>
struct Scopes: Hashable, Sendable {
  /// What programs register without saying so.
  static let usual = Scopes("read")
  /// What somebody gets who signs in without a program.
  static let whole = Scopes("read write follow")
  /// What metadata tells of.
  static let offered =
    ["profile", "read", "write", "follow"] + readable.map { "read:\($0)" } + writable.map { "write:\($0)" }

  private static let readable = [
    "accounts", "blocks", "bookmarks", "favourites", "filters", "follows", "lists", "mutes", "notifications", "search",
    "statuses",
  ]
  private static let writable = [
    "accounts", "blocks", "bookmarks", "conversations", "favourites", "filters", "follows", "lists", "media", "mutes",
    "notifications", "reports", "statuses",
  ]
  /// What the older scope `follow` stands for, of both kinds.
  private static let relations: Set<Substring> = ["blocks", "follows", "mutes"]
  private static let known = Set(offered + ["push"])

  /// The names, each once, in the order they came.
  let names: [String]

  /// Reads names with spaces between them.
  init(_ text: String) {
    var seen: Set<Substring> = []
    names = text.split(whereSeparator: \.isWhitespace).filter { seen.insert($0).inserted }.map(String.init)
  }

  /// The names with spaces between them.
  var text: String { names.joined(separator: " ") }

  /// Whether every name is one of Mastodon's. Those for administrators are, though they allow nothing here.
  var areKnown: Bool {
    names.allSatisfy { Self.known.contains($0) || $0 == "admin" || $0.hasPrefix("admin:") }
  }

  /// Whether what needs `name` is allowed.
  func allow(_ name: String) -> Bool {
    if names.contains(name) { return true }
    if name == "profile" { return allow("read:accounts") }
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return false }
    return names.contains(String(parts[0])) || (Self.relations.contains(parts[1]) && names.contains("follow"))
  }

  /// Whether everything that `other` allows is allowed.
  func allow(_ other: Scopes) -> Bool { other.names.allSatisfy(allow) }
}
