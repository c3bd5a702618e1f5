public import QwinkleModel
import QwinkleService

/// Who I am and what the server can do.
@MainActor
public final class Identity {
  /// Who is signed in, once the server has said so.
  public private(set) var me: Qwinker?
  public private(set) var serverInfo: ServerInfo?
  /// Who may read what I write unless I say otherwise, as it is set on the server; nil: that is not known.
  public private(set) var usualVisibility: Visibility?

  private let connection: AccountConnection
  private var isAsking = false

  init(_ connection: AccountConnection) {
    self.connection = connection
  }

  /// Whether everything is known that the server can say.
  var isKnown: Bool { serverInfo != nil && (me != nil || !connection.isSignedIn) }

  /// Asks the server who it is, and who I am. If it does not say, it is asked again after the next timeline that came.
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

  /// Takes in what the server says of the signed-in qwinker now, and tells observers.
  public func setMe(_ qwinker: Qwinker) {
    me = qwinker
    tellChange()
  }

  private func tellChange() { connection.observers.forEach { $0.identityDidChange(self) } }
}
