public import QwinkleModel
import QwinkleService

/// Who I am and what the server can do.
@MainActor
public final class Identity {
  /// The signed-in user, once known.
  public private(set) var me: Qwinker?
  public private(set) var serverInfo: ServerInfo?
  /// The default visibility of my posts, set on the server; nil if unknown.
  public private(set) var usualVisibility: Visibility?

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
      if case .success(let info) = result {
        serverInfo = info
        tellChange()
      }
      if case .failure(.transport) = result { isAsking = false } else { identifyMe() }
    }
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
      usualVisibility = account.usualVisibility ?? usualVisibility
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
