import LibC
import QwinkleModel

/// The space on the disk of a folder, in bytes.
struct DiskSpace: Hashable, Sendable {
  /// Returns the space on the disk of a path, or nil if it isn't known.
  typealias Reading = @Sendable (_ path: String) -> DiskSpace?

  /// The bytes that this process can still write.
  var free: Int
  var total: Int

  private static let mostReserved = 200 << 20
  static let reserveWords = "5 %, at most \(Counted.bytes(mostReserved))"

  /// The bytes that pictures leave free, so that posts can still be saved.
  var reserve: Int { min(Self.mostReserved, total / 20) }

  func hasRoom(forPicture bytes: Int) -> Bool { free - bytes >= reserve }

  /// Returns the space on the disk of `path`. If the folder doesn't exist yet, its nearest parent decides.
  static func read(_ path: String) -> DiskSpace? {
    var path = path
    var facts = statvfs()
    while statvfs(path, &facts) != 0 {
      guard errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex else { return nil }
      path = String(path[..<end])
    }
    func bytes(_ blocks: some BinaryInteger) -> Int {
      Int(clamping: UInt64(blocks).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
    }
    return DiskSpace(free: bytes(facts.f_bavail), total: bytes(facts.f_blocks))
  }
}
