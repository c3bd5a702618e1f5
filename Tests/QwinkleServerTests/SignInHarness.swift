import Foundation
import HTTPTypes
import Hashing
import QwinkleWire
import Testing

/// A registered app and its sign-in steps.
struct RegisteredProgram: Sendable {
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  let harness: Harness
  let id: String
  let secret: String
  var redirectURI: String

  /// The sign-in form as a browser receives it.
  struct Form {
    var fields: [(String, String)]
    var cookie: String
    var answer: TransportResponse
  }

  @concurrent
  static func register(
    at harness: Harness, name: String = "Program", redirectURIs: String = outOfBand,
    scopes: String = "read write follow"
  ) async throws -> Self {
    let made = try await harness.submit(
      "/api/v1/apps", [("client_name", name), ("redirect_uris", redirectURIs), ("scopes", scopes)])
    try #require(made.head.status == .ok, "\(made.text)")
    return Self(
      harness: harness, id: try #require(made.object["client_id"] as? String),
      secret: try #require(made.object["client_secret"] as? String),
      redirectURI: String(redirectURIs.split(separator: "\n")[0]))
  }

  func address(_ more: [(String, String)] = [], scope: String = "read write follow") -> String {
    let items =
      [("client_id", id), ("redirect_uri", redirectURI), ("response_type", "code"), ("scope", scope)].filter { item in
        !more.contains { $0.0 == item.0 }
      } + more
    return "/oauth/authorize?" + items.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
  }

  @concurrent
  func open(_ more: [(String, String)] = [], scope: String = "read write follow") async throws -> Form {
    let answer = try await harness.get(address(more, scope: scope))
    try #require(answer.head.status == .ok, "\(answer.text)")
    let fields = answer.text.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#).map {
      (String($0.output.1), Self.unescaped(String($0.output.2)))
    }
    let cookie = try #require(answer.head.headerFields[.setCookie]).prefix { $0 != ";" }
    return Form(fields: fields, cookie: String(cookie), answer: answer)
  }

  /// Submits the completed form.
  @concurrent
  func submit(
    _ form: Form, name: String, password: String, answer: String = "allow"
  ) async throws -> TransportResponse {
    try await harness.submit(
      "/oauth/authorize", form.fields + [("name", name), ("password", password), ("answer", answer)],
      headers: [.cookie: form.cookie])
  }

  /// Signs in and returns the code that the page shows or redirects with.
  @concurrent
  func code(
    name: String, password: String, _ more: [(String, String)] = [], scope: String = "read write follow"
  ) async throws -> String {
    let answer = try await submit(try await open(more, scope: scope), name: name, password: password)
    return try #require(Self.code(in: answer), "\(answer.head.status) \(answer.text)")
  }

  static func code(in answer: TransportResponse) -> String? {
    if let match = answer.text.firstMatch(of: #/<code id="code">([0-9a-f]+)</code>/#) { return String(match.output.1) }
    let location = answer.head.headerFields[.location] ?? ""
    return URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value
  }

  @concurrent
  func exchange(_ code: String, _ more: [(String, String)] = []) async throws -> TransportResponse {
    try await harness.submit(
      "/oauth/token",
      [
        ("grant_type", "authorization_code"), ("client_id", id), ("client_secret", secret), ("code", code),
        ("redirect_uri", redirectURI),
      ] + more)
  }

  /// Signs a user in and returns their token.
  @concurrent
  func token(name: String, password: String, scope: String = "read write follow") async throws -> String {
    let answer = try await exchange(try await code(name: name, password: password, scope: scope))
    return try #require(answer.object["access_token"] as? String, "\(answer.text)")
  }

  static func digest(of text: String) -> [UInt8] { SHA256.digest(of: Array(text.utf8)) }

  /// The PKCE challenge for a verifier.
  static func challenge(for verifier: String) -> String {
    Data(digest(of: verifier)).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }
}
