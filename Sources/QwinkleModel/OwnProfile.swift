/// What I say of myself, as I typed it.
public struct OwnProfile: Hashable, Sendable {
  public var displayName: String
  /// Plain text, not HTML.
  public var note: String

  public init(displayName: String, note: String) {
    self.displayName = displayName
    self.note = note
  }
}
