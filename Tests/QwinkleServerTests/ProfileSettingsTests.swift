import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Settings of profiles, and their effects on other accounts.
@Suite(.bounded) struct ProfileSettingsTests {
  private static func update(_ query: String, _ harness: Harness, _ token: String) async throws -> TransportResponse {
    try await harness.send(.patch, "/api/v1/accounts/update_credentials?\(query)", token: token)
  }

  @Test(arguments: Front.allCases)
  func `settings are stored and returned`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let before = try WireDecoder.ownProfile(
        from: try await harness.get("/api/v1/accounts/verify_credentials", token: alice).body)
      #expect(
        before.settings == [
          .isLocked: false, .isBot: false, .isDiscoverable: true, .isIndexed: true, .hidesFollows: false,
        ])
      var profile = before
      profile.settings = [
        .isLocked: true, .isBot: true, .isDiscoverable: false, .isIndexed: false, .hidesFollows: true,
      ]
      profile.fields = [.init(name: "Site", value: "https://example.org")]
      let answer = try await harness.send(
        .patch, "/api/v1/accounts/update_credentials", token: alice, headers: [.contentType: "application/json"],
        body: WireEncoder.ownProfile(profile, changing: before))
      #expect(try WireDecoder.ownProfile(from: answer.body) == profile)
      let seen = try await harness.get("/api/v1/accounts/\(try harness.id(of: "alice"))")
      #expect(try WireDecoder.qwinker(from: seen.body).traits == .hidesFollows)
      // Values that a request omits stay unchanged.
      let again = try await Self.update("bot=false", harness, alice)
      profile.settings[.isBot] = false
      #expect(try WireDecoder.ownProfile(from: again.body) == profile)
      profile.fields = []
      let empty = try await harness.send(
        .patch, "/api/v1/accounts/update_credentials", token: alice, headers: [.contentType: "application/json"],
        body: WireEncoder.ownProfile(profile))
      #expect(try WireDecoder.ownProfile(from: empty.body).fields == [])
    }
  }

  @Test(arguments: Front.allCases)
  func `only the account itself sees its hidden followers and follows`(_ front: Front) async throws {
    try await withService(front) { harness in
      let tokens = try harness.people("anna", "ben", "cora")
      try harness.follow("ben", by: "anna")
      try harness.follow("cora", by: "ben")
      let ben = "/api/v1/accounts/\(try harness.id(of: "ben"))"
      func names(_ list: String, _ token: String?) async throws -> [String] {
        try WireDecoder.qwinkers(from: try await harness.get("\(ben)/\(list)", token: token).body, link: nil)
          .items.map(\.handle)
      }
      #expect(try await names("followers", nil) == ["anna"])
      _ = try await Self.update("hide_collections=true", harness, tokens[1])
      for token in [nil, tokens[0], tokens[2]] {
        for list in ["followers", "following"] { #expect(try await names(list, token).isEmpty) }
      }
      #expect(try await names("followers", tokens[1]) == ["anna"])
      #expect(try await names("following", tokens[1]) == ["cora"])
      _ = try await Self.update("hide_collections=false", harness, tokens[1])
      #expect(try await names("following", nil) == ["cora"])
    }
  }

  @Test(arguments: Front.allCases)
  func `posts of an account that is not indexed are found only by it and by mentioned users`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let tokens = try harness.people("anna", "ben", "cora")
      try await harness.post("kiosk for @cora", token: tokens[0])
      func count(_ token: String?) async throws -> Int {
        let answer = try await harness.get("/api/v2/search?q=kiosk&type=statuses", token: token)
        return try WireDecoder.searchResults(from: answer.body).qwinks.count
      }
      #expect(try await count(tokens[1]) == 1)
      _ = try await Self.update("indexable=false", harness, tokens[0])
      var counts: [Int] = []
      for token in tokens { counts.append(try await count(token)) }
      #expect(counts == [1, 0, 1])
      _ = try await Self.update("indexable=true", harness, tokens[0])
      #expect(try await count(tokens[1]) == 1)
    }
  }

  @Test(arguments: Front.allCases)
  func `the instance reports the limits that apply`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let info = try WireDecoder.serverInfo(from: try await harness.get("/api/v2/instance").body)
      let limits = info.limits.profile
      func status(_ name: String, _ count: Int) async throws -> Int {
        let text = String(repeating: "a", count: count)
        return try await Self.update("\(name)=\(text)", harness, alice).head.status.code
      }
      for (name, most) in [
        ("display_name", limits.name), ("note", limits.note), ("fields_attributes[0][name]", limits.fieldName),
        ("fields_attributes[0][value]", limits.fieldValue),
      ] {
        #expect(try await status(name, most) == 200, "\(name)")
        #expect(try await status(name, most + 1) == 422, "\(name)")
      }
      func fields(_ count: Int) -> String {
        (0..<count).map { "fields_attributes[\($0)][name]=a" }.joined(separator: "&")
      }
      #expect(try await Self.update(fields(limits.fields), harness, alice).head.status == .ok)
      #expect(try await Self.update(fields(limits.fields + 1), harness, alice).head.status == .unprocessableContent)
    }
  }
}
