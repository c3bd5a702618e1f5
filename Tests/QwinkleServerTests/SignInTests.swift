import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Signing in to an app, and signing out.
@Suite(.bounded) struct SignInTests {
  private let password = "correct horse 🐎"

  @Test(arguments: Front.allCases)
  func `a copied code is exchanged for a token that works until revoked`(_ front: Front) async throws {
    try await withService(front) { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let form = try await program.open()
      #expect(form.answer.text.contains("<strong>Program</strong> wants access to your account"))
      let answer = try await program.submit(form, name: "@Alice", password: password)
      #expect(answer.head.status == .ok)
      let code = try #require(RegisteredProgram.code(in: answer))

      let given = try await program.exchange(code)
      let token = try #require(given.object["access_token"] as? String)
      #expect(given.object["scope"] as? String == "read write follow")
      #expect(given.head.headerFields[.cacheControl] == "no-store")
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: token)
      #expect(me.object["username"] as? String == "alice")
      let app = try await harness.get("/api/v1/apps/verify_credentials", token: token)
      #expect(app.object["name"] as? String == "Program")
      try await harness.post("signed in", token: token)

      let revoked = try await harness.submit(
        "/oauth/revoke", [("client_id", program.id), ("client_secret", program.secret), ("token", token)])
      #expect(revoked.head.status == .ok && revoked.text == "{}")
      for path in [
        "/api/v1/accounts/verify_credentials", "/api/v1/timelines/home", "/api/v1/timelines/public",
        "/api/v1/apps/verify_credentials", "/api/v1/preferences",
      ] {
        #expect(try await harness.get(path, token: token).head.status == .unauthorized, "\(path)")
      }
      let post = try await harness.send(Entry(text: "x", idempotencyKey: ""), token: token)
      #expect(post.head.status == .unauthorized)
    }
  }

  @Test func `sign-in redirects with code and state and verifies PKCE`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(
        at: harness, redirectURIs: "https://app.example/back?from=q\nmyapp://done")
      let verifier = String(repeating: "aB3-._~", count: 7)
      let challenge = [
        ("code_challenge", RegisteredProgram.challenge(for: verifier)), ("code_challenge_method", "S256"),
        ("state", "a b&c=ü<\">"),
      ]
      let answer = try await program.submit(try await program.open(challenge), name: "alice", password: password)
      #expect(answer.head.status == .found)
      let location = try #require(answer.head.headerFields[.location])
      #expect(location.hasPrefix("https://app.example/back?from=q&code="))
      #expect(URLComponents(string: location)?.queryItems?.first { $0.name == "state" }?.value == "a b&c=ü<\">")
      let code = try #require(RegisteredProgram.code(in: answer))
      #expect(try await program.exchange(code, [("code_verifier", verifier)]).head.status == .ok)

      // Each attempt consumes its code.
      for wrong in ["", "x" + verifier, String(verifier.dropLast(10)), String(repeating: "a", count: 200)] {
        let code = try await program.code(name: "alice", password: password, challenge)
        let refused = try await program.exchange(code, wrong.isEmpty ? [] : [("code_verifier", wrong)])
        #expect(refused.head.status == .badRequest)
        #expect(refused.object["error"] as? String == "invalid_grant")
        #expect(try await program.exchange(code, [("code_verifier", verifier)]).head.status == .badRequest)
      }
      let unguarded = try await program.code(name: "alice", password: password)
      #expect(try await program.exchange(unguarded, [("code_verifier", verifier)]).head.status == .badRequest)

      var other = program
      other.redirectURI = "myapp://done"
      let sent = try await other.submit(try await other.open(), name: "alice", password: password)
      #expect(sent.head.headerFields[.location]?.hasPrefix("myapp://done?code=") == true)
    }
  }

  @Test func `signing in replaces a scrypt hash with an Argon2id hash`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice")
      let old = "$scrypt$ln=4,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$O1I//fxKFvcoaBfCl88isXrFogXCy/UTk5T0VcA3uBI"
      let alice = try harness.service.write { session in
        let alice = try #require(try session.accountID(named: "alice"))
        try session.setPasswordHash(old, of: alice)
        return alice
      }
      func stored() throws -> String? { try harness.service.write { try $0.passwordHash(of: alice) } }
      let program = try await RegisteredProgram.register(at: harness)
      let wrong = try await program.submit(try await program.open(), name: "alice", password: "correct horse")
      #expect(wrong.head.status == .forbidden)
      #expect(try stored() == old)
      _ = try await program.token(name: "alice", password: password)
      let renewed = try stored()
      #expect(renewed?.hasPrefix("$argon2id$") == true)
      _ = try await program.token(name: "alice", password: password)
      #expect(try stored() == renewed)

      // A concurrent change of the password isn't overwritten.
      try harness.service.write { try $0.replacePasswordHash(old, with: "other", of: alice) }
      #expect(try stored() == renewed)
    }
  }

  @Test func `a denied sign-in redirects with an error`() async throws {
    try await withService { harness in
      let program = try await RegisteredProgram.register(at: harness, redirectURIs: "https://app.example/back")
      let form = try await program.open([("state", "s")])
      let answer = try await program.submit(form, name: "", password: "", answer: "deny")
      #expect(answer.head.status == .found)
      let location = try #require(answer.head.headerFields[.location])
      #expect(location.hasPrefix("https://app.example/back?error=access_denied&"))
      #expect(location.hasSuffix("&state=s"))
    }
  }

  @Test func `an app authenticates in the body or by HTTP Basic`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      @Sendable func code() async throws -> String { try await program.code(name: "alice", password: password) }
      let basic = Data("\(program.id):\(program.secret)".utf8).base64EncodedString()
      let byHeader = try await harness.submit(
        "/oauth/token",
        [("grant_type", "authorization_code"), ("code", try await code()), ("redirect_uri", program.redirectURI)],
        headers: [.authorization: "Basic \(basic)"])
      #expect(byHeader.head.status == .ok)
      let json = [
        "grant_type": "authorization_code", "client_id": program.id, "client_secret": program.secret,
        "code": try await code(), "redirect_uri": program.redirectURI,
      ]
      let byJSON = try await harness.send(
        .post, "/oauth/token", headers: [.contentType: "application/json"], body: Array(JSONEncoder().encode(json)))
      #expect(byJSON.head.status == .ok)

      let kept = try await code()
      for fields in [
        [("client_id", program.id)], [("client_id", program.id), ("client_secret", "x")],
        [("client_id", "x"), ("client_secret", program.secret)], [],
      ] {
        let refused = try await harness.submit(
          "/oauth/token",
          fields + [("grant_type", "authorization_code"), ("code", kept), ("redirect_uri", program.redirectURI)])
        #expect(refused.head.status == .unauthorized)
        #expect(refused.object["error"] as? String == "invalid_client")
      }
      // Secrets in the query are ignored because URLs are logged.
      let inQuery = try await harness.submit(
        "/oauth/token?client_id=\(program.id)&client_secret=\(program.secret)", [("grant_type", "client_credentials")])
      #expect(inQuery.head.status == .unauthorized)
      #expect(try await program.exchange(kept).head.status == .ok)
      let byPassword = try await harness.submit(
        "/oauth/token",
        [
          ("grant_type", "password"), ("client_id", program.id), ("client_secret", program.secret),
          ("username", "alice"), ("password", password),
        ])
      #expect(byPassword.object["error"] as? String == "unsupported_grant_type")
    }
  }

  @Test func `the OAuth metadata lists endpoints at this address`() async throws {
    try await withService { harness in
      let metadata = try await harness.get("/.well-known/oauth-authorization-server").object
      let base = "http://\(harness.authority)"
      #expect(metadata["issuer"] as? String == base + "/")
      #expect(metadata["authorization_endpoint"] as? String == base + "/oauth/authorize")
      #expect(metadata["token_endpoint"] as? String == base + "/oauth/token")
      #expect(metadata["revocation_endpoint"] as? String == base + "/oauth/revoke")
      #expect(metadata["code_challenge_methods_supported"] as? [String] == ["S256"])
      #expect(metadata["response_types_supported"] as? [String] == ["code"])
      #expect((metadata["scopes_supported"] as? [String])?.contains("write:statuses") == true)
    }
  }

  @Test func `a token without an app can be revoked by its holder`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      #expect(try await harness.submit("/oauth/revoke", [("token", "unknown")]).head.status == .ok)
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok)
      #expect(try await harness.submit("/oauth/revoke", [("token", token)]).head.status == .ok)
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .unauthorized)
    }
  }

  @Test func `a new password replaces the old one and can revoke all tokens`() async throws {
    try await withService { harness in
      let own = try harness.service.addQwinker(named: "alice", password: password)
      let program = try await RegisteredProgram.register(at: harness)
      let token = try await program.token(name: "alice", password: password)
      try harness.service.setPassword("another one", of: "Alice")
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok)
      let old = try await program.submit(try await program.open(), name: "alice", password: password)
      #expect(old.head.status == .forbidden)
      let code = try await program.code(name: "alice", password: "another one")
      try harness.service.setPassword(nil, of: "alice", endingTokens: true)
      for ended in [own, token] {
        #expect(try await harness.get("/api/v1/timelines/home", token: ended).head.status == .unauthorized)
      }
      #expect(try await program.exchange(code).head.status == .badRequest)
      let gone = try await program.submit(try await program.open(), name: "alice", password: "another one")
      #expect(gone.head.status == .forbidden)

      #expect(throws: ServiceError.noSuchName("bob")) { try harness.service.setPassword("long enough", of: "bob") }
      for bad in ["short", "1234567", "", String(repeating: "x", count: 1025), "tabs\tare no good"] {
        #expect(throws: ServiceError.self) { try harness.service.setPassword(bad, of: "alice") }
        #expect(throws: ServiceError.self) { try harness.service.addQwinker(named: "bob", password: bad) }
      }
      #expect(throws: ServiceError.noSuchName("bob")) { try harness.service.checkKnown("bob") }
    }
  }
}
