import QwinkleWire

/// Where the steps of signing in go to on one server: where it says, or else where Mastodon has them.
struct SignInPlaces: Sendable {
  /// Opened in a browser.
  let authorize: Target
  let token: Target
  let revoke: Target
  let register: Target

  /// The places on `server`. What `offer` names elsewhere is not used: a code or a secret goes only to the server that
  /// a person named.
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

  /// What a server says of itself.
  static func offer(of server: Origin) -> Target {
    Target(origin: server, path: "/.well-known/oauth-authorization-server")
  }
}
