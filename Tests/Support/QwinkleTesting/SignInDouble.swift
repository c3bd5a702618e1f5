import Foundation
import Hashing
import QwinkleWire
import Synchronization

/// An in-memory OAuth server (RFC 6749, 7009, 7636, 8414). It registers apps, exchanges codes for tokens, returns the
/// owners of tokens and revokes tokens. A test plays the user in the browser with ``allow(_:as:)``.
public final class SignInDouble: Sendable {
  /// A response: a status and JSON.
  public typealias Answer = (status: Int, json: [UInt8])

  /// Features of the server.
  public struct Traits: Sendable {
    /// Publishes OAuth metadata (RFC 8414), including PKCE.
    public var saysHow = true
    /// Allows apps to revoke tokens.
    public var canRevoke = true
    /// Claims to revoke tokens, but doesn't.
    public var forgetsNothing = false
    /// Accepts several redirect URIs from an app, including a loopback URI.
    public var takesLoopback = true
    /// The scopes that apps may request.
    public var scopes = ["read", "write", "follow", "push"]

    public init() {}
  }

  private struct Code {
    var app: String
    var userName: String
    var redirectURI: String
    /// The expected hash of the code verifier, or nil without PKCE.
    var challenge: String?
  }

  private struct State {
    var traits: Traits
    var apps: [String: String] = [:]
    /// Redirect URIs by app.
    var redirectURIs: [String: [String]] = [:]
    var codes: [String: Code] = [:]
    var tokens: [String: (userName: String, app: String?)] = [:]
    var count = 0
  }

  /// The origin in published URLs. Under another host name, the server acts as if it didn't know the proxy in front of
  /// it.
  private static let origin = "https://tilde.example"

  private let state: Mutex<State>
  private let prefix: String

  /// Creates a server without apps or tokens. New tokens begin with `prefix`.
  public init(_ traits: Traits = Traits(), prefix: String = "token") {
    state = Mutex(State(traits: traits))
    self.prefix = prefix
  }

  /// User names by valid token.
  public var tokens: [String: String] { state.withLock { $0.tokens.mapValues(\.userName) } }

  /// Creates a token that belongs to no app.
  public func makeToken(for userName: String) -> String {
    state.withLock { state in
      state.count += 1
      let token = "\(prefix)-made-\(state.count)"
      state.tokens[token] = (userName, nil)
      return token
    }
  }

  /// Revokes a token, as users can do in their settings.
  public func forget(_ token: String) {
    state.withLock { $0.tokens[token] = nil }
  }

  /// Plays the user in the browser at `page`: signs in as `userName`, authorizes the app and returns the code. Returns
  /// nil if the server wouldn't issue a code.
  public func allow(_ page: String, as userName: String) -> String? {
    guard let items = URLComponents(string: page)?.queryItems, page.contains("/oauth/authorize?") else { return nil }
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    return state.withLock { state in
      guard let app = value("client_id"), state.apps[app] != nil, value("response_type") == "code",
        let redirectURI = value("redirect_uri"), state.redirectURIs[app, default: []].contains(redirectURI),
        let scope = value("scope"), Set(scope.split(separator: " ").map(String.init)).isSubset(of: state.traits.scopes)
      else { return nil }
      let challenge = value("code_challenge")
      guard challenge == nil || value("code_challenge_method") == "S256" else { return nil }
      state.count += 1
      let code = "code-\(state.count)"
      state.codes[code] = Code(app: app, userName: userName, redirectURI: redirectURI, challenge: challenge)
      return code
    }
  }

  /// Returns the response to a request, or nil if the request isn't about signing in.
  public func answer(method: String, path: String, authorization: String?, body: [UInt8]) -> Answer? {
    let form = Form(body)
    return state.withLock { state in
      switch (method, path) {
      case ("GET", "/.well-known/oauth-authorization-server") where state.traits.saysHow: offer(state.traits)
      case ("POST", "/api/v1/apps"): register(form, &state)
      case ("POST", "/oauth/token"): exchange(form, &state)
      case ("POST", "/oauth/revoke") where state.traits.canRevoke: revoke(form, &state)
      case ("GET", "/api/v1/accounts/verify_credentials"): holder(authorization, state)
      default: nil
      }
    }
  }

