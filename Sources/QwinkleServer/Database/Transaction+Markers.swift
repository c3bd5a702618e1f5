import FoundationEssentials
import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  /// Returns the viewer's read positions in these timelines, if stored.
  func readPositions(_ places: some Sequence<ReadPosition.Place>) throws -> [ReadPosition] {
    try places.compactMap { place in
      try row(
        "SELECT last_read_id, version, updated_at FROM markers WHERE account_id = ? AND place = ?",
        [me(), place.rawValue]
      ).map {
        ReadPosition(
          place: place, lastReadID: String($0[0] as Int64), version: $0[1], updatedAt: .init(milliseconds: $0[2]))
      }
    }
  }

  /// Stores the viewer's read position in a timeline.
  ///
  /// - Parameter version: The version to replace; nil to replace any version. Throws a conflict if the stored version
  ///   is a different one.
  func setReadPosition(_ place: ReadPosition.Place, to lastRead: Int64, replacing version: Int?) throws {
    if let version, try readPositions([place]).first?.version ?? 0 != version {
      throw Refusal(status: .conflict, message: "Another client changed the position. Fetch it, then try again.")
    }
    try run(
      """
      INSERT INTO markers (account_id, place, last_read_id, version, updated_at) VALUES (?, ?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET last_read_id = excluded.last_read_id, version = version + 1,
        updated_at = excluded.updated_at
      """, [me(), place.rawValue, lastRead, nowInMilliseconds])
  }
}
