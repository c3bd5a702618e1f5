import GRDB
import QwinkleModel
import SafeText

/// A picture on a profile.
enum ProfilePicture: String, CaseIterable, Sendable {
  case avatar, header
}

/// A picture selected for an edited qwink.
struct MediaChoice {
  var id: Int64
  /// The new alternative text, or nil if it doesn't change.
  var description: String?
  /// The new focal point, or nil if it doesn't change.
  var focus: FocalPoint?
}

/// A picture in a version of a qwink.
struct MediaVersion: Codable, Hashable {
  var id: Int64
  var description: String
}

extension Transaction {
  /// Lifetime of a loose picture, which no qwink or profile uses, in milliseconds: a day.
  static let looseMediaLives: Int64 = 86_400_000

  private static let columns = "id, name, type, width, height, description, blurhash, focus"

  private func attachment(_ row: StoredRow, description: String? = nil) -> Attachment {
    let url = origin.url(MediaFileHandlers.path(of: row[1]))
    let text = SafeText.paragraphs(description ?? row[5])
    return Attachment(
      id: .init(String(row[0] as Int64)), kind: .image, url: url, previewURL: url, altText: text.isEmpty ? nil : text,
      width: row[3], height: row[4], blurhash: row[6],
      focus: (row[7] as String?).flatMap(FocalPoint.init(typed:)))
  }

  // MARK: Uploads

