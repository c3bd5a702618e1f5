/// An action of another qwinker on the embedded service during a tape.
public struct TapeServe: Hashable, Sendable {
  /// A pattern selects the newest qwink whose text matches.
  public enum Action: Hashable, Sendable {
    /// Posts publicly. If `count` is more than 1, each text ends in its number.
    case posts(String, count: Int)
    /// Posts publicly: a warning and a text.
    case warns(String, String)
    /// Posts publicly with a picture: a text and the picture's description.
    case shows(String, String, isSensitive: Bool)
    /// Sends a private message to the account of the tape.
    case messages(String)
    case follows
    case boosts(TapePattern)
    case favourites(TapePattern)
    case answers(TapePattern, String)
    /// Edits one of the acting qwinker's own qwinks.
    case edits(TapePattern, String)
    /// Changes the note in the acting qwinker's profile.
    case describes(String)
    /// Revokes the program's token for the named account of the tape.
    case revokes

    /// The names of actions in tapes.
    static let words = [
      "posts", "warns", "shows", "veils", "messages", "follows", "boosts", "favourites", "answers", "edits",
      "describes", "revokes",
    ]
  }

  /// Name of the acting qwinker, without `@`.
  public var qwinker: String
  public var action: Action

  public init(_ qwinker: String, _ action: Action) {
    self.qwinker = qwinker
    self.action = action
  }
}
