import QwinkleWire

/// The endpoints for signing in at one server: those it names, or else Mastodon's.
struct SignInPlaces: Sendable {
  /// Opened in a browser.
  let authorize: Target
  let token: Target
  let revoke: Target
  let register: Target

  /// The endpoints on `server`. Those that `offer` names elsewhere are not used: codes and secrets go only to the
  /// server that the user named.
  init(_ server: Origin, offer: SignInOffer?) {
    let root = Target(origin: server, path: "/")
    func place(_ url: String?, else path: String) -> Target {
      guard let url, let target = Target(resolving: url, from: root), target.origin == server else {
        return Target(origin: server, path: path)
      }
      return target
    }
    authorize = place(offer?.authorizeURL, else: "/oauth/authorize")
    token = place(offer?.tokenURL, else: "/oauth/token")
    revoke = place(offer?.revokeURL, else: "/oauth/revoke")
    register = place(offer?.registerURL, else: "/api/v1/apps")
  }

  /// The endpoint that says how to sign in.
  static func offer(of server: Origin) -> Target {
    Target(origin: server, path: "/.well-known/oauth-authorization-server")
  }
}
