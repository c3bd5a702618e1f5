public import QwinkleModel
public import QwinkleWire
public import Timekeeping

/// Signs in and out at one server with the Mastodon client API. Signing in uses an OAuth authorization code: either the
/// server redirects the browser to a ``LoopbackRedirect`` with the code, or the page shows the code and the user types
/// it (out of band). The class is confined to the main actor, draws nothing and stores nothing: the caller saves the
/// results.
///
/// Secrets are sent only to the named server, and redirects are not followed.
/// <https://docs.joinmastodon.org/spec/oauth/>
@MainActor
public final class SignIn {
  /// A signed-in account and its token.
  public struct Outcome: Sendable {
    public var qwinker: Qwinker
    public var token: Secret
    /// This program's registration at the server; nil if the user created the token elsewhere.
    public var app: RegisteredApp?
  }

  private struct Begun {
    var places: SignInPlaces
    var app: RegisteredApp
    var state: String
    /// The redirect URI, to which the server sends the code: a ``LoopbackRedirect``, or ``outOfBand``.
    var redirectURI: String
    var challenge: CodeChallenge?
  }

  private static let clientName = "Qwinkle"
  /// With this URI, the server shows the code instead of redirecting the browser.
  private static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"
  private static let scopes = ["read", "write", "follow"]

  private let serverURL: String
  private let ledger: ActivityLedger
  private let transport: LazyTransport
  private var begun: Begun?

  /// Signs in at `serverURL`, `https://host[:port]`. The transport is created on first use.
  public init(serverURL: String, ledger: ActivityLedger, transport: @escaping @Sendable () -> any Transport) {
    self.serverURL = serverURL
    self.ledger = ledger
    self.transport = LazyTransport(transport)
  }

  /// Registers this program and returns the URL of the page where the user authorizes it and gets a code. Codes from an
  /// earlier call become invalid.
  ///
  /// - Parameters:
  ///   - asksAgain: Whether the server should ask for the account even if the browser is signed in. Needed for a second
  ///     account at the same server.
  ///   - redirect: The URI of a ``LoopbackRedirect`` that receives the code. If the server refuses to register this
  ///     URI, its page shows the code instead.
  public func begin(asksAgain: Bool = false, redirect: String? = nil) async throws(SignInError) -> String {
    let activity = ledger.begin("registering at a server")
    defer { activity.end() }
    let server = try server()
    let offer = try await offer(of: server)
    let scopes = Self.scopes.filter { offer?.scopes?.contains($0) ?? true }
    let places = SignInPlaces(server, offer: offer)
    let (app, redirectURI) = try await register(at: places.register, scopes: scopes, redirect: redirect)
    let begun = Begun(
      places: places, app: app, state: RandomWord.make(), redirectURI: redirectURI,
      challenge: offer?.hasCodeChallenge == true ? CodeChallenge() : nil)
    self.begun = begun
    var fields = [
      ("response_type", "code"), ("client_id", app.clientID), ("redirect_uri", redirectURI),
      ("scope", scopes.joined(separator: " ")), ("state", begun.state),
    ]
    if let challenge = begun.challenge {
      fields += [("code_challenge", challenge.challenge), ("code_challenge_method", "S256")]
    }
    if asksAgain { fields.append(("force_login", "true")) }
    let query = String(decoding: WireEncoder.form(fields.map { (name: $0.0, value: $0.1) }), as: UTF8.self)
    return places.authorize.url + (places.authorize.path.contains("?") ? "&" : "?") + query
  }

  /// Exchanges the code for a token, and fetches the token's account. `typed` is the code, or the whole address of the
  /// page that shows the code. After an error with ``SignInError/isAboutCode`` the user can try another code.
  public func finish(code typed: String) async throws(SignInError) -> Outcome {
    guard let begun else { throw .otherSignIn }
    let activity = ledger.begin("signing in")
    defer { activity.end() }
    let code = try TypedCode(typed)
    if let state = code.state, state != begun.state { throw .otherSignIn }
    let token = try await token(for: code.code, begun)
    do throws(SignInError) {
      return Outcome(qwinker: try await holder(of: token), token: token, app: begun.app)
    } catch {
      // A token that isn't saved must not stay valid.
      try? await giveBack(token, of: begun.app, at: begun.places.revoke)
      throw error
    }
  }

