/// Which list of qwinkers.
public enum QwinkerListName: Hashable, Sendable {
  case followers(Qwinker.ID)
  case following(Qwinker.ID)
  /// Who boosted a qwink.
  case boosters(Qwink.ID)
  /// Who made a qwink a favourite.
  case favouriters(Qwink.ID)
}
