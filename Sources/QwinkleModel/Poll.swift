public import FoundationEssentials

/// A question with options to choose from.
public struct Poll: Hashable, Sendable, Identifiable {
  public struct Option: Hashable, Sendable {
    public var title: String
    /// Nil while the server hides the votes.
    public var votesCount: Int?

    public init(title: String, votesCount: Int? = nil) {
      self.title = title
      self.votesCount = votesCount
    }
  }

  public var id: Identifier<Poll>
  public var options: [Option]
  public var expiresAt: Date?
  /// Whether the server reports that it has ended; see ``isClosed(at:)``.
  public var isExpired: Bool
  public var allowsSeveral: Bool
  public var votesCount: Int
  /// The number of voters; nil if the server doesn't report it.
  public var votersCount: Int?
  public var hasVoted: Bool
  /// Indices of the options that the user chose.
  public var ownVotes: [Int]

  /// Whether voting has ended. `isExpired` alone isn't enough: servers may be late, and cached polls aren't updated.
  public func isClosed(at now: Date) -> Bool { isExpired || expiresAt.map { $0 <= now } ?? false }

  /// Whether results are shown by default. Before voting, they would sway the user.
  public func showsResults(at now: Date) -> Bool { isClosed(at: now) || hasVoted }

  public init(
    id: Identifier<Poll>, options: [Option], expiresAt: Date? = nil, isExpired: Bool = false,
    allowsSeveral: Bool = false, votesCount: Int = 0, hasVoted: Bool = false, ownVotes: [Int] = []
  ) {
    self.id = id
    self.options = options
    self.expiresAt = expiresAt
    self.isExpired = isExpired
    self.allowsSeveral = allowsSeveral
    self.votesCount = votesCount
    self.hasVoted = hasVoted
    self.ownVotes = ownVotes
  }
}
