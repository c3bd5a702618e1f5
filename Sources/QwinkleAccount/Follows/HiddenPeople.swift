import FoundationEssentials
import QwinkleModel

/// The qwinkers known to be hidden: muted, blocked, or on a blocked server.
struct HiddenPeople: Sendable {
  struct Mute: Hashable, Sendable {
    /// Nil if the mute doesn't end or the server doesn't report its end.
    var endsAt: Date?
    var hidesNotifications: Bool
  }

  /// Handles that identify qwinkers in other servers' responses.
  var index: HandleIndex
  var muted: [Qwinker.ID: Mute] = [:]
  var blocked: Set<Qwinker.ID> = []
  /// Qwinkers with a mute or block in progress.
  var presumed: Set<Qwinker.ID> = []
  /// Followed qwinkers whose boosts are hidden.
  var withoutBoosts: Set<Qwinker.ID> = []
  /// Blocked servers; see ``Qwinker/hostForm(_:)``.
  var hosts: Set<String> = []

  /// Creates an empty set for the server at this address.
  init(serverURL: String) { index = HandleIndex(serverURL: serverURL) }

  var isEmpty: Bool {
    muted.isEmpty && blocked.isEmpty && presumed.isEmpty && hosts.isEmpty && withoutBoosts.isEmpty
  }

  /// Whether the same qwinkers are hidden.
  func isSame(as other: HiddenPeople) -> Bool {
    muted == other.muted && blocked == other.blocked && presumed == other.presumed && hosts == other.hosts
      && withoutBoosts == other.withoutBoosts
  }

  func isMuting(_ id: Qwinker.ID, at now: Date) -> Bool {
    muted[id].map { mute in mute.endsAt.map { $0 > now } ?? true } ?? false
  }

  /// Returns the state that withholds a quote of a qwinker, or nil if the qwinker isn't hidden. With `inNotifications`,
  /// ignores mutes that don't apply to notifications.
  func state(of qwinker: Qwinker, at now: Date, inNotifications: Bool = false) -> Qwink.Quote.State? {
    if let host = qwinker.handleHost, hosts.contains(host) { return .blockedDomain }
    let ids = index.ids(of: qwinker)
    if !ids.isDisjoint(with: blocked) { return .blockedAccount }
    if !ids.isDisjoint(with: presumed) { return .mutedAccount }
    let isMuted = ids.contains { id in
      isMuting(id, at: now) && (!inNotifications || muted[id]?.hidesNotifications == true)
    }
    return isMuted ? .mutedAccount : nil
  }
}
