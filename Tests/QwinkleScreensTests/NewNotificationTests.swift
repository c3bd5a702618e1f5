import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Notifications of newer kinds in the whole program.
@MainActor
@Suite(.bounded) struct NewNotificationTests {
  private func screen(
    _ json: String, describes: Bool = false, columns: Int = 80
  ) async throws -> (Screen, ScriptedTimeline) {
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.describesNotifications = describes
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    server.api.answer("GET /api/v1/notifications") { _ in .json(Array("[\(json)]".utf8)) }
    let screen = try await Screen.settled(server, columns: columns, hidesMessages: true)
    await screen.press("4")
    return (screen, server)
  }

  @Test(arguments: [40, 80])
  func `a warning without an account is shown and opens nothing`(columns: Int) async throws {
    let json = #"{"id":"1","type":"moderation_warning","moderation_warning":{"action":"silence","text":"Be kind."}}"#
    let (screen, _) = try await screen(json, columns: columns)
    // At 40 columns the sentence takes two rows.
    let words = NotificationWords.verb(of: .warning).split(separator: " ")
    #expect(words.allSatisfy(screen.text.contains) && screen.text.contains("Your account is limited."))
    await screen.press("Enter")
    #expect(screen.status.contains(NotificationWords.opensNothing), "\(screen.status)")
  }

  @Test func `a report opens the reported account, and a collection the account that made it`() async throws {
    let bob = #""account":{"id":"7","username":"bob","acct":"bob"}"#
    let report =
      #"{"id":"2","type":"admin.report",\#(bob),"report":{"target_account":{"id":"8","username":"cy","acct":"cy"}}}"#
    let (reported, _) = try await screen(report)
    await reported.press("Enter")
    #expect(reported.server.paths.contains { $0.hasPrefix("/api/v1/accounts/8") }, "\(reported.text)")
    let (listed, _) = try await screen(
      #"{"id":"1","type":"added_to_collection",\#(bob),"collection":{"name":"Leeks"}}"#)
    #expect(listed.text.contains("“Leeks”"))
    await listed.press("Enter")
    #expect(listed.server.paths.contains { $0.hasPrefix("/api/v1/accounts/7") }, "\(listed.text)")
  }

  @Test(arguments: [false, true])
  func `only a server that describes notifications receives the kinds that need no description`(describes: Bool)
    async throws
  {
    let json = #"{"id":"1","type":"garden_party","fallback":{"title":"<p>Dana <b>invites</b> you</p>","summary":null}}"#
    let (screen, server) = try await screen(json, describes: describes)
    await screen.press("R")
    let asked = server.api.asked.last { $0.hasPrefix("GET /api/v1/notifications?") } ?? ""
    #expect(asked.contains("supported_types%5B%5D=moderation_warning") == describes, "\(asked)")
    #expect(screen.text.contains("Dana invites you") && !screen.text.contains("garden"), "\(screen.text)")
  }
}