  /// Fetches the account of a token that was created elsewhere.
  public func identify(_ token: Secret) async throws(SignInError) -> Outcome {
    let activity = ledger.begin("verifying the account")
    defer { activity.end() }
    return Outcome(qwinker: try await holder(of: token), token: token)
  }

  /// Returns the domain that the server reports for itself, if any. Some servers report it only to requests with a
  /// token.
  public func domain(for token: Secret) async -> String? {
    try? await serverInfo(for: token)?.domain
  }

  /// Returns the server's description of itself. Returns nil if the server describes itself only to its users, or has
  /// no such API; ``begin(asksAgain:redirect:)`` then reports the reason.
  ///
  /// - Parameter token: The token of a user, if the user has signed in.
  /// - Throws: ``SignInError/server(_:)`` if the server can't be reached.
  public func serverInfo(for token: Secret? = nil) async throws(SignInError) -> ServerInfo? {
    let server = try server()
    let activity = ledger.begin("asking the server for its name")
    defer { activity.end() }
    for version in ["v2", "v1"] {
      let target = Target(origin: server, path: "/api/\(version)/instance")
      let call = SignInCall(target: target, token: token) { (body) throws(WireError) in
        try WireDecoder.serverInfo(from: body)
      }
      do throws(SignInError) {
        return try await call.perform(through: transport)
      } catch .server(.transport(let error)) {
        throw .server(.transport(error))
      } catch {
        continue
      }
    }
    return nil
  }

  /// Revokes a token that was issued to `app`, and checks that the server no longer accepts it.
  ///
  /// - Throws: ``SignInError``. The caller must then assume that the token is still valid. After
  ///   ``SignInError/cannotRevoke(host:)`` retrying is useless, because the server can't revoke tokens.
  public func revoke(_ token: Secret, of app: RegisteredApp) async throws(SignInError) {
    let activity = ledger.begin("signing out")
    defer { activity.end() }
    let server = try server()
    let places = SignInPlaces(server, offer: try await offer(of: server))
    do throws(SignInError) {
      try await giveBack(token, of: app, at: places.revoke)
    } catch {
      // The server may have refused because it has deleted this program's registration. It has then deleted the token,
      // too.
      if case .refused = error, (try? await isForgotten(token, isRevoked: false)) == true { return }
      throw error
    }
    guard try await isForgotten(token, isRevoked: true) else { throw .stillValid(host: server.authority) }
  }
}

// MARK: Steps

extension SignIn {
  private func server() throws(SignInError) -> Origin {
    guard let server = Origin(serverURL) else { throw .server(.transport(.unknownHost(serverURL))) }
    return server
  }

  /// Returns the server's sign-in metadata, or nil if the server has none, like most older servers.
  private func offer(of server: Origin) async throws(SignInError) -> SignInOffer? {
    let call = SignInCall(target: SignInPlaces.offer(of: server)) { (body) throws(WireError) in
      try WireDecoder.signInOffer(from: body)
    }
    do throws(SignInError) {
      return try await call.perform(through: transport)
    } catch .server(.transport(let error)) {
      throw .server(.transport(error))
    } catch {
      return nil
    }
  }

  /// Registers this program. Also returns the redirect URI to use.
  private func register(
    at target: Target, scopes: [String], redirect: String?
  ) async throws(SignInError) -> (app: RegisteredApp, redirectURI: String) {
    if let redirect {
      do throws(SignInError) {
        // Registers both URIs. The user can then type the code if the browser runs on another machine.
        return (
          try await register(at: target, scopes: scopes, redirectURIs: "\(redirect)\n\(Self.outOfBand)"), redirect
        )
      } catch {
        guard case .refused = error else { throw error }
      }
    }
    return (try await register(at: target, scopes: scopes, redirectURIs: Self.outOfBand), Self.outOfBand)
  }

