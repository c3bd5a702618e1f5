public import QwinkleModel
public import QwinkleService

/// The signed-in user and the server's capabilities.
@MainActor
public final class Identity {
  /// The signed-in user, once known.
  public private(set) var me: Qwinker?
  public private(set) var serverInfo: ServerInfo?
  /// The server's rules, if known.
  public var rules: [ServerRule]? { serverInfo?.rules }
  /// The default visibility in the user's account settings.
  private var serverVisibility: Visibility?
  /// The users who may quote the user's posts by default, if the server reports it.
  public private(set) var usualQuotePolicy: QuotePolicy?
  /// Shortcodes of the server's custom emoji, or nil if they haven't been fetched.
  public var emoji: [String]?
  /// The visibility that the user chose for new posts on this machine, or nil for the server's default.
  public var chosenVisibility: Visibility?
  /// The language that the user chose for new posts, or nil for the server's default.
  public var chosenLanguage: String?

  /// The default visibility of the user's posts, if known.
  public var usualVisibility: Visibility? { chosenVisibility ?? serverVisibility }

  /// Whether the server has custom emoji or may have some.
  public var hasEmoji: Bool { emoji?.isEmpty != true && connection.abilities[.serverEmoji] != false }

  private let connection: AccountConnection
  private var isAsking = false
  /// The requests in progress.
  private var serverDownload: DownloadIdentifier?
  private var ownDownload: DownloadIdentifier?

  init(_ connection: AccountConnection) {
    self.connection = connection
  }

  /// Whether the server info has loaded and, if a user is signed in, their account too.
  var isKnown: Bool { serverInfo != nil && (me != nil || !connection.isSignedIn) }

  /// Fetches the server info, then the user. After a failure, the next refresh of a timeline tries again.
  public func identify() {
    guard !isAsking else { return }
    isAsking = true
    serverDownload = connection.start(.serverInfo, delegate: self)
  }

  /// Stores the server's description and notifies observers.
  public func merge(_ info: ServerInfo) {
    guard info != serverInfo else { return }
    serverInfo = info
    for ability in info.limits.lacking { connection.abilities.note(ability, false) }
    if let supportsQuotes = info.supportsQuotes { connection.abilities.note(.quotes, supportsQuotes) }
    tellChange()
  }

  private func identifyMe() {
    guard connection.isSignedIn else {
      isAsking = false
      return
    }
    ownDownload = connection.start(.ownAccount, delegate: self)
  }

  /// Continues after the request for the server info has failed.
  private func didFailServerInfo(_ error: DownloadError) {
    serverDownload = nil
    if case .transport = error { isAsking = false } else { identifyMe() }
  }

  /// Replaces the signed-in user with a newer state and notifies observers.
  public func setMe(_ qwinker: Qwinker) {
    me = qwinker
    tellChange()
  }

  /// Stores a default visibility that the user has changed on the server.
  public func noteUsual(_ visibility: Visibility?) {
    guard let visibility, visibility != serverVisibility else { return }
    serverVisibility = visibility
    tellChange()
  }

  private func tellChange() { connection.observers.forEach { $0.identityDidChange(self) } }
}

extension Identity: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    switch answer {
    case let info as ServerInfo:
      serverDownload = nil
      merge(info)
      identifyMe()
    case let account as OwnAccount:
      ownDownload = nil
      isAsking = false
      me = account.qwinker
      serverVisibility = account.usualVisibility ?? serverVisibility
      usualQuotePolicy = account.usualQuotePolicy
      tellChange()
    default: break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if identifier == serverDownload { didFailServerInfo(error) }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    // A cancelled request ends without an answer or a failure.
    if identifier == serverDownload { didFailServerInfo(.cancelled) }
    guard identifier == ownDownload else { return }
    ownDownload = nil
    isAsking = false
  }
}

@MainActor
public protocol IdentityObserver: AnyObject {
  /// Called when the signed-in user or the server's description becomes known.
  func identityDidChange(_ identity: Identity)
}

extension IdentityObserver {
  public func identityDidChange(_ identity: Identity) {}
}
