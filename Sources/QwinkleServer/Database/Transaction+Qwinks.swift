import GRDB
import QwinkleModel
import SafeText

/// A status that a request acts on. Never a boost.
struct StatusTarget {
  var id: Int64
  var account: Int64
  var visibility: Visibility
}

extension Transaction {
  /// The SQL condition that the viewer is allowed to see the status `s`. A status that doesn't meet this condition is
  /// never returned to the viewer.
  var visible: SQL { visible(as: "s") }

  /// The SQL condition that the viewer is allowed to see the status with this table alias.
  ///
  /// A boost is a status with its own visibility, which is never wider than the original's. A viewer who can see the
  /// boost can therefore see the original, unless the original's author is hidden from the viewer.
  func visible(as alias: SQL) -> SQL {
    let isPresent = present("\(alias).account_id")
    guard let viewer else { return "(\(alias).visibility <= \(VisibilityCode.unlisted) AND \(isPresent))" }
    return """
      (\(isPresent) AND (\(alias).visibility <= \(VisibilityCode.unlisted) OR \(alias).account_id = \(viewer)
      OR EXISTS (SELECT 1 FROM mentions m WHERE m.status_id = \(alias).id AND m.account_id = \(viewer))
      OR (\(alias).visibility = \(VisibilityCode.private) AND EXISTS
        (SELECT 1 FROM follows f WHERE f.account_id = \(viewer) AND f.target_id = \(alias).account_id))))
      """
  }

  /// Returns the statuses that exist and that the viewer is allowed to see, in the order of `ids`. A boost is returned
  /// as the original with the boost's id, booster and time.
  func qwinks(_ ids: [Int64]) throws -> [Qwink] {
    guard !ids.isEmpty else { return [] }
    var records = try records(ids)
    let originals = Set(records.values.compactMap { $0[13] as Int64? }).subtracting(records.keys)
    if !originals.isEmpty { records.merge(try self.records(originals)) { first, _ in first } }
    let quotedIDs = Self.quotedIDs(in: records.values)
    let quoted = quotedIDs.subtracting(records.keys)
    if !quoted.isEmpty { records.merge(try self.records(quoted)) { first, _ in first } }
    let states = try quotedIDs.isEmpty ? [:] : quoteStates(ofQuoted: Self.quotedIDs(in: records.values))
    let authors = try qwinkers(Set(records.values.map { $0[1] as Int64 }))
    let mentions = try mentions(in: records.keys)
    let polls = try polls(of: records.keys)
    let media = try attachments(of: records.filter { ($0.value[21] as Int) > 0 }.keys)
    let filters = try activeFilters()

    func build(_ id: Int64, isQuoted: Bool = false) -> Qwink? {
      guard let row = records[id], let author = authors[row[1]] else { return nil }
      guard let original: Int64 = row[13] else {
        var qwink = self.qwink(row, author: author, mentions: mentions[id] ?? [])
        qwink.poll = polls[id]
        qwink.attachments = media[id] ?? []
        if !filters.isEmpty, row[1] != viewer { qwink.filterMatches = matches(of: filters, in: qwink, id) }
        if let quoted: Int64 = row[22] {
          qwink.quote = quote(
            of: quoted, isRevoked: row[23], states, isQuoted ? nil : build(quoted, isQuoted: true))
        }
        return qwink
      }
      var boost = build(original)
      boost?.id = Qwink.ID(String(id))
      boost?.booster = author
      boost?.boostedAt = .init(milliseconds: row[2])
      return boost
    }
    return ids.compactMap { build($0) }
  }

  /// Returns a status if the viewer is allowed to see it.
  func qwink(_ id: Int64?) throws -> Qwink {
    guard let id, let qwink = try qwinks([id]).first else { throw Refusal.notFound }
    return qwink
  }

  /// Returns a status, or the original of a boost, if the viewer is allowed to see it.
  func target(_ id: Int64?) throws -> StatusTarget {
    guard let target = try visibleTarget(id) else { throw Refusal.notFound }
    return target
  }

  /// Like ``target(_:)``, but returns nil instead of throwing if the status doesn't exist or is hidden from the viewer.
  func visibleTarget(_ id: Int64?) throws -> StatusTarget? {
    guard let id else { return nil }
    return try row(
      literal: """
        SELECT s.id, s.account_id, s.visibility FROM statuses r
        JOIN statuses s ON s.id = coalesce(r.boost_of_id, r.id)
        WHERE r.id = \(id) AND \(visible(as: "r")) AND \(visible)
        """
    ).map { StatusTarget(id: $0[0], account: $0[1], visibility: VisibilityCode.visibility($0[2])) }
  }

