import QwinkleWire

/// The sign-in endpoints of one server. Endpoints that the server's metadata doesn't name have Mastodon's paths.
struct SignInPlaces: Sendable {
  /// The page where the user allows access, opened in a browser.
  let authorize: Target
  let token: Target
  let revoke: Target
  let register: Target

  /// Creates the endpoints from the metadata `offer`. Ignores endpoints outside the origin `server`, so that codes and
  /// secrets are sent only to the server that the user named.
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

  static func offer(of server: Origin) -> Target {
    Target(origin: server, path: "/.well-known/oauth-authorization-server")
  }
}
