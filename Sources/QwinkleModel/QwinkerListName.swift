/// Names a list of qwinkers.
public enum QwinkerListName: Hashable, Sendable {
  case followers(Qwinker.ID)
  case following(Qwinker.ID)
  /// Who boosted a qwink.
  case boosters(Qwink.ID)
  /// Who favourited a qwink.
  case favouriters(Qwink.ID)
  /// Who asks to follow the user.
  case requesters
  case blocked
  case muted
  /// Who is on one of the user's lists.
  case members(PersonalList.ID)
}
