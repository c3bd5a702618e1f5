import Foundation
import QwinkleModel
import Testing

@testable import QwinkleWire

/// OAuth messages between servers and clients.
@Suite struct SignInEntityTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `Mastodon's OAuth metadata is decoded`() throws {
    let offer = try WireDecoder.signInOffer(
      from: bytes(
        #"""
        {"issuer":"https://tilde.example/","service_documentation":"https://docs.joinmastodon.org/",
        "authorization_endpoint":"https://tilde.example/oauth/authorize",
        "token_endpoint":"https://tilde.example/oauth/token",
        "app_registration_endpoint":"https://tilde.example/api/v1/apps",
        "revocation_endpoint":"https://tilde.example/oauth/revoke",
        "scopes_supported":["read","write","write:accounts","follow","push"],
        "response_types_supported":["code"],"response_modes_supported":["query","fragment","form_post"],
        "grant_types_supported":["authorization_code","client_credentials"],
        "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post"],
        "code_challenge_methods_supported":["S256"]}
        """#))
    #expect(
      offer
        == SignInOffer(
          authorizeURL: "https://tilde.example/oauth/authorize", tokenURL: "https://tilde.example/oauth/token",
          revokeURL: "https://tilde.example/oauth/revoke", registerURL: "https://tilde.example/api/v1/apps",
          scopes: ["read", "write", "write:accounts", "follow", "push"], hasCodeChallenge: true))
  }

  @Test(arguments: [
    "{}", #"{"authorization_endpoint":7,"scopes_supported":null,"code_challenge_methods_supported":"S256"}"#,
  ])
  func `missing or mistyped OAuth metadata is ignored`(text: String) throws {
    let offer = try WireDecoder.signInOffer(from: bytes(text))
    #expect(offer.authorizeURL == nil && offer.tokenURL == nil && !offer.hasCodeChallenge)
  }

  @Test(arguments: [
    "", "[]", "<html>", #"{"client_id":"x"}"#, #"{"client_id":"","client_secret":"y"}"#,
    #"{"client_id":"x","client_secret":"two words"}"#, #"{"client_id":"x\r\nX-Evil: 1","client_secret":"y"}"#,
  ]) func `an app without a valid id and secret is rejected`(text: String) {
    #expect(throws: WireError.self) { try WireDecoder.registeredApp(from: bytes(text)) }
  }

  @Test(arguments: [
    "{}", #"{"access_token":""}"#, #"{"access_token":"a\nb"}"#, #"{"access_token":"x","token_type":"mac"}"#, "null",
    #"{"access_token":{"x":1}}"#, #"{"access_token":"\#(String(repeating: "x", count: 5000))"}"#,
  ]) func `a token that can't be used in a header is rejected`(text: String) {
    #expect(throws: WireError.self) { try WireDecoder.token(from: bytes(text)) }
  }

  @Test func `ids may be numbers and a token's type is optional`() throws {
    let app = try WireDecoder.registeredApp(from: bytes(#"{"client_id":17,"client_secret":"s"}"#))
    #expect(app.clientID == "17" && app.clientSecret.value == "s")
    #expect(try WireDecoder.token(from: bytes(#"{"access_token":"t"}"#)).value == "t")
    #expect(try WireDecoder.token(from: bytes(#"{"access_token":"t","token_type":"bearer"}"#)).value == "t")
  }

  @Test func `an OAuth error is read and sanitized`() {
    let refusal = WireDecoder.signInRefusal(
      from: bytes(#"{"error":"invalid_grant","error_description":"It is\u001b[2J too old.\n"}"#))
    #expect(refusal?.code == "invalid_grant" && refusal?.message.contains("too old.") == true)
    #expect(refusal?.message.unicodeScalars.contains { $0.value < 0x20 } == false)
    #expect(WireDecoder.signInRefusal(from: bytes(#"{"message":"no"}"#)) == nil)
  }

  @Test func `special characters survive form encoding and decoding`() throws {
    let text = "a&b=c +%20 ü\u{1F600}\r\n"
    let form = WireEncoder.form([("status", text), ("visibility", "direct")])
    #expect(form.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    let entry = try RequestParameters(body: form, contentType: "application/x-www-form-urlencoded").entry()
    #expect(entry.text.contains("a&b=c +%20 ü\u{1F600}") && entry.visibility == .direct)
    #expect(WireEncoder.form([]) == [])
  }

  @Test func `a secret's value never appears when it is printed`() throws {
    let secret = try #require(Secret(" canary\n"))
    #expect(secret.value == "canary")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\([secret as Secret?])", dumped] {
      #expect(!text.contains("canary"), "\(text)")
    }
    for text in ["", " ", "a b", "a\nb", "ü", "\u{0}", String(repeating: "x", count: 4097)] {
      #expect(Secret(text) == nil)
    }
  }
}
