public import QwinkleModel
import Timekeeping

/// People whose rows lists leave out: they are muted or blocked, or are just being so.
extension Follows {
  /// Whether there is anybody to leave out.
  public var hidesAnybody: Bool { !hidden.isEmpty || !presumedHidden.isEmpty || !blockedHosts.isEmpty }

  /// Whether lists leave out what a qwinker writes and boosts; `inNotifications`: whether notifications do. A qwinker
  /// in another server's answer has another id, and is recognised by their full handle.
  public func hides(_ qwinker: Qwinker, inNotifications: Bool = false) -> Bool {
    if blocksServer(of: qwinker) { return true }
    guard qwinker.isElsewhere else { return hides(qwinker.id, inNotifications: inNotifications) }
    return handles.ids(of: qwinker).contains { hides($0) || isMuting($0) || isBlocking($0) }
  }

  private func blocksServer(of qwinker: Qwinker) -> Bool {
    !blockedHosts.isEmpty && !blockedHosts.isDisjoint(with: handles.hosts(of: qwinker))
  }

  /// Returns the state that withholds a quote of a qwinker; nil if nothing withholds it.
  func stateWithholding(_ qwinker: Qwinker) -> Qwink.Quote.State? {
    guard hides(qwinker) else { return nil }
    if blocksServer(of: qwinker) { return .blockedDomain }
    let ids = qwinker.isElsewhere ? handles.ids(of: qwinker) : [qwinker.id]
    return ids.contains(where: isBlocking) ? .blockedAccount : .mutedAccount
  }

  /// The user has blocked a server, or blocks it no longer.
  public func noteServer(_ host: String, isBlocked: Bool) {
    let host = Qwinker.hostForm(host)
    if isBlocked { blockedHosts.insert(host) } else { blockedHosts.remove(host) }
    // A later answer about one of its qwinkers starts from what is known of them.
    for id in relationships.keys where handles.hosts(of: id).contains(host) {
      relationships[id]?.isBlockingDomain = isBlocked
    }
    tellHidden()
  }

  private func hides(_ id: Qwinker.ID, inNotifications: Bool = false) -> Bool {
    if presumedHidden.contains(id) { return true }
    guard hidden.contains(id), let relationship = relationships[id] else { return false }
    if relationship.isBlocking { return true }
    guard relationship.isMuting, !hasEnded(relationship) else { return false }
    return !inNotifications || relationship.mutesNotifications
  }

  private func hasEnded(_ mute: Relationship) -> Bool { mute.muteEndsAt.map { $0 <= connection.clock.now } ?? false }

  /// Takes in a page of a list of people: whom I mute or block, if it is a list of those. Asks for unknown
  /// relationships.
  public func takeIn(_ qwinkers: [Qwinker], on list: QwinkerListName, isFirstPage: Bool) {
    let ids = qwinkers.map(\.id)
    var outdated: Set<Qwinker.ID> = []
    switch list {
    case .muted: outdated = Set(ids.filter { relationships[$0] != nil && !isMuting($0) })
    case .blocked: outdated = Set(ids.filter { relationships[$0] != nil && !isBlocking($0) })
    case .requesters: noteRequesters(ids)
    case .followers, .following, .boosters, .favouriters, .members: break
    }
    if list == .muted || list == .blocked { listed[list] = (isFirstPage ? [] : listed[list] ?? []).union(ids) }
    loadRelationships(to: qwinkers, evenKnown: outdated)
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
    hides(qwink.author) || qwink.booster.map { hides($0) } ?? false
  }

  /// Somebody is being muted or blocked: their rows go before the server has answered.
  func presumeHidden(_ qwinker: Qwinker) {
    handles.insert(qwinker)
    if presumedHidden.insert(qwinker.id).inserted { tellHidden() }
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
      if relationship.isBlockingDomain {
        for host in handles.hosts(of: id) where blockedHosts.insert(host).inserted { isChanged = true }
      }
      let isHidden = relationship.isMuting || relationship.isBlocking
      let isListed = [QwinkerListName.muted, .blocked].contains { listed[$0]?.contains(id) ?? false }
      guard isHidden || isListed || hidden.contains(id) else { continue }
      if isHidden { hidden.insert(id) } else { hidden.remove(id) }
      isChanged = true
    }
    if isChanged { tellHidden() }
  }

  func tellHidden() { connection.observers.forEach { $0.followsDidChangeHidden(self) } }
}
