import Hashing
import QwinkleModel
import QwinkleWire

/// An app's request for a user's authorization (RFC 6749, section 4.1.1, with PKCE, RFC 7636).
struct AuthorizationRequest: Sendable {
  /// The reason that a request is invalid, as a sentence for the page.
  struct Fault: Error {
    var sentence: String
  }

  private static let mostStateBytes = 2000

  var app: AppRecord
  var clientID: String
  var redirect: RedirectURI
  var scopes: Scopes
  var state: String?
  /// The PKCE challenge (method S256).
  var challenge: String?

  /// Parses and checks a request. A fault is shown on a page and never sent to the redirect URI: anyone can register an
  /// app and send users here, so users are redirected only after they have allowed or denied the request.
  ///
  /// - Throws: ``Fault`` if the request is invalid.
  init(_ parameters: RequestParameters, _ transaction: Transaction) throws {
    guard let clientID = parameters["client_id"], let app = try transaction.app(clientID: clientID) else {
      throw Fault(sentence: "Unknown app. Start the sign-in again from the app.")
    }
    guard let address = parameters["redirect_uri"], let redirect = RedirectURI(address),
      app.redirectURIs.split(whereSeparator: \.isWhitespace).contains(Substring(address))
    else {
      throw Fault(sentence: "The app asked to send you to an address that it did not register.")
    }
    guard parameters["response_type"] == "code" else {
      throw Fault(sentence: "The app sent a wrong response_type: it must be code.")
    }
    let scopes = Scopes(parameters["scope"] ?? Scopes.usual.text)
    guard !scopes.names.isEmpty, scopes.areKnown, Scopes(app.scopes).allow(scopes) else {
      throw Fault(sentence: "The app asked for permissions that it did not register.")
    }
    let state = parameters["state"]
    guard (state ?? "").utf8.count <= Self.mostStateBytes else {
      throw Fault(sentence: "The app sent a state that is too long.")
    }
    self.app = app
    self.clientID = clientID
    self.redirect = redirect
    self.scopes = scopes
    self.state = state
    challenge = try Self.challenge(parameters)
  }

  /// The hidden fields of the sign-in form.
  var fields: [(name: String, value: String)] {
    let optional = [("state", state), ("code_challenge", challenge)].compactMap { name, value in
      value.map { (name, $0) }
    }
    let method = challenge == nil ? [] : [("code_challenge_method", "S256")]
    return [
      ("client_id", clientID), ("redirect_uri", redirect.text), ("response_type", "code"), ("scope", scopes.text),
    ] + optional + method
  }

  private static func challenge(_ parameters: RequestParameters) throws(Fault) -> String? {
    guard let challenge = parameters["code_challenge"], !challenge.isEmpty else { return nil }
    guard parameters["code_challenge_method"] == "S256" else {
      throw Fault(
        sentence: "The app sent an unsafe code_challenge_method: it must be S256.")
    }
    guard challenge.utf8.count == 43, challenge.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
      throw Fault(sentence: "The app sent an invalid code_challenge.")
    }
    return challenge
  }
}

/// Verifies that the app that redeems a code is the app that requested it (RFC 7636).
enum CodeVerifier {
  /// Returns whether the verifier matches the challenge. If the request had no challenge, a verifier is rejected: an
  /// attacker may have removed the challenge from the request.
  static func matches(_ verifier: String?, challenge: String?) -> Bool {
    guard let challenge else { return (verifier ?? "").isEmpty }
    guard let verifier, (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentEncoding.isUnreserved)
    else {
      return false
    }
    return SHA256.digest(of: Array(verifier.utf8)).base64URL == challenge
  }
}
