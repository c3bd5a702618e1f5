import FoundationEssentials
import GRDB
import HTTPTypes
import QwinkleModel

/// The content of a scheduled qwink, as stored in the database.
struct ScheduledEntry: Codable {
  var text: String
  var warning: String
  var visibility: String
  var isSensitive: Bool
  var language: String?
  var parent: Int64?
  var poll: NewPoll?
  /// The ids of the qwink's pictures. Nil in entries stored by older versions.
  var media: [Int64]?
  /// The quoted qwink's id, if any.
  var quoted: Int64?
  /// A ``QuotePolicy``. Nil in entries stored by older versions.
  var quotePolicy: String?
}

extension ScheduledEntry {
  init(_ new: NewStatus) {
    self.init(
      text: new.source, warning: new.warning, visibility: new.visibility.rawValue, isSensitive: new.isSensitive,
      language: new.language, parent: new.parent?.id, poll: new.poll, media: new.media,
      quoted: new.quoted, quotePolicy: new.quotePolicy.rawValue)
  }
}

struct ScheduledQwink {
  var id: Int64
  var publishAt: Date
  var entry: ScheduledEntry
}

extension Transaction {
  private static let mostScheduled = 300

  /// Schedules a qwink and returns its id. If the viewer scheduled a qwink with the same idempotency key within the
  /// last hour, returns that qwink's id instead.
  func schedule(_ entry: ScheduledEntry, at date: Date, key: String) throws -> Int64 {
    let me = try me()
    if !key.isEmpty,
      let made = try numbers(
        "SELECT id FROM scheduled WHERE account_id = ? AND key = ? AND created_at > ?",
        [me, key, nowInMilliseconds - 3_600_000]
      ).first
    {
      return made
    }
    let count = try numbers("SELECT count(*) FROM scheduled WHERE account_id = ?", [me]).first ?? 0
    guard count < Self.mostScheduled else {
      throw Refusal.invalid("You have \(count) scheduled posts; the limit is \(Self.mostScheduled).")
    }
    let id = try nextID()
    try run(
      "INSERT INTO scheduled (id, account_id, publish_at, entry, key, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      [id, me, date.milliseconds, SmallJSON.text(entry), key, nowInMilliseconds])
    try reserve(entry.media ?? [], for: id)
    plan(date.milliseconds)
    return id
  }

  /// Returns the viewer's scheduled qwinks, the last created first. Malformed ones are omitted.
  func scheduled(_ request: PageRequest) throws -> PageOf<ScheduledQwink> {
    try page(request, "c.id", "c.id", from: "scheduled c WHERE c.account_id = \(me())").map {
      try $0.compactMap(storedScheduled)
    }
  }

  func scheduled(_ id: Int64?) throws -> ScheduledQwink {
    guard let id, let scheduled = try storedScheduled(id) else { throw Refusal.notFound }
    return scheduled
  }

  /// Returns one of the viewer's scheduled qwinks, or nil if it doesn't exist or is malformed.
  private func storedScheduled(_ id: Int64) throws -> ScheduledQwink? {
    guard let row = try row("SELECT publish_at, entry FROM scheduled WHERE id = ? AND account_id = ?", [id, me()]),
      let entry: ScheduledEntry = SmallJSON.value(row[1])
    else { return nil }
    return ScheduledQwink(id: id, publishAt: .init(milliseconds: row[0]), entry: entry)
  }

  /// Changes the time at which one of the viewer's scheduled qwinks is posted.
  func reschedule(_ id: Int64?, to date: Date) throws -> ScheduledQwink {
    try run(
      "UPDATE scheduled SET publish_at = ?, has_failed = 0 WHERE id = ? AND account_id = ?",
      [date.milliseconds, id, me()])
    plan(date.milliseconds)
    return try scheduled(id)
  }

  func unschedule(_ id: Int64?) throws {
    guard let id, try row("SELECT 1 FROM scheduled WHERE id = ? AND account_id = ?", [id, me()]) != nil else {
      throw Refusal.notFound
    }
    try releaseMedia(ofScheduled: id)
    try run("DELETE FROM scheduled WHERE id = ?", [id])
  }

  func doDueWork() throws {
    try publishDue()
    try deleteLooseMedia()
    try closeDuePolls()
  }

  /// Returns the time of the next due work in milliseconds since 1970, if any is planned. The comparisons with
  /// `Int64.max` exclude malformed times, which are text: SQLite sorts text after all numbers.
  func nextDue() throws -> Int64? {
    try row(
      """
      SELECT min(due) FROM (
        SELECT min(publish_at) AS due FROM scheduled WHERE NOT has_failed AND publish_at <= ?1
          AND account_id NOT IN (SELECT account_id FROM suspensions)
        UNION ALL SELECT min(expires_at) FROM polls WHERE NOT is_closed AND expires_at <= ?1
        UNION ALL SELECT min(loose_since) + \(Self.looseMediaLives) FROM media WHERE loose_since <= ?1
        UNION ALL SELECT min(due) FROM media_unneeded WHERE due <= ?1 AND typeof(name) = 'text')
      """, [Int64.max])?[0]
  }

  /// Publishes due qwinks. Their date is the scheduled time, not the current time. A qwink that can no longer be posted
  /// is marked as failed and stays in its author's list of scheduled qwinks.
  private func publishDue() throws {
    let isDue = """
      NOT has_failed AND publish_at <= ? AND account_id NOT IN (SELECT account_id FROM suspensions)
      """
    for row in try rows(
      "SELECT id, account_id, publish_at, entry, key FROM scheduled WHERE \(isDue) ORDER BY publish_at, id",
      [nowInMilliseconds])
    {
      let (id, account, key): (Int64, Int64, String) = (row[0], row[1], row[4])
      var theirs = self
      theirs.viewer = account
      theirs.now = .init(milliseconds: row[2])
      do {
        try inSavepoint {
          guard let entry: ScheduledEntry = SmallJSON.value(row[3]) else { throw Refusal.notFound }
          try theirs.releaseMedia(ofScheduled: id)
          let status = try theirs.publish(entry)
          if !key.isEmpty { try theirs.remember(status, underKey: key, of: account) }
          try run("DELETE FROM scheduled WHERE id = ?", [id])
        }
      } catch  where error is Refusal || error is MalformedValue {
      }
    }
    // Mark the qwinks that are still due, because they were refused or are malformed. Otherwise each run would try to
    // publish them again.
    try run("UPDATE scheduled SET has_failed = 1 WHERE \(isDue)", [nowInMilliseconds])
  }

  private func publish(_ entry: ScheduledEntry) throws -> Int64 {
    guard let visibility = Visibility(rawValue: entry.visibility) else { throw Refusal.notFound }
    var new = NewStatus(
      account: try me(), source: entry.text, visibility: visibility, warning: entry.warning, language: entry.language,
      isSensitive: entry.isSensitive)
    // If the parent was deleted after the qwink was scheduled, the qwink is posted without a parent.
    new.parent = try visibleTarget(entry.parent).map { ($0.id, $0.account) }
    // A qwink that can no longer quote isn't posted, because without the quote it could mean something else.
    if let quoted = entry.quoted { new.quoted = try quote(String(quoted), in: &new) }
    new.quotePolicy = entry.quotePolicy.flatMap(QuotePolicy.init) ?? .nobody
    new.poll = entry.poll
    new.media = entry.media ?? []
    return try addStatus(new)
  }
}

extension Date {
  /// Milliseconds since 1970.
  var milliseconds: Int64 {
    // A parsed time can be up to a microsecond before its millisecond.
    Int64((timeIntervalSince1970 * 1000 + 0.001).rounded(.down))
  }
}
