/// The user's profile as they typed it, and the visibility they usually post at.
public struct OwnProfile: Hashable, Sendable {
  /// A picture of the profile.
  public enum Picture: String, Hashable, Sendable, CaseIterable {
    case avatar, header

    /// What is typed instead of a path to have no picture. A file of that name is `./none`.
    public static let nothing = "none"
  }

  public var displayName: String
  /// Plain text, not HTML.
  public var note: String
  /// The default visibility set on the server; nil if the server doesn't say.
  public var usualVisibility: Visibility?

  public init(displayName: String, note: String, usualVisibility: Visibility? = nil) {
    self.displayName = displayName
    self.note = note
    self.usualVisibility = usualVisibility
  }
}
