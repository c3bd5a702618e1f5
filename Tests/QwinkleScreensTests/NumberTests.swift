import HTTPTypes
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// A server that sends extreme numbers in any field.
@MainActor
@Suite(.bounded) struct NumberTests {
  nonisolated private static func account(_ number: String) -> String {
    """
    {"id":"7","username":"ann","acct":"ann","display_name":"Ann","followers_count":\(number),"following_count":\(number),
    "statuses_count":\(number),"created_at":\(number)}
    """
  }

  nonisolated private static func status(_ id: String, _ number: String) -> String {
    """
    {"id":"\(id)","created_at":"2026-01-01T00:00:00.000Z","edited_at":\(number),"visibility":"public",
    "content":"<p>Qwink \(id)</p>","account":\(account(number)),"replies_count":\(number),"reblogs_count":\(number),
    "favourites_count":\(number),"poll":{"id":\(number),"votes_count":\(number),"voters_count":\(number),
    "expires_at":\(number),"own_votes":[\(number)],"options":[{"title":"yes","votes_count":\(number)},
    {"title":"no","votes_count":\(number)}]},"media_attachments":[{"id":\(number),"type":"image","url":"https://x.example/1",
    "meta":{"original":{"width":\(number),"height":\(number),"duration":\(number)}}}]}
    """
  }

  nonisolated private static func instance(_ number: String) -> String {
    """
    {"domain":"tilde.example","title":"Tilde","version":"4.3.0","configuration":{"statuses":{"max_characters":\(number),
    "characters_reserved_per_url":\(number),"max_media_attachments":\(number)}}}
    """
  }

  nonisolated private static func answer(_ text: String) -> ScriptedTimeline.Handler {
    { _ in .json(Array(text.utf8)) }
  }

  private func screen(_ number: String) async throws -> Screen {
    let server = ScriptedTimeline()
    let ids = ["3", "2", "1"]
    server.handle(
      .get, "/api/v1/timelines/public",
      by: Self.answer("[\(ids.map { Self.status($0, number) }.joined(separator: ","))]"))
    server.handle(.get, "/api/v2/instance", by: Self.answer(Self.instance(number)))
    server.handle(.get, "/api/v1/accounts/7", by: Self.answer(Self.account(number)))
    for id in ids {
      for verb in ["favourite", "unfavourite", "reblog", "unreblog", "bookmark", "unbookmark"] {
        server.handle(.post, "/api/v1/statuses/\(id)/\(verb)", by: Self.answer(Self.status(id, number)))
      }
      server.handle(.get, "/api/v1/statuses/\(id)", by: Self.answer(Self.status(id, number)))
    }
    return try await Screen.settled(server)
  }

  @Test(arguments: [
    "0", "-1", "2147483648", "9007199254740992", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "4611686018427387904", "1e308", "-0.5", #""12""#, #""9223372036854775807""#, "null",
    #""292277026596-12-04T15:30:07Z""#,
  ])
  func `no number from a server crashes the app on a key press`(number: String) async throws {
    let screen = try await screen(number)
    #expect(screen.selected == 3, "\(screen.text)")
    await screen.press("f", "f", "b", "m", "u", "j", "f", "u", "Enter", "f", "b", "Esc")
    await screen.press("a", "F", "Esc")
    await screen.press("c")
    screen.type("https://example.org/a https://example.org/b and https://example.org/c")
    await screen.settle()
    #expect(screen.text.contains("https://example.org/a"), "\(screen.text)")
    await screen.press("Esc")
    screen.advance(by: .seconds(90))
    await screen.press("1", "R")
    #expect(screen.exitStatus == nil && screen.text.contains("Qwink 3"), "\(screen.text)")
  }
}
