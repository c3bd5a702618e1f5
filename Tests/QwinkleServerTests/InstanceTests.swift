import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Facts that the service reports about itself and its users.
@Suite(.bounded) struct InstanceTests {
  @Test(arguments: Front.allCases)
  func `instance responses report the service's counts and limits`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      try await harness.post("one", token: alice)
      let first = try await harness.get("/api/v1/instance").object
      let stats = try #require(first["stats"] as? [String: Int])
      #expect(stats["user_count"] == 2 && stats["status_count"] == 1)
      let second = try await harness.get("/api/v2/instance").object
      let users = (second["usage"] as? [String: Any])?["users"] as? [String: Int]
      #expect(users?["active_month"] == 1)
      let configuration = try #require(second["configuration"] as? [String: [String: Any]])
      #expect(configuration["polls"]?["max_options"] as? Int == PollHandlers.mostOptions)
      #expect(configuration["polls"]?["max_expiration"] as? Int == PollHandlers.seconds.upperBound)
      #expect(configuration["statuses"]?["max_media_attachments"] as? Int == 4)
      #expect(configuration["media_attachments"]?["image_size_limit"] as? Int == Picture.mostBytes)
      #expect(configuration["media_attachments"]?["image_matrix_limit"] as? Int == Picture.mostPixels)
      let types = try #require(configuration["media_attachments"]?["supported_mime_types"] as? [String])
      #expect(types == ["image/png", "image/jpeg", "image/gif", "image/webp"])
      #expect(configuration["accounts"]?["max_pinned_statuses"] as? Int == 5)
      #expect((second["api_versions"] as? [String: Int])?["mastodon"] == 7)

      let thumbnail = try #require((second["thumbnail"] as? [String: Any])?["url"] as? String)
      #expect(first["thumbnail"] as? String == thumbnail)
      #expect(try await harness.get(thumbnail).head.headerFields[.contentType] == "image/png")

      let links = try await harness.get("/.well-known/nodeinfo").object["links"] as? [[String: String]]
      let node = try await harness.get(try #require(links?.first?["href"])).object
      #expect((node["software"] as? [String: String])?["name"] == "qwinkle")
      #expect((node["usage"] as? [String: Any])?["localPosts"] as? Int == 1)
      #expect(try await harness.get("/api/v1/instance/rules").text == "[]")
    }
  }

  @Test(arguments: Front.allCases)
  func `every account has an avatar and the date of its last public post`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice_b2")
      func me() async throws -> [String: Any] {
        try await harness.get("/api/v1/accounts/verify_credentials", token: alice).object
      }
      try await harness.post("quiet", token: alice, visibility: .private)
      #expect(try await me()["last_status_at"] is NSNull)
      try await harness.post("open", token: alice, visibility: .unlisted)
      let account = try await me()
      #expect(account["last_status_at"] as? String == String(WireDate.text(harness.clock.now).prefix(10)))
      for (key, width) in [("avatar", 96), ("avatar_static", 96), ("header", 24), ("header_static", 24)] {
        let picture = try await harness.get(try #require(account[key] as? String))
        #expect(picture.head.status == .ok && picture.head.headerFields[.contentType] == "image/png")
        #expect(picture.body.prefix(8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(picture.body[16..<20].elementsEqual([0, 0, 0, UInt8(width)]))
      }
      for path in ["/avatars/nobody.png", "/avatars/alice_b2", "/avatars/alice_b2.svg"] {
        #expect(try await harness.get(path).head.status == .notFound)
      }
      try harness.service.setSuspension(of: "alice_b2", to: true)
      #expect(try await harness.get("/avatars/alice_b2.png").head.status == .notFound)
    }
  }

  @Test func `default avatars differ for different names`() {
    let names = ["a", "b", "a_b", "a_c", "b_a", "_", "0"]
    #expect(Set(names.map { InitialsPicture.avatar(of: $0) }).count == names.count)
  }
}
