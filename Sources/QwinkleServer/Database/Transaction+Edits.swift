import GRDB
import HTTPTypes
import QwinkleModel
import SafeText

extension Transaction {
  /// Maximum number of older versions stored for each status.
  private static let mostVersions = 100

  /// Replaces the text and pictures of one of the viewer's statuses and stores the previous version. Notifies accounts
  /// that the edit newly mentions, and accounts that boosted the status. Does nothing if the edit changes nothing.
  ///
  /// The visibility doesn't change. An edit can't add accounts to a followers-only or direct qwink, because the added
  /// accounts could see older versions and the surrounding conversation, which weren't written for them.
  ///
  /// - Parameters:
  ///   - media: The status's pictures after the edit, in order.
  ///   - quotePolicy: The users who may quote the status after the edit. Nil leaves the policy unchanged.
  func editStatus(
    _ id: Int64?, to text: CheckedText, media: [MediaChoice], quotePolicy: QuotePolicy? = nil
  ) throws -> Int64 {
    let me = try me()
    guard let id,
      let row = try row(
        """
        SELECT source, warning, language, visibility, coalesce(edited_at, created_at), sensitive FROM statuses
        WHERE id = ? AND account_id = ? AND boost_of_id IS NULL
        """, [id, me])
    else { throw Refusal.notOwn }
    if let quotePolicy { try setQuotePolicy(of: id, to: quotePolicy) }
    let (source, warning, language): (String, String, String?) = (row[0], row[1], row[2])
    let newLanguage = text.language ?? language
    let wasSensitive: Bool = row[5]
    let (formerMedia, newMedia) = (try versionOfMedia(of: id), try media.map { try version(of: $0) })
    if formerMedia == newMedia, source == text.source, warning == text.warning, language == newLanguage,
      wasSensitive == text.isSensitive
    {
      return id
    }

    try setMentions(of: id, from: text.source, visibility: VisibilityCode.visibility(row[3]))
    try setTags(of: id, from: SafeText.paragraphs(text.source))
    if formerMedia != newMedia { try replaceMedia(of: id, by: newMedia) }
    let changedAt: Int64 = row[4]
    try run(
      """
      INSERT INTO status_versions (status_id, created_at, source, warning, sensitive, media)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [id, changedAt, source, warning, wasSensitive, SmallJSON.text(formerMedia)])
    // If there are too many versions, delete the oldest ones, but always retain the original.
    try run(
      """
      DELETE FROM status_versions WHERE status_id = ?1
      AND id < (SELECT id FROM status_versions WHERE status_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
      AND id > (SELECT min(id) FROM status_versions WHERE status_id = ?1)
      """, [id, Self.mostVersions - 2])
    if db.changesCount > 0 { try deleteMediaWithoutVersion(of: id) }
    try run(
      "UPDATE statuses SET source = ?, warning = ?, language = ?, sensitive = ?, edited_at = ? WHERE id = ?",
      [text.source, text.warning, newLanguage, text.isSensitive, nowInMilliseconds, id])
    try tellQuoting(id, by: me)
    for booster in try numbers("SELECT account_id FROM statuses WHERE boost_of_id = ? ORDER BY id", [id]) {
      try notify(booster, of: .edit, by: me, status: id)
    }
    happened(.edited(id))
    return id
  }

  /// Returns all versions of a status, oldest first, and its author.
  func versions(of target: StatusTarget) throws -> (versions: [QwinkVersion], author: Qwinker) {
    let mentions = try mentions(in: [target.id])[target.id] ?? []
    let rows = try rows(
      """
      SELECT source, warning, created_at, sensitive, media FROM (
        SELECT 0 AS is_current, id, source, warning, created_at, sensitive, media FROM status_versions
        WHERE status_id = ?1
        UNION ALL
        SELECT 1, id, source, warning, coalesce(edited_at, created_at), sensitive, '' FROM statuses WHERE id = ?1)
      ORDER BY is_current, id
      """, [target.id])
    let media = try mediaOfVersions(of: target.id)
    let versions = rows.map { row in
      let warning = SafeText.line(row[1])
      return QwinkVersion(
        createdAt: .init(milliseconds: row[2]), text: richText(row[0], mentions: mentions), contentWarning: warning,
        isSensitive: row[3], attachments: media(row[4]))
    }
    return (versions, try qwinker(target.account))
  }

  /// Returns the text of one of the viewer's statuses, as typed.
  func source(of id: Int64?) throws -> QwinkSource {
    guard let id,
      let row = try row(
        "SELECT source, warning FROM statuses WHERE id = ? AND account_id = ? AND boost_of_id IS NULL", [id, me()])
    else { throw Refusal.notOwn }
    return QwinkSource(id: Qwink.ID(String(id)), text: row[0], contentWarning: row[1])
  }

  /// Updates the mentions of a status to match `source`. In a followers-only or direct status, no mentions are removed,
  /// and the method throws if `source` mentions an account that can't see the status yet.
  private func setMentions(of id: Int64, from source: String, visibility: Visibility) throws {
    let me = try me()
    let before = Set(try numbers("SELECT account_id FROM mentions WHERE status_id = ?", [id]))
    let after = try accounts(mentionedIn: SafeText.paragraphs(source))
    if visibility == .private || visibility == .direct {
      for account in after.subtracting(before) {
        guard try viewed(by: account).visibleTarget(id) != nil else {
          throw Refusal.invalid(
            "Editing cannot add people to a followers-only or direct post. Write a new post instead.")
        }
      }
    } else {
      for account in before.subtracting(after) {
        try run("DELETE FROM mentions WHERE status_id = ? AND account_id = ?", [id, account])
        try withdrawNotification(to: account, of: .mention, by: me, status: id)
      }
    }
    for account in after.subtracting(before).sorted() {
      try run("INSERT INTO mentions (status_id, account_id) VALUES (?, ?)", [id, account])
      try notify(account, of: .mention, by: me, status: id)
    }
  }
}
