import Databases
import Foundation
import GRDB
import QwinkleModel

/// Methods for the items of the outbox: all rows that aren't drafts.
extension OutgoingDatabase {
  /// Claims all unclaimed items.
  func takeItems() throws(StoreError) -> OutgoingStore.Items {
    let rows = try read { try Row.fetchAll($0, sql: "SELECT id, holder, revision FROM entry WHERE state <> 'draft'") }
    let isNews = rows.contains { row in
      guard let id: String = try? row.value("id") else { return false }
      return revisions[id] != (try? row.value("revision"))
    }
    // If no revision is new, this program has already claimed all items.
    guard isNews else { return OutgoingStore.Items() }
    var taken: [String: Int] = [:]
    let items = try write { database in
      var items = OutgoingStore.Items()
      let rows = try Row.fetchAll(database, sql: "SELECT * FROM entry WHERE state <> 'draft' ORDER BY position, number")
      for row in rows {
        // Skips damaged rows.
        guard var item = OutboxItem(row), let claim = try? OutgoingClaim(row) else { continue }
        if isFree(item.id, holder: claim.holder) {
          taken[item.id] = try take(item.id, at: claim.revision, from: database)
          items.taken.append(item)
        } else if claim.holder != holder.id {
          item.isElsewhere = true
          items.elsewhere.append(item)
        }
      }
      return items
    }
    revisions.merge(taken) { $1 }
    return items
  }

  /// Saves and claims an item, and removes `other` in the same transaction. Returns the item with its position. Returns
  /// nil and changes nothing if another program has claimed or changed the item.
  func keep(_ item: OutboxItem, insteadOf other: String? = nil, at date: Date) throws(StoreError) -> OutboxItem? {
    let row = OutgoingRow(item)
    let known = revisions[item.id]
    let position = try write { database -> Int? in
      if let known {
        guard try Self.update(row, heldBy: holder.id, at: known, on: date, in: database) else { return nil }
      } else {
        guard try !Self.hasRow(item.id, in: database) else { return nil }
        try Self.insert(row, holder: holder.id, at: date, into: database)
      }
      if let other { try remove(other, from: database) }
      return try Self.position(of: item.id, in: database)
    }
    guard let position else {
      revisions[item.id] = nil
      return nil
    }
    if let other { revisions[other] = nil }
    revisions[item.id] = (known ?? 0) + 1
    var item = item
    item.position = position
    return item
  }

  /// Saves and claims new items, and removes the draft `other`, in one transaction. Returns the items with their
  /// positions.
  func keep(all items: [OutboxItem], insteadOf other: String?, at date: Date) throws(StoreError) -> [OutboxItem] {
    let positions = try write { database in
      let positions = try items.map { item in
        try Self.insert(OutgoingRow(item), holder: holder.id, at: date, into: database)
        return try Self.position(of: item.id, in: database) ?? 0
      }
      if let other { try remove(other, from: database) }
      return positions
    }
    if let other { revisions[other] = nil }
    return zip(items, positions).map { item, position in
      revisions[item.id] = 1
      var item = item
      item.position = position
      return item
    }
  }

  private static func position(of id: String, in database: Database) throws -> Int? {
    try Int.fetchOne(database.cachedStatement(sql: "SELECT position FROM entry WHERE id = ?"), arguments: [id])
  }

  /// Saves an item that the caller has marked as being sent, unless another item must be sent first or another program
  /// has claimed the item. Returns whether the item may be sent.
  func begin(_ item: OutboxItem, at date: Date) throws(StoreError) -> OutgoingStore.Begun {
    let known = revisions[item.id]
    let begun = try write { database -> OutgoingStore.Begun in
      if let first = item.waitsFor { return try Self.hasRow(first, in: database) ? .mustWait : .isOrphan }
      let statement = try database.cachedStatement(
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM entry WHERE thread = ? AND id <> ?
              AND (state = 'sending' OR (position < ? AND held = 0 AND state IN ('queued', 'uncertain')
                AND NOT (? AND kind = 'edit'))))
          """)
      let mustWait = try Bool.fetchOne(
        statement, arguments: [item.thread, item.id, item.position, item.kind == .delete])
      guard mustWait != true else { return .mustWait }
      guard let known, try Self.update(OutgoingRow(item), heldBy: holder.id, at: known, on: date, in: database) else {
        return .isElsewhere
      }
      return .mayGo
    }
    switch begun {
    case .mayGo: revisions[item.id] = (known ?? 0) + 1
    case .isElsewhere: revisions[item.id] = nil
    case .mustWait, .isOrphan: break
    }
    return begun
  }

  /// Removes an item that has arrived at the server as `qwink`, and makes `qwink` the parent of queued replies to the
  /// item. One transaction does both, so that nothing is lost if the program is killed. If `qwink` is already recorded
  /// as the result of another item, changes nothing and returns false. Otherwise, if another program has claimed the
  /// item, changes nothing and returns true.
  func remove(_ id: String, arrivedAs qwink: String, at date: Date) throws(StoreError) -> Bool {
    var changed: [String: Int] = [:]
    let isMine = try write { database in
      let statement = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM arrived WHERE qwink = ?)")
      let isTaken = try Bool.fetchOne(statement, arguments: [qwink])
      guard isTaken != true else { return false }
      try remove(id, from: database)
      // The row still exists only if another program has claimed it. That program will record the arrival and update
      // the replies.
      guard try !Self.hasRow(id, in: database) else { return true }
      try Self.noteArrived(qwink, at: date, in: database)
      let replies = try database.cachedStatement(sql: "SELECT * FROM entry WHERE waits_for = ?")
      for row in try Row.fetchAll(replies, arguments: [id]) {
        guard var item = OutboxItem(row), let claim = try? OutgoingClaim(row) else { continue }
        item.reply(to: Qwink.ID(qwink))
        if try Self.update(OutgoingRow(item), heldBy: claim.holder, at: claim.revision, on: date, in: database) {
          changed[item.id] = claim.revision + 1
        }
      }
      return true
    }
    guard isMine else { return false }
    revisions[id] = nil
    for (id, revision) in changed where revisions[id] == revision - 1 { revisions[id] = revision }
    return true
  }
}
