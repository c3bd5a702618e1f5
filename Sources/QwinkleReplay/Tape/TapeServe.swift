/// What another qwinker does on the embedded service while a tape runs.
public struct TapeServe: Hashable, Sendable {
  /// A pattern picks the newest qwink whose text has it.
  public enum Action: Hashable, Sendable {
    /// Posts for everybody.
    case posts(String)
    /// Writes privately to whoever the tape is signed in as.
    case messages(String)
    case follows
    case boosts(TapePattern)
    case favourites(TapePattern)
    case answers(TapePattern, String)

    /// The words for them.
    static let words = ["posts", "messages", "follows", "boosts", "favourites", "answers"]
  }

  /// The name of the one who acts, without `@`.
  public var qwinker: String
  public var action: Action

  public init(_ qwinker: String, _ action: Action) {
    self.qwinker = qwinker
    self.action = action
  }
}
