/// A poll to be posted with an entry.
public struct EntryPoll: Hashable, Sendable, Codable {
  public var options: [String]
  /// How long it is open.
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
