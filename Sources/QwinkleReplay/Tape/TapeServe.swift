/// An action that another qwinker (a user of the embedded service) performs during a tape.
public struct TapeServe: Hashable, Sendable {
  /// An action with its arguments. A pattern selects the newest qwink (post) whose text matches, among the newest 40 in
  /// the public timeline.
  public enum Action: Hashable, Sendable {
    /// Posts a text publicly. If `count` is more than 1, posts it `count` times and appends a number to each post.
    case posts(String, count: Int)
    /// Posts a text publicly behind a content warning. The strings are the warning and the text.
    case warns(String, String)
    /// Posts a text publicly with `count` pictures. The strings are the text and the pictures' description.
    case shows(String, String, count: Int, isSensitive: Bool)
    /// Sends a private message to the account that the program uses in the tape.
    case messages(String)
    case follows
    case boosts(TapePattern)
    case favourites(TapePattern)
    case answers(TapePattern, String)
    case quotes(TapePattern, String)
    /// Edits the selected qwink, which must be one of the acting qwinker's own.
    case edits(TapePattern, String)
    /// Changes the note in the acting qwinker's profile.
    case describes(String)
    /// Revokes the program's token for the account named ``TapeServe/qwinker``.
    case revokes

    /// The names of actions in tapes.
    static let words = [
      "posts", "warns", "shows", "veils", "messages", "follows", "boosts", "favourites", "answers", "quotes", "edits",
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
