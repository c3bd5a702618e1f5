/// The permissions of a token or app: scope names such as `read`, `write:statuses` and `follow`.
/// <https://docs.joinmastodon.org/api/oauth-scopes/>
struct Scopes: Hashable, Sendable {
  /// The scopes of an app that doesn't request any scopes.
  static let usual = Scopes("read")
  /// The scopes of a token created without an app.
  static let whole = Scopes("read write follow")
  /// The scopes listed in the server's OAuth metadata.
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
  /// The parts of `read` and `write` that the older scope `follow` includes.
  private static let relations: Set<Substring> = ["blocks", "follows", "mutes"]
  private static let known = Set(offered + ["push"])

  /// The names without duplicates, in their original order.
  let names: [String]

  /// Parses names separated by whitespace.
  init(_ text: String) {
    var seen: Set<Substring> = []
    names = text.split(whereSeparator: \.isWhitespace).filter { seen.insert($0).inserted }.map(String.init)
  }

  var text: String { names.joined(separator: " ") }

  /// Whether Mastodon defines every name. Admin scopes are accepted, but allow something only to operators.
  var areKnown: Bool {
    names.allSatisfy { Self.known.contains($0) || $0 == "admin" || $0.hasPrefix("admin:") }
  }

  func allow(_ name: String) -> Bool {
    if names.contains(name) { return true }
    if name == "profile" { return allow("read:accounts") }
    let parts = name.split(separator: ":")
    // `admin` includes `admin:read`, which includes `admin:read:reports`.
    let isPart = parts.indices.dropFirst().contains { names.contains(parts[..<$0].joined(separator: ":")) }
    return isPart || (parts.count == 2 && Self.relations.contains(parts[1]) && names.contains("follow"))
  }

  func allow(_ other: Scopes) -> Bool { other.names.allSatisfy(allow) }
}
