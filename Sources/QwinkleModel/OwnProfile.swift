/// The user's profile as they typed it, and their default visibility.
public struct OwnProfile: Hashable, Sendable {
  /// A picture of the profile.
  public enum Picture: String, Hashable, Sendable, CaseIterable {
    case avatar, header

    /// Typed instead of a path to remove the picture. The path of a file with that name is typed as `./none`.
    public static let nothing = "none"
  }

  public var displayName: String
  /// Plain text, not HTML.
  public var note: String
  /// The default visibility set on the server; nil if the server doesn't report it.
  public var usualVisibility: Visibility?
  /// The users who may quote the user's posts by default. Nil if unknown.
  public var usualQuotePolicy: QuotePolicy?

  public init(displayName: String, note: String, usualVisibility: Visibility? = nil) {
    self.displayName = displayName
    self.note = note
    self.usualVisibility = usualVisibility
  }
}
