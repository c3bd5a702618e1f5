import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Blurhashes of uploaded pictures.
@Suite(.bounded) struct BlurhashTests {
  /// Returns the same hash for each picture and records the files.
  private final class Maker: Sendable {
    private let state = Mutex<[[UInt8]]>([])

    var files: [[UInt8]] { state.withLock { $0 } }

    @concurrent func blurhash(of bytes: [UInt8]) async -> String? {
      state.withLock { $0.append(bytes) }
      return BlurhashTests.hash
    }
  }

  private static let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

  @Test(arguments: Front.allCases)
  func `an upload has its blurhash in every response`(_ front: Front) async throws {
    let maker = Maker()
    try await withService(front, blurhash: maker.blurhash(of:)) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let picture = try await harness.upload(SamplePictures.jpeg(orientation: 6), token: alice)
      #expect(picture.blurhash == Self.hash)
      // The hash is computed from the cleaned file, which is also the one stored.
      #expect(maker.files == [try Picture(cleaning: SamplePictures.jpeg(orientation: 6)).bytes])
      let qwink = try await harness.post("A frog", media: [picture], token: alice)
      #expect(qwink.attachments.map(\.blurhash) == [Self.hash])
      #expect(try await harness.page("/api/v1/timelines/public").items.map(\.attachments[0].blurhash) == [Self.hash])
      let again = try await harness.get("/api/v1/media/\(picture.id)", token: alice)
      #expect(again.object["blurhash"] as? String == Self.hash)
      let history = try await harness.get("/api/v1/statuses/\(qwink.id)/history", token: alice)
      #expect(history.text.contains(#""blurhash":"LEHV6nWB2yk8pyo0adR*.7kCMdnj""#), "\(history.text)")
    }
  }

  @Test func `an upload without a hash has a null blurhash`() async throws {
    let makers: [(@Sendable ([UInt8]) async -> String?)?] = [nil, { _ in nil }]
    for maker in makers {
      try await withService(blurhash: maker) { harness in
        let alice = try harness.service.addQwinker(named: "alice")
        let answer = try await harness.sendForm(
          .post, "/api/v2/media", files: [("file", SamplePictures.png())], token: alice)
        #expect(answer.head.status == .ok && answer.text.contains(#""blurhash":null"#), "\(answer.text)")
      }
    }
  }

  @Test func `rejected files and profile pictures aren't hashed`() async throws {
    let maker = Maker()
    try await withService(blurhash: maker.blurhash(of:)) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let refused = try await harness.sendForm(
        .post, "/api/v2/media", files: [("file", Array("<script>".utf8))], token: alice)
      #expect(refused.head.status.code == 422)
      let profile = try await harness.sendForm(
        .patch, "/api/v1/accounts/update_credentials", files: [("avatar", SamplePictures.png())], token: alice)
      #expect(profile.head.status == .ok, "\(profile.text)")
      #expect(maker.files.isEmpty)
    }
  }
}
