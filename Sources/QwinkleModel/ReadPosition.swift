public import FoundationEssentials

/// How far the user has read a list. The server keeps it for all their clients (a marker).
public struct ReadPosition: Hashable, Sendable {
  /// Which list.
  public enum Place: String, Hashable, Sendable, CaseIterable {
    case home, notifications
  }

  public var place: Place
  /// The id of the newest item read.
  public var lastReadID: String
  public var version: Int
  public var updatedAt: Date?

  public init(place: Place, lastReadID: String, version: Int = 0, updatedAt: Date? = nil) {
    self.place = place
    self.lastReadID = lastReadID
    self.version = version
    self.updatedAt = updatedAt
  }
}
