/// Who listens to streams, and what they may hear.
struct Listening: Sendable {
  /// The signed-in account; nil if signed out.
  var viewer: Int64?
  /// What the token allows.
  var scopes: Scopes
  /// The token's hash, for looking later whether it still counts; nil without one.
  var tokenHash: String?
  var origin: Origin
  /// The stream asked for; nil if the client names streams later.
  var stream: StreamName?

  /// Checks that this listener may hear a stream.
  func check(_ stream: StreamName) throws(Refusal) {
    if stream.needsViewer, viewer == nil { throw .unauthorized("Sign in first: this stream needs a user's token.") }
    if tokenHash != nil, !scopes.allow(stream.scope) { throw .outsideScope(stream.scope) }
  }

  /// Whether the token allows notifications.
  var hearsNotifications: Bool { viewer != nil && scopes.allow("read:notifications") }
}
