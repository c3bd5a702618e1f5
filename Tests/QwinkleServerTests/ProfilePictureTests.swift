import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Profile pictures, pictures on pages, and upload limits.
@Suite(.bounded) struct ProfilePictureTests {
  @Test(arguments: Front.allCases)
  func `avatar and header can be uploaded and replaced and removed`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      func update(_ files: [(String, [UInt8])]) async throws -> [String: Any] {
        let answer = try await harness.sendForm(
          .patch, "/api/v1/accounts/update_credentials", [("display_name", "Alice")], files: files, token: alice)
        #expect(answer.head.status == .ok, "\(answer.text)")
        return answer.object
      }
      let first = try await update([("avatar", SamplePictures.jpeg()), ("header", SamplePictures.webp())])
      #expect(first["display_name"] as? String == "Alice")
      let avatar = try #require(first["avatar"] as? String)
      #expect(avatar.contains("/media/") && first["avatar_static"] as? String == avatar)
      #expect(try await harness.get(avatar).head.headerFields[.contentType] == "image/jpeg")
      #expect(try await harness.get(try #require(first["header"] as? String)).head.status == .ok)
      let second = try await update([("avatar", SamplePictures.png())])
      #expect(second["avatar"] as? String != avatar && second["header"] as? String == first["header"] as? String)
      #expect(try await harness.get(avatar).head.status == .notFound)
      #expect(harness.mediaFiles.count == 2)
      let removed = try await harness.send(.delete, "/api/v1/profile/avatar", token: alice)
      #expect((removed.object["avatar"] as? String)?.contains("/avatars/alice.png") == true, "\(removed.text)")
      let refused = try await harness.sendForm(
        .patch, "/api/v1/accounts/update_credentials", [("display_name", "Other")],
        files: [("avatar", Array("<svg/>".utf8))], token: alice)
      #expect(refused.head.status == .unprocessableContent)
      let me = try await harness.get("/api/v1/accounts/verify_credentials", token: alice)
      #expect(me.object["display_name"] as? String == "Alice")
    }
  }

  @Test(arguments: Front.allCases)
  func `pages show pictures and descriptions from this server only`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let picture = try await harness.upload(SamplePictures.png(), "A \"frog\" <b>", token: alice)
      let qwink = try await harness.post("look", media: [picture], token: alice)
      let page = try await harness.get("/@alice/\(qwink.id)")
      let name = try #require(picture.url?.split(separator: "/").last)
      #expect(page.text.contains("<img src=\"/media/\(name)\" alt=\"A &quot;frog&quot; &lt;b&gt;\" width=\"24\""))
      #expect(page.text.contains("loading=\"lazy\""))
      #expect(page.text.contains("<span class=\"avatar") && !page.text.contains("<img class=\"avatar"))
      let me = try await harness.sendForm(
        .patch, "/api/v1/accounts/update_credentials", [], files: [("avatar", SamplePictures.jpeg())], token: alice)
      let avatar = try #require((me.object["avatar"] as? String)?.split(separator: "/").last)
      for path in ["/", "/@alice", "/@alice/\(qwink.id)"] {
        let shown = try await harness.send(.get, path, headers: [.accept: "text/html"]).text
        #expect(shown.contains("<img class=\"avatar\" src=\"/media/\(avatar)\" alt=\"\">"), "\(path)")
      }
      #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
    }
  }

  @Test func `uploads are limited for each account`() async throws {
    try await withServedFront { harness, _ in
      let alice = try harness.service.addQwinker(named: "alice")
      for _ in 0..<30 { _ = try await harness.upload(token: alice) }
      let answer = try await harness.sendForm(
        .post, "/api/v2/media", files: [("file", SamplePictures.png())], token: alice)
      #expect(answer.head.status == .tooManyRequests)
    }
  }

  @Test func `a large body requires a sign-in and has a maximum size`() async throws {
    try await withServedFront { harness, _ in
      let alice = try harness.service.addQwinker(named: "alice")
      func head(_ token: String?, _ length: Int, path: String = "/api/v2/media", more: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n"
          + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
          + "Content-Type: multipart/form-data; boundary=b\r\n\(more)\r\n"
      }
      for (token, length, path, status) in [
        (nil, 2 << 20, "/api/v2/media", 401), ("wrong", 2 << 20, "/api/v2/media", 401),
        (alice, ServiceRequest.mostUploadBytes + 1, "/api/v2/media", 413),
        (alice, ServiceRequest.mostBodyBytes + 1, "/api/v1/statuses", 413),
      ] as [(String?, Int, String, Int)] {
        let client = try RawClient(port: harness.port)
        try client.send(head(token, length, path: path, more: "Expect: 100-continue\r\n"))
        let answer = await client.readResponse()
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(path) \(length): \(answer)")
      }
      // A large file, sent only after the server allows it.
      let file = SamplePictures.jpeg() + [UInt8](repeating: 0, count: 3 << 20)
      let body =
        Array("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n".utf8) + file
        + Array("\r\n--b--\r\n".utf8)
      let client = try RawClient(port: harness.port)
      try client.send(head(alice, body.count, more: "Expect: 100-continue\r\n"))
      #expect(await client.readResponse().hasPrefix("HTTP/1.1 100"))
      try client.send(body)
      let response = await client.readResponse()
      #expect(response.hasPrefix("HTTP/1.1 200"), "\(response)")
      #expect(harness.mediaFiles.count == 1)
    }
  }
}
