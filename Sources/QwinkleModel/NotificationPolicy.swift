/// The user's rules for notifications about people they may not know, and the number of notifications that these rules
/// hold back.
public struct NotificationPolicy: Hashable, Sendable {
  /// A group of senders or notifications that has its own rule. Raw values are the user-visible names.
  public enum Group: String, CaseIterable, Hashable, Sendable {
    /// Users that the user doesn't follow.
    case notFollowing = "not-following"
    /// Users that don't follow the user.
    case notFollowers = "not-followers"
    /// Accounts younger than 30 days.
    case newAccounts = "new-accounts"
    /// Private mentions that reply to none of the user's.
    case privateMentions = "private-mentions"
    /// Accounts limited by the moderators.
    case limitedAccounts = "limited-accounts"
    /// Automated accounts (Mastodon 4.6).
    case bots
  }

  public enum Treatment: Hashable, Sendable {
    case accept
    /// The notifications aren't listed until the user accepts the sender's request.
    case filter
    /// The notifications are never created.
    case drop
    /// A value that this program doesn't know.
    case other(String)

    /// The values that the user can choose.
    public static let choices: [Treatment] = [.accept, .filter, .drop]

    public init(_ name: String) {
      self = Self.choices.first { $0.name == name } ?? .other(name)
    }

    /// The name in the API and on screens.
    public var name: String {
      switch self {
      case .accept: "accept"
      case .filter: "filter"
      case .drop: "drop"
      case .other(let name): name
      }
    }
  }

  /// The rules. Groups that the server doesn't know are missing.
  public var treatments: [Group: Treatment]
  /// Number of senders whose notifications are held back. Servers count at most 100.
  public var requestsCount: Int
  /// Number of notifications held back.
  public var notificationsCount: Int

  public init(treatments: [Group: Treatment] = [:], requestsCount: Int = 0, notificationsCount: Int = 0) {
    self.treatments = treatments
    self.requestsCount = requestsCount
    self.notificationsCount = notificationsCount
  }

  /// The groups with a rule, in the order in which they are shown.
  public var groups: [Group] { Group.allCases.filter { treatments[$0] != nil } }
}
