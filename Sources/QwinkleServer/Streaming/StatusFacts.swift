import GRDB

/// The properties of a status that decide which streams contain it. The cost of loading them doesn't depend on the
/// number of listeners.
struct StatusFacts: Sendable {
  struct Boost: Sendable {
    var id: Int64
    var account: Int64
    /// A ``VisibilityCode``.
    var visibility: Int64
  }

  /// Maximum number of boosts loaded for a status. Streams ignore older boosts.
  static let mostBoosts = 500

  var id: Int64
  var author: Int64
  /// A ``VisibilityCode``.
  var visibility: Int64
  /// The original's author, or nil if the status isn't a boost.
  var originalAuthor: Int64?
  var parent: Int64?
  var parentAuthor: Int64?
  /// The original's language, or nil if it has none.
  var language: String?
  /// Tags, folded with ``TagName/folded(_:)``. Empty for boosts.
  var tags: Set<String> = []
  var mentioned: Set<Int64> = []
  /// Newest first.
  var boosts: [Boost] = []

  var isBoost: Bool { originalAuthor != nil }

  /// The public and tag streams that may contain the status.
  var publicStreams: [StreamChannel] {
    guard visibility == VisibilityCode.public, !isBoost else { return [] }
    return [true, false].flatMap { isLocal in
      [StreamChannel.everyone(isLocal: isLocal)] + tags.map { StreamChannel.tag($0, isLocal: isLocal) }
    }
  }

  func facts(of boost: Boost) -> StatusFacts {
    StatusFacts(
      id: boost.id, author: boost.account, visibility: boost.visibility, originalAuthor: author, language: language)
  }
}

extension Transaction {
  /// Returns the facts of a status, regardless of the viewer, or nil if it doesn't exist.
  func facts(of id: Int64) throws -> StatusFacts? {
    guard
      let row = try row(
        """
        SELECT s.account_id, s.visibility, o.account_id, s.in_reply_to_id, s.in_reply_to_account_id,
          coalesce(s.language, o.language)
        FROM statuses s LEFT JOIN statuses o ON o.id = s.boost_of_id WHERE s.id = ?
        """, [id])
    else { return nil }
    var facts = StatusFacts(
      id: id, author: row[0], visibility: row[1], originalAuthor: row[2], parent: row[3], parentAuthor: row[4],
      language: row[5])
    if facts.isBoost { return facts }
    facts.tags = Set(try rows("SELECT tag FROM status_tags WHERE status_id = ?", [id]).map { $0[0] as String })
    facts.mentioned = Set(try numbers("SELECT account_id FROM mentions WHERE status_id = ?", [id]))
    facts.boosts = try rows(
      "SELECT id, account_id, visibility FROM statuses WHERE boost_of_id = ? ORDER BY id DESC LIMIT ?",
      [id, StatusFacts.mostBoosts]
    ).map { StatusFacts.Boost(id: $0[0], account: $0[1], visibility: $0[2]) }
    return facts
  }
}
