/// What another qwinker does on the embedded service while a tape runs.
public struct TapeServe: Hashable, Sendable {
  /// A pattern picks the newest qwink whose text has it.
  public enum Action: Hashable, Sendable {
    /// Posts for everybody, once or more often: then each has its number behind it.
    case posts(String, count: Int)
    /// Posts for everybody, with a warning before the text.
    case warns(String, String)
    /// Writes privately to whoever the tape is signed in as.
    case messages(String)
    case follows
    case boosts(TapePattern)
    case favourites(TapePattern)
    case answers(TapePattern, String)
    /// Gives one of their own qwinks another text.
    case edits(TapePattern, String)
    /// Tells about themselves.
    case describes(String)

    /// The words for them.
    static let words = [
      "posts", "warns", "messages", "follows", "boosts", "favourites", "answers", "edits", "describes",
    ]
  }

  /// The name of the one who acts, without `@`.
  public var qwinker: String
  public var action: Action

  public init(_ qwinker: String, _ action: Action) {
    self.qwinker = qwinker
    self.action = action
  }
}