  /// Adds a picture of an account: a profile picture, or a loose picture, which no qwink uses yet. Returns its id.
  func addMedia(
    _ stored: StoredPicture, of account: Int64, description: String, focus: FocalPoint? = nil,
    profile: ProfilePicture? = nil
  ) throws -> Int64 {
    try makeRoom(forMedia: stored.bytes, of: account)
    try confirm(stored)
    let id = try nextID()
    try run(
      """
      INSERT INTO media (id, account_id, profile, loose_since, name, type, width, height, bytes, hash, description,
        blurhash, focus)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, account, profile?.rawValue, profile == nil ? nowInMilliseconds : nil, stored.name, stored.kind.type,
        stored.width, stored.height, stored.bytes, stored.hash, description, stored.blurhash, Self.column(focus),
      ])
    if profile == nil { plan(nowInMilliseconds + Self.looseMediaLives) }
    return id
  }

  /// Returns one of the viewer's uploads, excluding profile pictures.
  func media(_ id: Int64?) throws -> Attachment {
    guard let row = try ownMedia(id) else { throw Refusal.notFound }
    return attachment(row)
  }

  private func ownMedia(_ id: Int64?) throws -> StoredRow? {
    try row(
      "SELECT \(Self.columns), status_id FROM media WHERE id = ? AND account_id = ? AND profile IS NULL", [id, me()])
  }

  /// Changes the alternative text and the focal point of one of the viewer's uploads, unless they are nil. Throws if a
  /// post uses the upload.
  func describeMedia(_ id: Int64?, as description: String?, focus: FocalPoint?) throws {
    guard let id, let row = try ownMedia(id) else { throw Refusal.notFound }
    guard row[8] as Int64? == nil else {
      throw Refusal.invalid("This picture is in a post. Edit the post to change its description.")
    }
    try run("UPDATE media SET description = coalesce(?, description) WHERE id = ?", [description, id])
    try setFocus(focus, of: id)
  }

  private func setFocus(_ focus: FocalPoint?, of id: Int64) throws {
    guard let focus else { return }
    try run("UPDATE media SET focus = ? WHERE id = ?", [Self.column(focus), id])
  }

  /// The column for a focal point: NULL for the centre.
  private static func column(_ focus: FocalPoint?) -> String? {
    focus.flatMap { $0.x == 0 && $0.y == 0 ? nil : $0.text }
  }

  /// Deletes one of the viewer's uploads. Throws if a post or a scheduled post uses the upload.
  func deleteMedia(_ id: Int64?) throws {
    guard let row = try ownMedia(id) else { throw Refusal.notFound }
    guard row[8] as Int64? == nil else { throw Refusal.invalid("This picture is in a post. Edit or delete the post.") }
    try run("DELETE FROM media WHERE id = ? AND scheduled_id IS NULL", [id])
    guard db.changesCount > 0 else { throw Refusal.invalid("This picture is in a scheduled post. Delete that first.") }
    plan(nowInMilliseconds)
  }

  /// Returns the size of a picture on a profile.
  func bytes(of picture: ProfilePicture, of account: Int64) throws -> Int {
    try numbers("SELECT bytes FROM media WHERE account_id = ? AND profile = ?", [account, picture.rawValue])
      .first.map { Int($0) } ?? 0
  }

  /// Sets or removes a picture on a profile. Deletes the previous picture.
  func setPicture(_ picture: ProfilePicture, of account: Int64, to stored: StoredPicture?) throws {
    try run("DELETE FROM media WHERE account_id = ? AND profile = ?", [account, picture.rawValue])
    if let stored { _ = try addMedia(stored, of: account, description: "", profile: picture) }
    try run("UPDATE accounts SET \(picture.rawValue) = ? WHERE id = ?", [stored?.name, account])
    plan(nowInMilliseconds)
  }

  // MARK: Pictures of statuses

  /// Returns the pictures of statuses, in order, by status.
  func attachments(of ids: some Sequence<Int64>) throws -> [Int64: [Attachment]] {
    let ids = Array(ids)
    guard !ids.isEmpty else { return [:] }
    let rows = try rows(
      """
      SELECT \(Self.columns), status_id FROM media WHERE status_id IN (SELECT value FROM json_each(?))
      AND position IS NOT NULL ORDER BY status_id, position
      """, [jsonArray(ids)])
    return Dictionary(grouping: rows) { $0[8] as Int64 }.mapValues { $0.map { attachment($0) } }
  }

  /// Adds pictures to a new status. The pictures must be unused uploads of the status's author.
  func attach(_ ids: [Int64], to status: Int64, of account: Int64) throws {
    guard !ids.isEmpty else { return }
    for (position, id) in ids.enumerated() {
      try take(id, "status_id = \(status), position = \(position)", of: account)
    }
    try run("UPDATE statuses SET media_count = ? WHERE id = ?", [ids.count, status])
  }

  /// Assigns a loose upload to a status or a scheduled status. `change` is the SQL that sets the columns for this.
  private func take(_ id: Int64, _ change: String, of account: Int64) throws {
    try db.execute(
      sql: """
        UPDATE media SET \(change), loose_since = NULL, is_withdrawn = 0 WHERE id = ? AND account_id = ?
        AND loose_since IS NOT NULL
        """, arguments: [id, account])
    guard db.changesCount == 1 else { throw Self.notLoose(id) }
  }

  private static func notLoose(_ id: Int64) -> Refusal {
    .invalid("media_ids: \(id) is not one of your uploads, or it is already used. Upload the picture again.")
  }

  /// Detaches the pictures of a status before the status is deleted. The pictures become loose uploads, which the
  /// author can post again. Until the author does so, the files aren't served.
  func detachMedia(of status: Int64) throws {
    try run(
      """
      UPDATE media SET status_id = NULL, position = NULL, is_withdrawn = 1, loose_since = ?
      WHERE status_id = ? AND position IS NOT NULL
      """, [nowInMilliseconds, status])
    if db.changesCount > 0 { plan(nowInMilliseconds + Self.looseMediaLives) }
  }

  // MARK: Edits

  /// Returns the current pictures of a status.
  func versionOfMedia(of status: Int64) throws -> [MediaVersion] {
    try rows(
      """
      SELECT id, description FROM media WHERE status_id = ? AND position IS NOT NULL ORDER BY position
      """, [status]
    ).map { MediaVersion(id: $0[0], description: $0[1]) }
  }

  /// Returns the version of a picture that an edit selects. If `choice` has no description, the version has the
  /// picture's current description. Sets the focal point at once, because versions don't have their own.
  func version(of choice: MediaChoice) throws -> MediaVersion {
    guard let row = try ownMedia(choice.id) else { throw Self.notLoose(choice.id) }
    try setFocus(choice.focus, of: choice.id)
    return MediaVersion(id: choice.id, description: choice.description ?? row[5])
  }

  /// Replaces the pictures of a status. Each new picture must belong to the status or its history, or be a loose
  /// upload. Removed pictures stay in the history.
  func replaceMedia(of status: Int64, by media: [MediaVersion]) throws {
    let me = try me()
    try run("UPDATE media SET position = NULL WHERE status_id = ?", [status])
    for (position, version) in media.enumerated() {
      try run(
        """
        UPDATE media SET status_id = ?1, position = ?2, description = ?3, loose_since = NULL, is_withdrawn = 0
        WHERE id = ?4 AND account_id = ?5 AND position IS NULL AND (status_id = ?1 OR loose_since IS NOT NULL)
        """, [status, position, version.description, version.id, me])
      guard db.changesCount == 1 else { throw Self.notLoose(version.id) }
    }
    try run("UPDATE statuses SET media_count = ? WHERE id = ?", [media.count, status])
  }

  /// Returns a function that decodes the pictures of a version of the status. The function's argument is the JSON text
  /// stored for that version; for an empty text, the function returns the current pictures.
  func mediaOfVersions(of status: Int64) throws -> (String) -> [Attachment] {
    let byID = try rows("SELECT \(Self.columns) FROM media WHERE status_id = ?", [status]).byID
    let current = try versionOfMedia(of: status)
    return { text in
      let versions: [MediaVersion] = text.isEmpty ? current : SmallJSON.value(text) ?? []
      return versions.compactMap { version in
        byID[version.id].map { attachment($0, description: version.description) }
      }
    }
  }

  /// Deletes the pictures that a status no longer has and that no version in its history shows.
  func deleteMediaWithoutVersion(of status: Int64) throws {
    try run(
      """
      DELETE FROM media WHERE status_id = ?1 AND position IS NULL AND id NOT IN (
        SELECT json_extract(m.value, '$.id') FROM status_versions v,
          json_each(iif(json_valid(v.media), v.media, '[]')) m WHERE v.status_id = ?1)
      """, [status])
    if db.changesCount > 0 { plan(nowInMilliseconds) }
  }

  // MARK: Scheduled

  /// Assigns loose uploads of the viewer to a scheduled status.
  func reserve(_ ids: [Int64], for scheduled: Int64) throws {
    for id in ids { try take(id, "scheduled_id = \(scheduled)", of: me()) }
  }

  /// Detaches the pictures of a scheduled status. They become loose uploads.
  func releaseMedia(ofScheduled id: Int64) throws {
    try run(
      "UPDATE media SET scheduled_id = NULL, loose_since = ? WHERE scheduled_id = ?", [nowInMilliseconds, id])
    if db.changesCount > 0 { plan(nowInMilliseconds + Self.looseMediaLives) }
  }

  /// Returns the pictures of a scheduled status, in order.
  func attachments(ofScheduled id: Int64) throws -> [Attachment] {
    let order: ScheduledEntry? = try row("SELECT entry FROM scheduled WHERE id = ?", [id]).flatMap {
      SmallJSON.value($0[0])
    }
    let byID = try rows("SELECT \(Self.columns) FROM media WHERE scheduled_id = ?", [id]).byID
    return (order?.media ?? []).compactMap { byID[$0].map { attachment($0) } }
  }

  // MARK: Files

  /// Returns the media type of a file, or nil if the file doesn't exist or must not be served.
  func typeOfFile(_ name: String) throws -> String? {
    try row(
      literal: """
        SELECT m.type FROM media m WHERE m.name = \(name) AND NOT m.is_withdrawn AND \(present("m.account_id"))
        """
    )?[0]
  }

  /// Registers a file before it is written. If the file isn't confirmed with ``confirm(_:)`` by the time `due`, it is
  /// deleted.
  func expectFile(_ name: String, until due: Int64) throws {
    try run("INSERT INTO media_unneeded (name, due) VALUES (?, ?)", [name, due])
    plan(due)
  }

  /// Unregisters a written file, so that it isn't deleted.
  ///
  /// - Throws: ``Refusal`` if the file was deleted because writing took too long.
  func confirm(_ stored: StoredPicture) throws {
    try run("DELETE FROM media_unneeded WHERE name = ?", [stored.name])
    guard db.changesCount == 1 else { throw Refusal.tooLate }
  }

  /// Schedules the immediate deletion of files without rows.
  func discardFiles(_ names: [String]) throws {
    for name in names { try run("UPDATE media_unneeded SET due = ? WHERE name = ?", [nowInMilliseconds, name]) }
    plan(nowInMilliseconds)
  }

  /// Deletes pictures that have been loose for a day.
  func deleteLooseMedia() throws {
    try run("DELETE FROM media WHERE loose_since <= ?", [nowInMilliseconds - Self.looseMediaLives])
  }

  /// Returns the names of at most `most` files that can be deleted at `time`.
  func unneededFiles(until time: Int64, most: Int) throws -> [String] {
    try rows("SELECT name FROM media_unneeded WHERE due <= ? LIMIT ?", [time, most]).map { $0[0] }
  }

  /// Unregisters the files that were deleted. For the files that couldn't be deleted, schedules another attempt in an
  /// hour.
  func forgetFiles(_ files: [(name: String, isGone: Bool)]) throws {
    for file in files {
      if file.isGone {
        try run("DELETE FROM media_unneeded WHERE name = ?", [file.name])
      } else {
        try run("UPDATE media_unneeded SET due = ? WHERE name = ?", [nowInMilliseconds + 3_600_000, file.name])
      }
    }
  }
}
