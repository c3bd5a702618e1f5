import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Addresses that the server's search doesn't find.
@MainActor
@Suite(.bounded) struct OwnAddressTests {
  private let navigator = RecordingNavigator()
  private let opener = RecordingOpener()

  private func open(_ path: String, onOther host: String? = nil, searchFails: Bool = false) async throws -> String {
    let server = ScriptedTimeline([3, 2, 1])
    server.handle(.get, "/api/v2/search") { _ in
      searchFails ? .text("", status: 500) : .json(Array(#"{"accounts":[],"statuses":[],"hashtags":[]}"#.utf8))
    }
    server.handle(.get, "/api/v1/statuses/9") { _ in .json(WireEncoder.qwink(.sample(id: "9"))) }
    let screen = try await Screen.settled(server)
    let links = LinkActions(account: screen.account, opener: opener, keymap: try Screen.keymap())
    links.navigator = navigator
    let address = (host ?? screen.account.connection.serverURL) + path
    links.open(try #require(WebAddress(address)))
    await screen.settle()
    return address
  }

  @Test(arguments: ["/@alice/9", "/@alice/statuses/9", "/users/alice/statuses/9"], [true, false])
  func `a post's address on the account's own server opens in the app`(
    path: String, searchFails: Bool
  ) async throws {
    _ = try await open(path, searchFails: searchFails)
    #expect(opener.opened.isEmpty && navigator.places.count == 1)
    guard case .thread(let qwink) = navigator.places.first else {
      Issue.record("\(navigator.places)")
      return
    }
    #expect(qwink.id == "9")
  }

  @Test(arguments: [nil, "https://other.example"]) func `other pages open in the browser`(host: String?) async throws {
    let address = try await open(host == nil ? "/@alice/404" : "/@alice/9", onOther: host)
    #expect(opener.opened == [address] && navigator.places.isEmpty)
  }
}