  /// Returns the rows of the statuses with these ids, keyed by id. Omits statuses that are hidden from the viewer. The
  /// columns are in the order in which ``qwink(_:author:mentions:)`` reads them.
  private func records(_ ids: some Sequence<Int64>) throws -> [Int64: StoredRow] {
    let rows = try rows(
      literal: """
        SELECT s.id, s.account_id, s.created_at, s.edited_at, s.visibility, s.in_reply_to_id,
          s.in_reply_to_account_id, s.source, s.warning, s.language, s.replies_count, s.boosts_count,
          s.favourites_count, s.boost_of_id,
          EXISTS (SELECT 1 FROM statuses p WHERE p.id = s.in_reply_to_id AND \(visible(as: "p"))),
          EXISTS (SELECT 1 FROM statuses b WHERE b.boost_of_id = s.id AND b.account_id = \(viewer)),
          EXISTS (SELECT 1 FROM favourites k WHERE k.status_id = s.id AND k.account_id = \(viewer)),
          EXISTS (SELECT 1 FROM bookmarks k WHERE k.status_id = s.id AND k.account_id = \(viewer)),
          s.sensitive,
          EXISTS (SELECT 1 FROM thread_mutes k
            WHERE k.account_id = \(viewer) AND k.thread_id = coalesce(s.thread_id, s.id)),
          EXISTS (SELECT 1 FROM pins k WHERE k.status_id = s.id AND k.account_id = \(viewer)), s.media_count,
          s.quoted_id, s.quote_is_revoked, s.quote_policy, s.quotes_count,
          s.quote_policy = 1 AND EXISTS
            (SELECT 1 FROM follows f WHERE f.account_id = \(viewer) AND f.target_id = s.account_id)
        FROM statuses s WHERE s.id IN (SELECT value FROM json_each(\(jsonArray(ids)))) AND \(visible)
        """)
    return rows.byID
  }

  private static func quotedIDs(in rows: some Sequence<StoredRow>) -> Set<Int64> {
    Set(rows.compactMap { $0[22] as Int64? })
  }

  /// Returns the mentioned accounts that aren't suspended, keyed by status id.
  func mentions(in ids: some Sequence<Int64>) throws -> [Int64: [Qwink.Mention]] {
    var mentions: [Int64: [Qwink.Mention]] = [:]
    let rows = try rows(
      """
      SELECT m.status_id, a.id, a.name FROM mentions m JOIN accounts a ON a.id = m.account_id
      WHERE m.status_id IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM suspensions gone WHERE gone.account_id = a.id) ORDER BY m.status_id, a.name
      """, [jsonArray(ids)])
    for row in rows {
      let name: String = row[2]
      mentions[row[0], default: []].append(
        Qwink.Mention(
          id: Qwinker.ID(String(row[1] as Int64)), userName: name, handle: name, url: url(ofName: name)))
    }
    return mentions
  }

  /// Builds a qwink from a row of ``records(_:)``. Omits the parent's id if the parent is hidden from the viewer.
  private func qwink(_ row: StoredRow, author: Qwinker, mentions: [Qwink.Mention]) -> Qwink {
    let id: Int64 = row[0]
    let editedAt: Int64? = row[3]
    let text = richText(row[7], mentions: mentions)
    let warning = SafeText.line(row[8])
    let isParentVisible: Bool = row[14]
    let parent: Int64? = isParentVisible ? row[5] : nil
    let parentAuthor: Int64? = isParentVisible ? row[6] : nil
    var qwink = Qwink(
      id: Qwink.ID(String(id)), author: author, createdAt: .init(milliseconds: row[2]),
      editedAt: editedAt.map { .init(milliseconds: $0) }, text: text, contentWarning: warning,
      isSensitive: row[18], visibility: VisibilityCode.visibility(row[4]), language: row[9],
      url: origin.url("/@\(author.userName)/\(id)"), inReplyTo: parent.map { Qwink.ID(String($0)) },
      inReplyToAuthor: parentAuthor.map { Qwinker.ID(String($0)) }, mentions: mentions, tags: text.tagNames,
      repliesCount: row[10], boostsCount: row[11], favouritesCount: row[12], isBoosted: row[15], isFavourite: row[16],
      isBookmarked: row[17])
    qwink.isThreadMuted = row[19]
    qwink.isPinned = row[20]
    qwink.quotesCount = row[25]
    let isOwn = row[1] == viewer
    qwink.quoteApproval = quoteApproval(row[24], qwink.visibility, isOwn: isOwn, isFollowed: row[26])
    return qwink
  }

  /// Returns the matches of filters that list a qwink, or that match its text, content warning or poll options.
  private func matches(of filters: [FilterRecord], in qwink: Qwink, _ id: Int64) -> [FilterMatch] {
    let texts = [qwink.contentWarning, qwink.text.plainText] + (qwink.poll?.options.map(\.title) ?? [])
    let text = FilteredText(texts)
    return filters.compactMap { $0.match(id, text) }
  }

  func richText(_ source: String, mentions: [Qwink.Mention]) -> RichText {
    let urls = Dictionary(mentions.map { ($0.userName, $0.url ?? "") }, uniquingKeysWith: { first, _ in first })
    return linkify(SafeText.paragraphs(source), mentions: urls)
  }
}
