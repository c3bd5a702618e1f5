public import QwinkleModel
import Timekeeping

/// People whose rows lists leave out: they are muted or blocked, or are just being so.
extension Follows {
  /// Whether there is anybody to leave out.
  public var hidesAnybody: Bool { !people.isEmpty }

  /// Whether lists leave out what a qwinker writes and boosts; `inNotifications`: whether notifications do. A qwinker
  /// in another server's answer has another id, and is recognised by their full handle.
  public func hides(_ qwinker: Qwinker, inNotifications: Bool = false) -> Bool {
    hidesAnybody && people.state(of: qwinker, at: connection.clock.now, inNotifications: inNotifications) != nil
  }

  /// Returns the state that withholds a quote of a qwinker; nil if nothing withholds it.
  func stateWithholding(_ qwinker: Qwinker) -> Qwink.Quote.State? {
    hidesAnybody ? people.state(of: qwinker, at: connection.clock.now) : nil
  }

  /// The user has blocked a server, or has unblocked it if `isOn` is false.
  public func setBlocked(server: String, isOn: Bool) {
    let host = Qwinker.hostForm(server)
    changes.hosts[host, default: 0] += 1
    people.hosts.set(host, isOn)
    noteBlockedHosts()
    tellHidden()
  }

  /// Updates the known relationships to users of the servers that are blocked, or not any more.
  func noteBlockedHosts() {
    for var relationship in relationships.values {
      guard let host = people.index.host(of: relationship.id) else { continue }
      let isOn = people.hosts.contains(host)
      guard relationship.isBlockingDomain != isOn else { continue }
      relationship.isBlockingDomain = isOn
      relationships[relationship.id] = relationship
      connection.observers.forEach { $0.follows(self, didChange: relationship) }
    }
  }

  /// Takes in a page of a list of people: whom I mute or block, if it is a list of those. Asks for unknown
  /// relationships.
  public func takeIn(_ qwinkers: [Qwinker], on list: QwinkerListName) {
    var outdated: Set<Qwinker.ID> = []
    let before = people
    for qwinker in qwinkers {
      let id = qwinker.id
      let isKnown = relationships[id] != nil
      switch list {
      case .muted where !isKnown:
        people.muted[id] = HiddenPeople.Mute(endsAt: qwinker.muteEndsAt, hidesNotifications: false)
      case .muted: if !isMuting(id) { outdated.insert(id) }
      case .blocked where !isKnown: people.blocked.insert(id)
      case .blocked: if !isBlocking(id) { outdated.insert(id) }
      case .requesters, .followers, .following, .boosters, .favouriters, .members: break
      }
    }
    if list == .requesters { noteRequesters(qwinkers.map(\.id)) }
    if !people.isSame(as: before) { tellHidden() }
    loadRelationships(to: qwinkers, evenKnown: outdated)
  }

  /// Whether I mute somebody, as far as is known.
  public func isMuting(_ id: Qwinker.ID) -> Bool { people.isMuting(id, at: connection.clock.now) }

  /// Whether I block somebody, as far as is known.
  public func isBlocking(_ id: Qwinker.ID) -> Bool { people.blocked.contains(id) }

  /// Whether lists leave out a qwink, for its author or who boosted it.
  public func hides(_ qwink: Qwink) -> Bool {
    hides(qwink.author) || qwink.booster.map { hides($0) } ?? false
  }

  /// Somebody is being muted or blocked: their rows go before the server has answered.
  func presumeHidden(_ qwinker: Qwinker) {
    people.index.insert(qwinker)
    if people.presumed.insert(qwinker.id).inserted { tellHidden() }
  }

  /// The server has answered, or failed: the relationship tells.
  func endPresumption(of id: Qwinker.ID) {
    if people.presumed.remove(id) != nil { tellHidden() }
  }

  /// Notes who is left out by relationships that are new.
  func noteHidden(by relationships: [Relationship]) {
    let before = people
    for relationship in relationships {
      let id = relationship.id
      people.muted[id] =
        relationship.isMuting
        ? HiddenPeople.Mute(endsAt: relationship.muteEndsAt, hidesNotifications: relationship.mutesNotifications) : nil
      people.blocked.set(id, relationship.isBlocking)
      if let host = people.index.host(of: id) { people.hosts.set(host, relationship.isBlockingDomain) }
    }
    guard !people.isSame(as: before) else { return }
    if people.hosts != before.hosts { noteBlockedHosts() }
    tellHidden()
  }

  func tellHidden() { connection.observers.forEach { $0.followsDidChangeHidden(self) } }
}