  private func register(
    at target: Target, scopes: [String], redirectURIs: String
  ) async throws(SignInError) -> RegisteredApp {
    let call = SignInCall(
      target: target,
      fields: [
        ("client_name", Self.clientName), ("redirect_uris", redirectURIs),
        ("scopes", scopes.joined(separator: " ")),
      ]
    ) { (body) throws(WireError) in try WireDecoder.registeredApp(from: body) }
    do throws(SignInError) {
      return try await call.perform(through: transport)
    } catch {
      switch error {
      case .server(.needsAuthentication(let host, let message)), .server(.forbidden(let host, let message)):
        throw .noSignIn(host: host, message: message)
      case .server(.rejected(let host, let message)): throw .refused(host: host, code: "", message: message)
      case .server(.notFound), .server(.unreadable), .server(.unexpectedStatus), .server(.serverFailed(_, 501)):
        throw try await hasAPI(target.origin)
          ? .noSignIn(host: target.origin.authority, message: "")
          : .notMastodonLike(host: target.origin.authority)
      default: throw error
      }
    }
  }

  private func hasAPI(_ server: Origin) async throws(SignInError) -> Bool {
    let call = SignInCall(target: Target(origin: server, path: "/api/v1/instance")) { (body) throws(WireError) in
      _ = try WireDecoder.serverInfo(from: body)
    }
    do throws(SignInError) {
      try await call.perform(through: transport)
      return true
    } catch .server(.transport(let error)) {
      throw .server(.transport(error))
    } catch {
      return false
    }
  }

  private func token(for code: String, _ begun: Begun) async throws(SignInError) -> Secret {
    var fields: [(name: String, value: String)] = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", begun.redirectURI),
      ("client_id", begun.app.clientID), ("client_secret", begun.app.clientSecret.value),
    ]
    if let challenge = begun.challenge { fields.append(("code_verifier", challenge.verifier)) }
    let call = SignInCall(target: begun.places.token, fields: fields, isOAuth: true) { (body) throws(WireError) in
      try WireDecoder.token(from: body)
    }
    do throws(SignInError) {
      return try await call.perform(through: transport)
    } catch {
      switch error {
      case .refused(let host, "invalid_grant", _): throw .wrongCode(host: host)
      case .refused(let host, "access_denied", _): throw .denied(host: host)
      // Some servers report a wrong code only by the status, without an OAuth error.
      case .server(.needsAuthentication(let host, "")), .server(.rejected(let host, "")): throw .wrongCode(host: host)
      default: throw error
      }
    }
  }

  private func holder(of token: Secret) async throws(SignInError) -> Qwinker {
    do throws(SignInError) {
      return try await answer(to: token)
    } catch {
      switch error {
      case .server(.needsAuthentication(let host, let message)), .server(.forbidden(let host, let message)),
        .server(.rejected(let host, let message)):
        throw .badToken(host: host, message: message)
      case .server(.notFound(let host, _)), .server(.unreadable(let host, _)): throw .notMastodonLike(host: host)
      default: throw error
      }
    }
  }

  private func answer(to token: Secret) async throws(SignInError) -> Qwinker {
    let target = Target(origin: try server(), path: "/api/v1/accounts/verify_credentials")
    let call = SignInCall(target: target, token: token) { (body) throws(WireError) in
      try WireDecoder.qwinker(from: body)
    }
    return try await call.perform(through: transport)
  }

  private func giveBack(_ token: Secret, of app: RegisteredApp, at target: Target) async throws(SignInError) {
    let call = SignInCall(
      target: target,
      fields: [
        ("token", token.value), ("client_id", app.clientID), ("client_secret", app.clientSecret.value),
      ], isOAuth: true
    ) { (_) throws(WireError) in }
    do throws(SignInError) {
      try await call.perform(through: transport)
    } catch {
      switch error {
      case .server(.notFound(let host, _)), .server(.unexpectedStatus(let host, 405)),
        .server(.serverFailed(let host, 501)):
        throw .cannotRevoke(host: host)
      default: throw error
      }
    }
  }

  /// Returns whether the server no longer accepts a token. To an unknown token, servers respond with 401, 400 (Takahe),
  /// 422 (snac) or 403. A 403 can also have other reasons, such as missing scopes or a locked account. It therefore
  /// counts only if `isRevoked` is true, which means that the server has confirmed the revocation.
  private func isForgotten(_ token: Secret, isRevoked: Bool) async throws(SignInError) -> Bool {
    do throws(SignInError) {
      _ = try await answer(to: token)
      return false
    } catch {
      switch error {
      case .server(.needsAuthentication), .server(.rejected): return true
      case .server(.forbidden) where isRevoked: return true
      default: throw error
      }
    }
  }
}
