import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

@Suite(.bounded) struct ProfileDirectTests {
  @Test(arguments: Front.allCases)
  func `exclude_direct hides direct messages in every part of a profile`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      let id = try harness.id(of: "alice")
      var media: [String] = []
      for visibility in [Visibility.public, .direct] {
        let entry = Entry(
          text: "@bob \(visibility.rawValue) #frog", visibility: visibility,
          attachmentIDs: [try await harness.upload(token: alice).id.rawValue], idempotencyKey: visibility.rawValue)
        media.append(try WireDecoder.qwink(from: try await harness.send(entry, token: alice).body).id.rawValue)
      }
      for part in ["", "exclude_replies=true&", "exclude_reblogs=true&", "only_media=true&"] {
        let path = "/api/v1/accounts/\(id)/statuses?\(part)"
        #expect(try await harness.page(path, token: alice).items.count == 2, "\(part)")
        let rest = try await harness.page(path + "exclude_direct=true", token: alice).items
        #expect(rest.map(\.id.rawValue) == [media[0]], "\(part)")
      }
      #expect(try await harness.react("pin", Qwink.ID(media[0]), token: alice).isPinned)
      let pinned = "/api/v1/accounts/\(id)/statuses?pinned=true&exclude_direct=true"
      #expect(try await harness.page(pinned, token: alice).items.map(\.id.rawValue) == [media[0]])
    }
  }
}