  /// Whether a request has a valid token.
  public func accepts(authorization: String?) -> Bool {
    guard let token = authorization?.split(separator: " ").last.map(String.init) else { return false }
    return state.withLock { $0.tokens[token] != nil }
  }

  // MARK: Answers

  private func offer(_ traits: Traits) -> Answer {
    object([
      "issuer": "\(Self.origin)/", "authorization_endpoint": "\(Self.origin)/oauth/authorize",
      "token_endpoint": "\(Self.origin)/oauth/token", "revocation_endpoint": "\(Self.origin)/oauth/revoke",
      "app_registration_endpoint": "\(Self.origin)/api/v1/apps", "scopes_supported": traits.scopes,
      "code_challenge_methods_supported": ["S256"],
    ])
  }

  private func register(_ form: Form, _ state: inout State) -> Answer {
    let redirectURIs = form["redirect_uris"]?.split(separator: "\n").map(String.init) ?? []
    guard form["client_name"] != nil, !redirectURIs.isEmpty, state.traits.takesLoopback || redirectURIs.count == 1,
      (form["scopes"] ?? "read").split(separator: " ").map(String.init).allSatisfy(state.traits.scopes.contains)
    else { return object(["error": "Validation failed: Scopes doesn't match configured"], status: 422) }
    state.count += 1
    let (id, secret) = ("app-\(state.count)", "\(prefix)-client-secret-\(state.count)")
    state.apps[id] = secret
    state.redirectURIs[id] = redirectURIs
    return object(["id": "1", "client_id": id, "client_secret": secret])
  }

  private func exchange(_ form: Form, _ state: inout State) -> Answer {
    guard let app = form["client_id"], let secret = state.apps[app], form["client_secret"] == secret else {
      return refusal("invalid_client", status: 401)
    }
    guard form["grant_type"] == "authorization_code" else { return refusal("unsupported_grant_type") }
    guard let code = form["code"].flatMap({ state.codes.removeValue(forKey: $0) }), code.app == app,
      code.redirectURI == form["redirect_uri"],
      code.challenge == nil || code.challenge == form["code_verifier"].map(challenge)
    else { return refusal("invalid_grant") }
    state.count += 1
    let token = "\(prefix)-\(state.count)"
    state.tokens[token] = (code.userName, app)
    return object(["access_token": token, "token_type": "Bearer", "scope": "read write", "created_at": 1_767_225_600])
  }

  private func revoke(_ form: Form, _ state: inout State) -> Answer {
    guard let app = form["client_id"], let secret = state.apps[app], form["client_secret"] == secret else {
      return refusal("unauthorized_client", status: 403)
    }
    if let token = form["token"], state.tokens[token]?.app == app, !state.traits.forgetsNothing {
      state.tokens[token] = nil
    }
    return object([:])
  }

  private func holder(_ authorization: String?, _ state: State) -> Answer {
    guard let token = authorization?.split(separator: " ").last.map(String.init),
      let holder = state.tokens[token]
    else { return object(["error": "The access token is invalid"], status: 401) }
    return (200, WireEncoder.qwinker(.sample(holder.userName, displayName: "Who is \(holder.userName)")))
  }

  private func challenge(_ verifier: String) -> String {
    Data(SHA256.digest(of: Array(verifier.utf8))).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func refusal(_ code: String, status: Int = 400) -> Answer {
    object(["error": code, "error_description": "What the server says of \(code)"], status: status)
  }

  private func object(_ object: [String: Any], status: Int = 200) -> Answer {
    (status, (try? JSONSerialization.data(withJSONObject: object)).map(Array.init) ?? [])
  }
}

/// The fields of a form, as a server reads them.
private struct Form {
  private let items: [URLQueryItem]

  init(_ body: [UInt8]) {
    items = URLComponents(string: "?" + String(decoding: body, as: UTF8.self))?.queryItems ?? []
  }

  subscript(name: String) -> String? { items.first { $0.name == name }?.value }
}
