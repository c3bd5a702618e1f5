/// What I say of myself, as I typed it, and how I usually write.
public struct OwnProfile: Hashable, Sendable {
  public var displayName: String
  /// Plain text, not HTML.
  public var note: String
  /// Who may read what I write unless I say otherwise, as it is set on the server; nil where that does not say.
  public var usualVisibility: Visibility?

  public init(displayName: String, note: String, usualVisibility: Visibility? = nil) {
    self.displayName = displayName
    self.note = note
    self.usualVisibility = usualVisibility
  }
}
