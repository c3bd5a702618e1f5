public import QwinkleModel
import Timekeeping

/// People whose rows lists leave out: they are muted or blocked, or are just being so.
extension Follows {
  /// Whether there is anybody to leave out.
  public var hidesAnybody: Bool { !hidden.isEmpty || !presumedHidden.isEmpty }

  /// Whether lists leave out what somebody writes and boosts; `inNotifications`: whether notifications do.
  public func hides(_ id: Qwinker.ID, inNotifications: Bool = false) -> Bool {
    if presumedHidden.contains(id) { return true }
    guard hidden.contains(id), let relationship = relationships[id] else { return false }
    if relationship.isBlocking { return true }
    guard relationship.isMuting, !hasEnded(relationship) else { return false }
    return !inNotifications || relationship.mutesNotifications
  }

  private func hasEnded(_ mute: Relationship) -> Bool { mute.muteEndsAt.map { $0 <= connection.clock.now } ?? false }

  /// Takes in a page of a list of people: whom I mute or block, if it is a list of those. Asks for unknown
  /// relationships.
  public func takeIn(_ ids: [Qwinker.ID], on list: QwinkerListName, isFirstPage: Bool) {
    var outdated: Set<Qwinker.ID> = []
    switch list {
    case .muted: outdated = Set(ids.filter { relationships[$0] != nil && !isMuting($0) })
    case .blocked: outdated = Set(ids.filter { relationships[$0] != nil && !isBlocking($0) })
    case .requesters: noteRequesters(ids)
    case .followers, .following, .boosters, .favouriters, .members: break
    }
    if list == .muted || list == .blocked { listed[list] = (isFirstPage ? [] : listed[list] ?? []).union(ids) }
    loadRelationships(to: ids, evenKnown: outdated)
  }

  /// Whether I mute somebody, as far as is known.
  public func isMuting(_ id: Qwinker.ID) -> Bool {
    guard let relationship = relationships[id] else { return listed[.muted]?.contains(id) ?? false }
    return relationship.isMuting && !hasEnded(relationship)
  }

  /// Whether I block somebody, as far as is known.
  public func isBlocking(_ id: Qwinker.ID) -> Bool {
    relationships[id]?.isBlocking ?? listed[.blocked]?.contains(id) ?? false
  }

  /// Everybody whose rows lists leave out.
  var allHidden: Set<Qwinker.ID> { hidden.union(presumedHidden).filter { hides($0) } }

  /// Whether lists leave out a qwink, for its author or who boosted it.
  public func hides(_ qwink: Qwink) -> Bool {
    hidesAnybody && (hides(qwink.author.id) || qwink.booster.map { hides($0.id) } ?? false)
  }

  /// Somebody is being muted or blocked: their rows go before the server has answered.
  func presumeHidden(_ id: Qwinker.ID) {
    if presumedHidden.insert(id).inserted { tellHidden() }
  }

  /// The server has answered, or failed: the relationship tells.
  func endPresumption(of id: Qwinker.ID) {
    if presumedHidden.remove(id) != nil { tellHidden() }
  }

  /// Notes who is left out by relationships that are new.
  func noteHidden(by relationships: [Relationship]) {
    var isChanged = false
    for relationship in relationships {
      let id = relationship.id
      let isHidden = relationship.isMuting || relationship.isBlocking
      guard isHidden != hidden.contains(id) || isHidden else { continue }
      if isHidden { hidden.insert(id) } else { hidden.remove(id) }
      isChanged = true
    }
    if isChanged { tellHidden() }
  }

  private func tellHidden() { connection.observers.forEach { $0.followsDidChangeHidden(self) } }
}
