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
    let hasEnded = relationship.muteEndsAt.map { $0 <= connection.clock.now } ?? false
    guard relationship.isMuting, !hasEnded else { return false }
    return !inNotifications || relationship.mutesNotifications
  }

  /// Notes that people are on a list; only those of whom I mute and block matter.
  public func note(_ ids: [Qwinker.ID], on list: QwinkerListName) {
    if list == .muted || list == .blocked { listed[list, default: []].formUnion(ids) }
  }

  /// Whether I mute somebody, as far as is known.
  public func isMuting(_ id: Qwinker.ID) -> Bool {
    relationships[id]?.isMuting ?? listed[.muted]?.contains(id) ?? false
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

  /// Notes whether somebody is left out by a relationship that is new.
  func noteHidden(by relationship: Relationship) {
    let id = relationship.id
    let isHidden = relationship.isMuting || relationship.isBlocking
    guard isHidden != hidden.contains(id) || isHidden else { return }
    if isHidden { hidden.insert(id) } else { hidden.remove(id) }
    tellHidden()
  }

  private func tellHidden() { connection.observers.forEach { $0.followsDidChangeHidden(self) } }
}
