import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Every key in the help works if the server supports it, and otherwise shows the reason.
@MainActor
@Suite(.bounded) struct AbilityTests {
  /// Keys for actions on a qwink that some servers lack, with the path of the request and the required ability.
  private static let acts: [(keys: [String], path: String, ability: Ability)] = [
    (["P"], "/api/v1/statuses/own/pin", .pins), (["g", "m"], "/api/v1/statuses/own/mute", .threadMutes),
    (["M"], "/api/v1/accounts/alice-id/mute", .mutes), (["B", "y"], "/api/v1/accounts/alice-id/block", .blocks),
  ]

  /// A server with a qwink by mara and one by alice. It responds to all calls above with `status`.
  private func server(status: Int) -> ScriptedTimeline {
    let server = ScriptedTimeline()
    let (own, other) = (
      Qwink.sample(id: "own", text: "Mine", author: .sample("mara")),
      Qwink.sample(id: "other", text: "Theirs", author: .sample("alice"))
    )
    server.add([own, other])
    server.handle(.get, "/api/v1/statuses/own") { _ in .json(WireEncoder.qwink(own)) }
    server.handle(.get, "/api/v1/accounts/alice-id") { _ in .json(WireEncoder.qwinker(.sample("alice"))) }
    for act in Self.acts {
      server.handle(.post, act.path) { _ in .text("<h1>404 Not Found</h1>", status: status) }
    }
    return server
  }

  private func strike(_ keys: [String], on screen: Screen) async {
    for key in keys { await screen.press(key) }
  }

  @Test(arguments: [405, 501])
  func `an unsupported key shows the reason and disappears from the help`(status: Int) async throws {
    let server = server(status: status)
    let screen = try await Screen.settled(server, rows: 480, columns: 90)
    let words = ["P  ", "gm  ", "B  ", try Screen.summary(of: .mute)]
    await screen.press("?")
    for word in words { #expect(screen.lines.contains { $0.contains("  \(word)") }, "\(word)") }
    await screen.press("q")
    for act in Self.acts {
      let place = act.path.contains("alice") ? "G" : "g"
      await screen.press(place, place)
      await strike(act.keys, on: screen)
      let sentence = ScriptedTimeline.lack(of: act.ability)
      #expect(screen.text.contains(sentence), "\(act.keys): \(screen.status)")
      let count = server.paths.count { $0 == act.path }
      // The muted author's row was removed and restored, so the selection may have moved.
      await screen.press(place, place)
      // The key is refused at once, so there is no question to confirm with "y".
      await strike(act.keys.filter { $0 != "y" }, on: screen)
      #expect(screen.text.contains(sentence), "\(act.keys) again: \(screen.status)")
      #expect(server.paths.count { $0 == act.path } == count, "\(act.keys) asked again")
      // Without a question, "y" would do something else.
      #expect(!screen.text.contains(ActionWords.blockQuestion(.sample("alice"))))
    }
    #expect(screen.account.connection.abilities.missing == Set(Self.acts.map(\.ability)))
    await screen.press("?")
    for word in words { #expect(!screen.lines.contains { $0.contains("  \(word)") }, "\(word) is still there") }
    #expect(!screen.text.contains(":mute NAME") && !screen.text.contains(":block NAME"))
    let boost = try Screen.summary(of: .boost)
    #expect(screen.text.contains(boost) && screen.text.contains(":vote [NUMBERS]"))
  }

  @Test func `an action refused for an existing qwink stays in the help`() async throws {
    let server = server(status: 404)
    let screen = try await Screen.settled(server, rows: 480, columns: 140)
    for act in Self.acts where !act.path.contains("alice") {
      for _ in 1...2 {
        await screen.press("g", "g")
        await strike(act.keys, on: screen)
        #expect(screen.text.contains(ScriptedTimeline.refusal(of: act.ability)), "\(act.keys): \(screen.status)")
      }
      #expect(server.paths.count { $0 == act.path } == 1, "\(act.keys) asked again")
    }
    #expect(screen.account.connection.abilities.missing.isEmpty)
    await screen.press("?")
    for word in ["P  ", "gm  "] { #expect(screen.lines.contains { $0.contains("  \(word)") }, "\(word)") }
  }

  @Test func `the user's own threads can be muted even if other threads can't`() async throws {
    let server = server(status: 200)
    let own = Qwink.sample(id: "own", text: "Mine", author: .sample("mara"))
    server.handle(.post, "/api/v1/statuses/own/mute") { _ in .json(WireEncoder.qwink(own)) }
    server.handle(.post, "/api/v1/statuses/other/mute") { _ in .json(WireEncoder.error("Not Found"), status: 404) }
    server.handle(.get, "/api/v1/statuses/other") { _ in
      .json(WireEncoder.qwink(.sample(id: "other", text: "Theirs", author: .sample("alice"))))
    }
    let screen = try await Screen.settled(server, columns: 140)
    await screen.press("G", "g", "m")
    #expect(screen.status.contains(ScriptedTimeline.refusal(of: .threadMutes)), "\(screen.status)")
    await screen.press("g", "g", "g", "m")
    #expect(server.paths.contains("/api/v1/statuses/own/mute"), "\(screen.status)")
    #expect(!screen.text.contains(ScriptedTimeline.refusal(of: .threadMutes)), "\(screen.status)")
  }

  @Test func `a deleted qwink does not affect the server's abilities`() async throws {
    let server = server(status: 404)
    server.handle(.get, "/api/v1/statuses/own") { _ in
      .json(WireEncoder.error("Record not found"), status: 404)
    }
    let screen = try await Screen.settled(server, rows: 480, columns: 90)
    await screen.press("P")
    let reason = DownloadError.notFound(host: ScriptedTimeline.host, message: "").summary
    #expect(screen.status.contains(reason), "\(screen.status)")
    #expect(screen.account.connection.abilities.missing.isEmpty)
    await screen.press("?")
    let pin = try Screen.summary(of: .pin)
    #expect(screen.text.contains(pin))
  }

  @Test func `features missing from a server's description are not in the help`() async throws {
    let server = ScriptedTimeline()
    var qwink = Qwink.sample(id: "own", text: "Tea?", author: .sample("alice"))
    qwink.poll = Poll(id: "9", options: [Poll.Option(title: "Tea", votesCount: 3)])
    server.add([qwink])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.limits.lacking = [.polls, .uploads]
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    let screen = try await Screen.settled(server, rows: 480, columns: 90)
    #expect(screen.account.connection.abilities.missing == [.polls, .uploads])
    await screen.press("x")
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .polls)), "\(screen.status)")
    await screen.press(":")
    screen.type("vo")
    await screen.press("Tab")
    #expect(!screen.text.contains(":vote"))
    await screen.press("Esc", "?")
    let (vote, boost) = (try Screen.summary(of: .vote), try Screen.summary(of: .boost))
    #expect(!screen.text.contains(vote) && !screen.text.contains(":vote"))
    #expect(screen.text.contains(boost))
  }

  @Test func `hints for the next key omit unsupported actions`() async throws {
    let server = server(status: 405)
    let screen = try await Screen.settled(server, columns: 160)
    let hint = try Screen.hint(for: .muteThread).dropFirst()
    screen.strike("g")
    #expect(screen.status.contains(hint), "\(screen.status)")
    screen.strike("m")
    await screen.settle()
    screen.strike("g")
    #expect(!screen.status.contains(hint), "\(screen.status)")
  }
}
