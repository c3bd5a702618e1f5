import LibC

/// A listener's proof of its identity.
enum Credential: Hashable, Sendable {
  /// The hash of a token.
  case token(String)
  /// A user of this host, and the account that belonged to the user when the stream was opened.
  case unixUser(uid_t, account: Int64)
}

/// The identity of a listener, which is a connection that receives events, and the stream that it requested.
struct Listening: Sendable {
  /// Maximum length of a stream's tag, in Unicode scalars after folding.
  private static let mostTagScalars = 100

  /// The client whose budget is charged for the connection.
  var client: Client
  /// The user of this host who opened the connection, if it is one to the Unix socket. ``client`` can count several
  /// users as one.
  var unixUser: uid_t?
  /// The signed-in account, or nil for a signed-out client.
  var viewer: Int64?
  var scopes: Scopes
  /// The reason for which the client is signed in, used to check later whether it is still valid. Nil for a signed-out
  /// client.
  var credential: Credential?
  var origin: BaseURL
  /// The requested stream, or nil if the client subscribes later.
  var stream: StreamChannel?
  /// The share of the client's budget that the connection's subscriptions use.
  var subscriptions: Share?
  /// The share of the client's budget that the connection itself uses.
  var connection: Share?

  /// The requested stream, if any, as a set.
  var streams: Set<StreamChannel> { stream.map { [$0] } ?? [] }

  /// Throws if this listener isn't allowed to receive a stream, or if the stream's tag is too long.
  func check(_ stream: StreamChannel) throws(Refusal) {
    if case .tag(let tag, _) = stream, tag.unicodeScalars.count > Self.mostTagScalars {
      throw .invalid("Hashtag too long: the limit is \(Self.mostTagScalars) characters.")
    }
    if stream.needsViewer, viewer == nil { throw .unauthorized("Sign in first: this stream needs a user's token.") }
    if credential != nil, !scopes.allow(stream.scope) { throw .outsideScope(stream.scope) }
  }

  /// Whether the listener is allowed to receive notifications: it is signed in, and its token has the scope.
  var hearsNotifications: Bool { viewer != nil && scopes.allow("read:notifications") }
}
