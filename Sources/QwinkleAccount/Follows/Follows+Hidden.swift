public import QwinkleModel
import Timekeeping

/// Users hidden from lists: muted, blocked, on a blocked server, or with a mute or block in progress.
extension Follows {
  /// Whether any user or server is hidden.
  public var hidesAnybody: Bool { !people.isEmpty }

  /// Whether the user's posts and boosts are hidden from lists, or, with `inNotifications`, whether their notifications
  /// are hidden. A qwinker in another server's response has a different id and is identified by the full handle.
  public func hides(_ qwinker: Qwinker, inNotifications: Bool = false) -> Bool {
    hidesAnybody && people.state(of: qwinker, at: connection.clock.now, inNotifications: inNotifications) != nil
  }

  /// Returns the state that withholds a quote of a qwinker, or nil if the quote can be shown.
  func stateWithholding(_ qwinker: Qwinker) -> Qwink.Quote.State? {
    hidesAnybody ? people.state(of: qwinker, at: connection.clock.now) : nil
  }

  /// Applies a block of a server, or its removal if `isOn` is false. Call this after the user's server has confirmed
  /// the change.
  public func setBlocked(server: String, isOn: Bool) {
    let host = Qwinker.hostForm(server)
    changes.hosts[host, default: 0] += 1
    people.hosts.set(host, isOn)
    noteBlockedHosts()
    tellHidden()
  }

  /// Updates the known relationships to users of servers that were blocked or unblocked.
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

  /// Merges a page of a list of qwinkers. For the lists of muted and blocked users, also updates the hidden users.
  /// Fetches unknown and outdated relationships.
  public func merge(_ qwinkers: [Qwinker], on list: QwinkerListName) {
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
      case .requesters, .followers, .following, .boosters, .favouriters, .members, .collection: break
      }
    }
    if list == .requesters { noteRequesters(qwinkers.map(\.id)) }
    if !people.isSame(as: before) { tellHidden() }
    loadRelationships(to: qwinkers, evenKnown: outdated)
  }

  /// Whether the user mutes a qwinker. False until the mute has been loaded.
  public func isMuting(_ id: Qwinker.ID) -> Bool { people.isMuting(id, at: connection.clock.now) }

  /// Whether the user blocks a qwinker. False until the block has been loaded.
  public func isBlocking(_ id: Qwinker.ID) -> Bool { people.blocked.contains(id) }

  /// Whether a qwink is hidden from lists because of its author or booster.
  public func hides(_ qwink: Qwink) -> Bool {
    hides(qwink.author) || qwink.booster.map { hides($0) } ?? false
  }

  /// Whether a qwink is hidden from the home timeline because it is a boost by a qwinker whose boosts the user hides.
  func hidesBoost(_ qwink: Qwink) -> Bool {
    qwink.booster.map { people.withoutBoosts.contains($0.id) } ?? false
  }

  /// Hides a qwinker's rows while the request to mute or block them is in progress.
  func presumeHidden(_ qwinker: Qwinker) {
    people.index.insert(qwinker)
    if people.presumed.insert(qwinker.id).inserted { tellHidden() }
  }

  /// Undoes ``presumeHidden(_:)`` after the request. The qwinker stays hidden only if the known relationship is a mute
  /// or block.
  func endPresumption(of id: Qwinker.ID) {
    if people.presumed.remove(id) != nil { tellHidden() }
  }

  /// Updates the hidden users from new relationships.
  func noteHidden(by relationships: [Relationship]) {
    let before = people
    for relationship in relationships {
      let id = relationship.id
      people.muted[id] =
        relationship.isMuting
        ? HiddenPeople.Mute(endsAt: relationship.muteEndsAt, hidesNotifications: relationship.mutesNotifications) : nil
      people.blocked.set(id, relationship.isBlocking)
      people.withoutBoosts.set(id, relationship.hidesBoosts)
      if let host = people.index.host(of: id) { people.hosts.set(host, relationship.isBlockingDomain) }
    }
    guard !people.isSame(as: before) else { return }
    if people.hosts != before.hosts { noteBlockedHosts() }
    tellHidden()
  }

  func tellHidden() { connection.observers.forEach { $0.followsDidChangeHidden(self) } }
}
