import GRDB
import QwinkleModel

/// Decides which of the viewer's streams contain a status. The rules read only its ``StatusFacts`` and not the status
/// itself, so that they also apply to deleted statuses.
extension Transaction {
  /// Maximum number of boosts of a changed status that are checked against the viewer's timelines.
  private static let mostBoosts = 20

  /// Returns the streams among `streams` that contain the status itself, not only a boost of it.
  func streams(_ streams: Set<StreamChannel>, with facts: StatusFacts) throws -> Set<StreamChannel> {
    guard facts.visibility < VisibilityCode.direct, !streams.isEmpty, try isListed(facts) else { return [] }
    var found = streams.intersection(facts.publicStreams)
    for stream in streams.subtracting(found) where try isTimeline(stream, with: facts) { found.insert(stream) }
    return found
  }

  /// Returns whether a stream is one of the viewer's home or list timelines and contains a status.
  private func isTimeline(_ stream: StreamChannel, with facts: StatusFacts) throws -> Bool {
    switch stream {
    case .user: return try isInHome(facts)
    case .list(let id):
      guard let list = try ownList(id) else { return false }
      return try isIn(list, facts)
    case .everyone, .tag, .notifications, .direct: return false
    }
  }

  /// Returns the streams that report changes to a status: streams that contain it or a boost of it. The user stream
  /// also reports changes to direct statuses, which no timeline contains.
  func streams(_ streams: Set<StreamChannel>, reporting facts: StatusFacts) throws -> Set<StreamChannel> {
    var found = try self.streams(streams, with: facts)
    let others = streams.subtracting(found).filter(\.isTimeline)
    guard !others.isEmpty, try isReadable(facts) else { return found }
    if facts.visibility == VisibilityCode.direct { return others.contains(.user) ? found.union([.user]) : found }
    for boost in try boosts(of: facts) { found.formUnion(try self.streams(others, with: boost)) }
    return found
  }

  /// Returns the newest boosts of a status by the viewer and by followed accounts whose boosts the viewer sees.
  func boosts(of facts: StatusFacts) throws -> [StatusFacts] {
    guard let viewer, !facts.boosts.isEmpty else { return [] }
    var boosters = Set(
      try numbers(
        """
        SELECT target_id FROM follows WHERE account_id = ? AND shows_boosts
        AND target_id IN (SELECT value FROM json_each(?))
        """, [viewer, jsonArray(facts.boosts.map(\.account))]))
    boosters.insert(viewer)
    return facts.boosts.filter { boosters.contains($0.account) }.prefix(Self.mostBoosts).map(facts.facts(of:))
  }

  /// Returns the accounts among `listening`, a JSON array of ids, whose home or list timelines may contain a status or
  /// a boost of it. The result may contain too many accounts: the other methods decide for each account's streams.
  func readers(of facts: StatusFacts, among listening: String) throws -> [Int64] {
    let authors = [facts.author] + facts.boosts.map(\.account)
    let people = jsonArray(authors + facts.mentioned)
    let isTagged = facts.visibility == VisibilityCode.public && !facts.tags.isEmpty
    // The plus sign makes SQLite iterate over the few tags that an account follows, instead of the status's tags.
    return try numbers(
      """
      SELECT v.value FROM json_each(?1) v WHERE v.value IN (SELECT value FROM json_each(?2))
      UNION
      SELECT v.value FROM json_each(?1) v CROSS JOIN follows f
        ON f.account_id = v.value AND f.target_id IN (SELECT value FROM json_each(?3))
      UNION
      SELECT v.value FROM json_each(?1) v CROSS JOIN tag_follows w
        ON w.account_id = v.value AND +w.tag IN (SELECT value FROM json_each(?4))
      """, [listening, people, jsonArray(authors), SmallJSON.text(isTagged ? facts.tags.sorted() : [])])
  }

  /// Returns whether the viewer's timelines can show a status, like ``listed``: its author must be neither hidden from
  /// the viewer nor muted nor limited. A boost's original author must be neither hidden nor muted.
  private func isListed(_ facts: StatusFacts) throws -> Bool {
    let author: SQL = "\(heard("\(facts.author)")) AND \(unlimited("\(facts.author)"))"
    guard let original = facts.originalAuthor else { return try isTrue(author) }
    return try isTrue("\(author) AND \(heard("\(original)"))")
  }

  private func isReadable(_ facts: StatusFacts) throws -> Bool {
    guard let viewer, try isPresent(facts.author) else { return false }
    if facts.visibility <= VisibilityCode.unlisted || facts.author == viewer { return true }
    if facts.mentioned.contains(viewer) { return true }
    return try facts.visibility == VisibilityCode.private && follows(facts.author, by: viewer)
  }

  /// SQL condition that the options of the follow `f` allow a status.
  private func isWanted(_ facts: StatusFacts) -> SQL {
    """
    (f.shows_boosts OR NOT \(facts.isBoost))
      AND (f.languages IS NULL OR coalesce(\(facts.language) IN (SELECT value FROM json_each(f.languages)), 1))
    """
  }

  private func isInHome(_ facts: StatusFacts) throws -> Bool {
    if facts.author == viewer { return true }
    let isFollowed = try isTrue(
      """
      EXISTS (SELECT 1 \(homeFollows) AND f.target_id = \(facts.author)
        AND \(isWanted(facts)))
      """)
    if isFollowed { return true }
    guard facts.visibility == VisibilityCode.public, !facts.tags.isEmpty else { return false }
    return try isTrue(
      """
      EXISTS (SELECT 1 FROM tag_follows w WHERE w.account_id = \(viewer)
        AND w.tag IN (SELECT value FROM json_each(\(SmallJSON.text(facts.tags.sorted())))))
      """)
  }

  private func isIn(_ list: PersonalList, _ facts: StatusFacts) throws -> Bool {
    try isTrue(
      """
      EXISTS (SELECT 1 \(follows(in: list)) AND f.target_id = \(facts.author)
        AND \(isWanted(facts)))
      AND EXISTS (SELECT 1 FROM (SELECT \(facts.author) AS account_id, \(facts.parent) AS in_reply_to_id,
        \(facts.parentAuthor) AS in_reply_to_account_id) s WHERE \(showsReply(in: list)))
      """)
  }
}
