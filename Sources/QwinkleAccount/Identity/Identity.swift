public import QwinkleModel
import QwinkleService

/// Who I am and what the server can do.
@MainActor
public final class Identity {
  /// The signed-in user, once known.
  public private(set) var me: Qwinker?
  public private(set) var serverInfo: ServerInfo?
  /// The server's rules; nil if they aren't known.
  public var rules: [ServerRule]? { serverInfo?.rules }
  /// As the server says.
  private var serverVisibility: Visibility?
  /// The shortcodes of the server's own emoji; nil if they have not been fetched.
  public var emoji: [String]?
  /// The visibility that the user chose for new posts on this machine; nil: the server's.
  public var chosenVisibility: Visibility?
  /// The language that the user chose for new posts; nil: the server decides.
  public var chosenLanguage: String?

  /// The default visibility of my posts; nil if unknown.
  public var usualVisibility: Visibility? { chosenVisibility ?? serverVisibility }

  /// Whether the server isn't known to have no emoji of its own.
  public var hasEmoji: Bool { emoji?.isEmpty != true && connection.abilities[.serverEmoji] != false }

  private let connection: AccountConnection
  private var isAsking = false

  init(_ connection: AccountConnection) {
    self.connection = connection
  }

  /// Whether the server has said all of this.
  var isKnown: Bool { serverInfo != nil && (me != nil || !connection.isSignedIn) }

  /// Asks what the server is, then who I am. After a failure, the next refreshed timeline asks again.
  public func identify() {
    guard !isAsking else { return }
    isAsking = true
    connection.ask(.serverInfo) { [weak self] result in
      guard let self else { return }
      if case .success(let info) = result { takeIn(info) }
      if case .failure(.transport) = result { isAsking = false } else { identifyMe() }
    }
  }

  /// Takes in what the server says of itself, and tells observers.
  public func takeIn(_ info: ServerInfo) {
    guard info != serverInfo else { return }
    serverInfo = info
    for ability in info.limits.lacking { connection.abilities.note(ability, false) }
    tellChange()
  }

  private func identifyMe() {
    guard connection.isSignedIn else {
      isAsking = false
      return
    }
    connection.ask(.ownAccount) { [weak self] result in
      guard let self else { return }
      isAsking = false
      guard case .success(let account) = result else { return }
      me = account.qwinker
      serverVisibility = account.usualVisibility ?? serverVisibility
      tellChange()
    }
  }

  /// Replaces the signed-in user by their newer state, and tells observers.
  public func setMe(_ qwinker: Qwinker) {
    me = qwinker
    tellChange()
  }

  private func tellChange() { connection.observers.forEach { $0.identityDidChange(self) } }
}
