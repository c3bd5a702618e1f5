public import FoundationEssentials

/// The user's read position in a list (a marker). The server stores it for all of the user's clients.
public struct ReadPosition: Hashable, Sendable {
  /// The list of a marker.
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
