import FoundationEssentials
import QwinkleModel

/// The qwinkers whom the user hides, as far as is known: muted, blocked, or on a blocked server.
struct HiddenPeople: Sendable {
  struct Mute: Hashable, Sendable {
    /// Nil if the mute doesn't end, or if the server doesn't say.
    var endsAt: Date?
    var hidesNotifications: Bool
  }

  /// The handles of qwinkers, by which they are recognized in other servers' answers.
  var index: HandleIndex
  var muted: [Qwinker.ID: Mute] = [:]
  var blocked: Set<Qwinker.ID> = []
  /// Qwinkers with a mute or block in progress.
  var presumed: Set<Qwinker.ID> = []
  /// Blocked servers; see ``Qwinker/hostForm(_:)``.
  var hosts: Set<String> = []

  /// Nobody, for the server with this address.
  init(serverURL: String) { index = HandleIndex(serverURL: serverURL) }

  var isEmpty: Bool { muted.isEmpty && blocked.isEmpty && presumed.isEmpty && hosts.isEmpty }

  /// Whether the same qwinkers are hidden.
  func isSame(as other: HiddenPeople) -> Bool {
    muted == other.muted && blocked == other.blocked && presumed == other.presumed && hosts == other.hosts
  }

  func isMuting(_ id: Qwinker.ID, at now: Date) -> Bool {
    muted[id].map { mute in mute.endsAt.map { $0 > now } ?? true } ?? false
  }

  /// Returns the state that withholds a quote of a qwinker; nil if the user doesn't hide the qwinker.
  /// `inNotifications`: whether it is about notifications, which a mute may leave alone.
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
