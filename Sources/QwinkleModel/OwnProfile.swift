/// The user's profile as they typed it, and their defaults for new posts.
public struct OwnProfile: Hashable, Sendable {
  /// A picture of the profile.
  public enum Picture: String, Hashable, Sendable, CaseIterable {
    case avatar, header

    /// Typed instead of a path to remove the picture. The path of a file with that name is typed as `./none`.
    public static let nothing = "none"
  }

  /// A setting that is on or off. Raw values are names of the API.
  public enum Setting: String, Hashable, Sendable, CaseIterable {
    /// The user approves new followers.
    case isLocked = "locked"
    case isBot = "bot"
    /// The profile may be recommended, for example in the server's directory.
    case isDiscoverable = "discoverable"
    /// Everyone may find the user's public posts by searching.
    case isIndexed = "indexable"
    /// Others can't list the user's followers and follows.
    case hidesFollows = "hide_collections"
  }

  /// A line of the profile in plain text.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public var displayName: String
  /// Plain text, not HTML.
  public var note: String
  /// The lines of the profile; nil if the server doesn't report them.
  public var fields: [Field]?
  /// The settings that the server reports.
  public var settings: [Setting: Bool] = [:]
  /// The default visibility set on the server; nil if the server doesn't report it.
  public var usualVisibility: Visibility?
  /// The users who may quote the user's posts by default. Nil if unknown.
  public var usualQuotePolicy: QuotePolicy?
  /// Whether new posts are marked as sensitive by default; nil if the server doesn't report it.
  public var isUsuallySensitive: Bool?
  /// The default language of posts, or an empty string; nil if the server doesn't report it.
  public var usualLanguage: String?

  public init(displayName: String, note: String, usualVisibility: Visibility? = nil) {
    self.displayName = displayName
    self.note = note
    self.usualVisibility = usualVisibility
  }
}
