import GRDB
import QwinkleModel

/// The bytes that an account uses, as counted by the triggers of ``Schema/usage``.
struct Usage: Hashable, Sendable {
  /// The sizes of its pictures' files.
  var media: Int
  /// The estimated size of its posts and other rows in the database file.
  var text: Int
}

extension Transaction {
  func usage(of account: Int64) throws -> Usage {
    let row = try row("SELECT media_bytes, text_bytes FROM usage WHERE account_id = ?", [account])
    return Usage(media: row?[0] ?? 0, text: row?[1] ?? 0)
  }

  /// Returns the sizes of all accounts' pictures.
  func mediaBytesInAll() throws -> Int {
    try numbers("SELECT value FROM counters WHERE name = 'media_bytes'").first.map { Int($0) } ?? 0
  }

  private var quotas: ServiceQuotas? { service?.quotas }

  /// Runs `work`, which writes for the viewer.
  ///
  /// - Throws: ``Refusal`` if `work` adds text and the viewer has more than the quota then. The caller rolls the
  ///   transaction back.
  func withinTextQuota<Value>(_ work: () throws -> Value) throws -> Value {
    guard let quota = quotas?.text, let viewer else { return try work() }
    let before = try usage(of: viewer).text
    let value = try work()
    let after = try usage(of: viewer).text
    guard after <= quota || after <= before else {
      throw Refusal.invalid(
        "Your posts use \(Counted.bytes(before)) of \(Counted.bytes(quota)) on this server, so this doesn't fit. "
          + "Delete old posts, or ask this host's operator.")
    }
    return value
  }

  /// Checks that an account may add pictures of `bytes` bytes in total. If necessary, deletes pictures of deleted posts
  /// first, which their authors could otherwise post again.
  ///
  /// - Throws: ``Refusal`` if the pictures exceed a quota.
  func makeRoom(forMedia bytes: Int, of account: Int64) throws {
    guard let quotas, bytes > 0 else { return }
    let excess = try usage(of: account).media + bytes - quotas.pictures
    if excess > 0, try deleteWithdrawnMedia(of: account, bytes: excess) < excess {
      throw Refusal.invalid(
        "Your pictures use \(Counted.bytes(try usage(of: account).media)) of \(Counted.bytes(quotas.pictures)) on this "
          + "server, so \(Counted.bytes(bytes)) more don't fit. Delete posts with pictures, or ask this host's operator."
      )
    }
    let excessInAll = try mediaBytesInAll() + bytes - quotas.picturesInAll
    if excessInAll > 0, try deleteWithdrawnMedia(bytes: excessInAll) < excessInAll {
      throw Refusal.invalid(
        "The pictures of all users use \(Counted.bytes(try mediaBytesInAll())) of "
          + "\(Counted.bytes(quotas.picturesInAll)) on this server, so \(Counted.bytes(bytes)) more don't fit. "
          + "Delete posts with pictures, or ask this host's operator.")
    }
  }

  /// Deletes pictures of deleted posts, the oldest first, until `bytes` bytes are free. Returns the bytes freed, which
  /// can be fewer. If `account` is nil, deletes pictures of any account.
  private func deleteWithdrawnMedia(of account: Int64? = nil, bytes: Int) throws -> Int {
    let rows = try rows(
      """
      SELECT id, bytes FROM media WHERE is_withdrawn AND loose_since IS NOT NULL
      AND account_id = coalesce(?, account_id) ORDER BY loose_since, id
      """, [account])
    var freed = 0
    for row in rows where freed < bytes {
      try run("DELETE FROM media WHERE id = ?", [row[0] as Int64])
      freed += row[1]
    }
    if freed > 0 { plan(nowInMilliseconds) }
    return freed
  }
}
