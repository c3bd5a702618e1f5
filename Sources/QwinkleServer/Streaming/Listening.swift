/// A listener's identity, and the streams that it may receive.
struct Listening: Sendable {
  /// The longest tag of a stream, in Unicode scalars after folding.
  private static let mostTagScalars = 100

  /// Whose budget it counts for.
  var client: Client
  /// The signed-in account; nil if signed out.
  var viewer: Int64?
  /// What the token allows.
  var scopes: Scopes
  /// The token's hash, to check later whether the token is still valid; nil without a token.
  var tokenHash: String?
  var origin: Origin
  /// The requested stream; nil if the client names streams later.
  var stream: StreamName?
  /// The number of streams, in the client's budget.
  var subscriptions: Share?
  /// The connection's share of the client's budget.
  var connection: Share?

  /// The requested stream, if there is one.
  var streams: Set<StreamName> { stream.map { [$0] } ?? [] }

  /// Checks that this listener may receive a stream.
  func check(_ stream: StreamName) throws(Refusal) {
    if case .tag(let tag, _) = stream, tag.unicodeScalars.count > Self.mostTagScalars {
      throw .invalid("Hashtag too long: the limit is \(Self.mostTagScalars) characters.")
    }
    if stream.needsViewer, viewer == nil { throw .unauthorized("Sign in first: this stream needs a user's token.") }
    if tokenHash != nil, !scopes.allow(stream.scope) { throw .outsideScope(stream.scope) }
  }

  /// Whether the token allows notifications.
  var hearsNotifications: Bool { viewer != nil && scopes.allow("read:notifications") }
}
