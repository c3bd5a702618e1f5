/// A poll to post with an entry.
public struct EntryPoll: Hashable, Sendable, Codable {
  public var options: [String]
  /// Duration of the poll.
  public var seconds: Int
  public var allowsSeveral: Bool
  /// Whether the server hides the results until the poll ends.
  public var hidesTotals: Bool

  public init(options: [String], seconds: Int, allowsSeveral: Bool = false, hidesTotals: Bool = false) {
    self.options = options
    self.seconds = seconds
    self.allowsSeveral = allowsSeveral
    self.hidesTotals = hidesTotals
  }
}
