/// A list of accounts on a server.
public enum QwinkerListName: Hashable, Sendable {
  case followers(Qwinker.ID)
  case following(Qwinker.ID)
  /// Accounts that boosted a qwink.
  case boosters(Qwink.ID)
  /// Accounts that favourited a qwink.
  case favouriters(Qwink.ID)
  /// Accounts with a pending request to follow the user.
  case requesters
  case blocked
  case muted
  /// Members of one of the user's lists.
  case members(PersonalList.ID)
  /// Accounts in a public collection. The title is empty if unknown.
  case collection(QwinkerCollection.ID, title: String)
}
