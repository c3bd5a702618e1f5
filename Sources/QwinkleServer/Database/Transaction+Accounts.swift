import GRDB
import QwinkleModel
import QwinkleWire
import SafeText

extension Transaction {
  /// Returns the existing qwinkers with these ids, by id. Suspended qwinkers are omitted unless `includesSuspended` is
  /// true.
  func qwinkers(_ ids: some Sequence<Int64>, includesSuspended: Bool = false) throws -> [Int64: Qwinker] {
    let rows = try rows(
      """
      SELECT id, name, display_name, note, is_bot, created_at, followers_count, following_count, statuses_count,
        is_locked, fields, last_status_at, avatar, header, is_discoverable, is_indexable, hides_follows,
        EXISTS (SELECT 1 FROM limited_accounts few WHERE few.account_id = accounts.id),
        EXISTS (SELECT 1 FROM suspensions gone WHERE gone.account_id = accounts.id)
      FROM accounts WHERE id IN (SELECT value FROM json_each(?))
      AND (? OR NOT EXISTS (SELECT 1 FROM suspensions gone WHERE gone.account_id = accounts.id))
      """, [jsonArray(ids), includesSuspended])
    return rows.byID.mapValues(qwinker)
  }

  /// Returns the existing qwinkers in the order of `ids`. Suspended qwinkers are omitted.
  func qwinkers(inOrder ids: [Int64]) throws -> [Qwinker] {
    let qwinkers = try qwinkers(ids)
    return ids.compactMap { qwinkers[$0] }
  }

  /// Returns the qwinker with this id. Throws if they don't exist or are suspended.
  func qwinker(_ id: Int64) throws -> Qwinker {
    guard let qwinker = try qwinkers([id])[id] else { throw Refusal.notFound }
    return qwinker
  }

  /// Returns the ids of the qwinkers with these names, keyed by name. The names must be in lowercase.
  func accountIDs(named names: some Sequence<String>) throws -> [String: Int64] {
    var ids: [String: Int64] = [:]
    for name in names where ids[name] == nil {
      ids[name] = try accountID(named: name)
    }
    return ids
  }

  /// Returns the id of the qwinker with this name, if any. The name must be in lowercase.
  func accountID(named name: String) throws -> Int64? {
    try numbers("SELECT id FROM accounts WHERE name = ?", [name]).first
  }

  /// Adds a qwinker and returns its id. The name must be unused.
  func addAccount(name: String, displayName: String, isBot: Bool = false) throws -> Int64 {
    let id = try nextID()
    try run(
      "INSERT INTO accounts (id, name, display_name, is_bot, created_at) VALUES (?, ?, ?, ?, ?)",
      [id, name, displayName, isBot, nowInMilliseconds])
    return id
  }

  /// Returns the URL of a qwinker's page.
  func url(ofName name: String) -> String { origin.url("/@\(name)") }

  private func pictureURL(_ name: String?) -> String? { name.map { origin.url(MediaFileHandlers.path(of: $0)) } }

  private func qwinker(_ row: StoredRow) -> Qwinker {
    let id: Int64 = row[0]
    let name: String = row[1]
    let note: String = row[3]
    var qwinker = Qwinker(
      id: Qwinker.ID(String(id)), userName: name, displayName: SafeText.line(row[2]),
      note: linkify(SafeText.paragraphs(note)), url: url(ofName: name),
      avatarURL: pictureURL(row[12]) ?? origin.url("/avatars/\(name).png"), isBot: row[4], isLocked: row[9],
      createdAt: .init(milliseconds: row[5]), followersCount: row[6], followingCount: row[7], qwinksCount: row[8],
      fields: ProfileFields.read(row[10]).map { field in
        Qwinker.Field(name: SafeText.line(field.name), value: linkify(SafeText.line(field.value)))
      })
    qwinker.headerURL = pictureURL(row[13]) ?? origin.url("/headers/\(name).png")
    (qwinker.isLimited, qwinker.isSuspended) = (row[17], row[18])
    if row[14] { qwinker.traits.insert(.discoverable) }
    if row[15] { qwinker.traits.insert(.indexed) }
    if row[16] { qwinker.traits.insert(.hidesFollows) }
    qwinker.lastQwinkAt = (row[11] as Int64?).map { .init(milliseconds: $0) }
    return qwinker
  }
}

/// Account names: letters from a to z, digits and underscores.
enum AccountName {
  /// The longest name, in characters.
  static let mostCharacters = 30

  /// Returns the name in lowercase, or nil if it isn't valid.
  static func valid(_ name: String) -> String? {
    let lowered = name.lowercased()
    return !lowered.isEmpty && lowered.utf8.count <= mostCharacters && lowered.utf8.allSatisfy(isPart) ? lowered : nil
  }

  /// Returns the name in lowercase without invalid characters, truncated to ``mostCharacters``. Returns `other` if no
  /// valid characters remain, and nil for an empty `name`.
  static func reduced(_ name: String, else other: String = "owner") -> String? {
    guard !name.isEmpty else { return nil }
    let bytes = name.lowercased().utf8.filter(isPart).prefix(mostCharacters)
    return bytes.isEmpty ? other : String(decoding: bytes, as: UTF8.self)
  }

  static func isPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte.isLetterOrDigit && !(0x41...0x5A).contains(byte))
  }
}
