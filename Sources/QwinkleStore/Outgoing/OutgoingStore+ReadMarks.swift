import Databases
import Foundation
import GRDB
public import QwinkleModel

/// Saves and loads read marks: the user's read positions in lists.
extension OutgoingStore {
  /// Reports all read marks, including ones saved by other programs. Empty if nothing was ever saved.
  public func readMarks(done: @escaping @MainActor @Sendable ([ReadList: ReadMark]) -> Void) {
    guard exists else { return done([:]) }
    run("loading read positions") { file throws(StoreError) in
      try file.database().readMarks()
    } then: { result in
      done((try? result.get()) ?? [:])
    }
  }

  /// Saves read marks, unless another program has saved newer ones. Reports false if saving fails. Marks of the lists
  /// in `adopted` weren't set by the reader here, so they may lack skipped rows (unread rows below the mark). If the
  /// saved mark of such a list is at the same row, the saved skipped rows stay.
  public func keep(
    _ marks: [ReadList: ReadMark], adopted: Set<ReadList> = [], done: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    run("saving read positions") { file throws(StoreError) in
      try file.database().keep(marks, adopted: adopted)
    } then: { result in
      if case .success = result { done(true) } else { done(false) }
    }
  }
}

extension OutgoingDatabase {
  /// Returns all read marks by list.
  func readMarks() throws(StoreError) -> [ReadList: ReadMark] {
    try write { database in
      let rows = try Row.fetchAll(database, sql: "SELECT list, id, booster, created, read, skipped FROM read_mark")
      return Dictionary(
        // A damaged row loses only its own mark.
        rows.compactMap { row in try? ReadList(key: try row.value("list")).map { ($0, try Self.mark(row)) } }
      ) { first, _ in first }
    }
  }

  /// Saves read marks. A saved mark is replaced by a newer mark or a mark at the same row. If two marks can't be
  /// compared, the later read time decides, and the saved mark is replaced if a read time is unknown.
  func keep(_ marks: [ReadList: ReadMark], adopted: Set<ReadList>) throws(StoreError) {
    try write { database in
      for (list, mark) in marks {
        let row = try Row.fetchOne(
          database, sql: "SELECT id, booster, created, read, skipped FROM read_mark WHERE list = ?",
          arguments: [list.key])
        let saved = row.flatMap { try? Self.mark($0) }
        if let saved, !Self.mayReplace(saved, by: mark) { continue }
        let isSavedMarkAdopted = adopted.contains(list) && saved?.isSameRow(as: mark) == true
        let skipped = isSavedMarkAdopted ? saved?.skipped ?? [] : mark.skipped
        try database.execute(
          sql: "INSERT OR REPLACE INTO read_mark (list, id, booster, created, read, skipped) VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [
            list.key, mark.id, mark.booster, mark.createdAt?.timeIntervalSince1970, mark.readAt?.timeIntervalSince1970,
            Self.text(of: skipped),
          ])
      }
    }
  }

  private static func mayReplace(_ saved: ReadMark, by mark: ReadMark) -> Bool {
    if mark.isSameRow(as: saved) { return true }
    if let isNewer = mark.isNewer(than: saved) { return isNewer }
    guard let readAt = mark.readAt, let savedAt = saved.readAt else { return true }
    return readAt >= savedAt
  }

  private static func mark(_ row: Row) throws -> ReadMark {
    func date(_ column: String) throws -> Date? {
      (try row.value(column) as Double?).map { Date(timeIntervalSince1970: $0) }
    }
    return ReadMark(
      id: try row.value("id"), booster: try row.value("booster"), createdAt: try date("created"),
      readAt: try date("read"), skipped: skippedRows(try row.value("skipped") ?? ""))
  }

  /// Encodes each skipped row as a line of id, booster, and time in seconds since 1970, separated by tabs. Omits rows
  /// that contain tabs or line breaks. Nil if no rows remain.
  private static func text(of rows: [SkippedRow]) -> String? {
    let lines = rows.map { row in
      [row.id, row.booster ?? "", row.createdAt.map { "\($0.timeIntervalSince1970)" } ?? ""]
    }
    let safe = lines.filter { line in line.allSatisfy { !$0.contains { $0 == "\t" || $0.isNewline } } }
    return safe.isEmpty ? nil : safe.map { $0.joined(separator: "\t") }.joined(separator: "\n")
  }

  private static func skippedRows(_ text: String) -> [SkippedRow] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, !parts[0].isEmpty else { return nil }
      return SkippedRow(
        id: parts[0], booster: parts[1].isEmpty ? nil : parts[1],
        createdAt: Double(parts[2]).map { Date(timeIntervalSince1970: $0) })
    }
  }
}
