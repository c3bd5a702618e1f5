import FoundationEssentials
import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Boosts of one post, which lists fold into one row.
@MainActor
@Suite(.bounded) struct FoldedBoostsScreenTests {
  /// A boost as Mastodon sends it. `id` orders it among the other qwinks.
  private func boost(_ number: Int, by name: String, id: Int) -> Qwink {
    var boost = ScriptedTimeline.qwink(number)
    boost.originalID = boost.id
    boost.id = Qwink.ID("\(id)")
    boost.booster = .sample(name)
    boost.boostedAt = ScriptedTimeline.qwink(id).createdAt
    return boost
  }

  private func qwinks(_ numbers: ClosedRange<Int>) -> [Qwink] { numbers.reversed().map(ScriptedTimeline.qwink) }

  /// Qwinks 30 to 1 and, between 25 and 24, a boost of qwink 900 by bob.
  private func server() -> ScriptedTimeline {
    let server = ScriptedTimeline()
    server.replace(with: qwinks(225...230) + [boost(900, by: "bob", id: 224)] + qwinks(201...223))
    return server
  }

  private func boosters(_ screen: Screen) -> String? {
    screen.lines.first { $0.contains("↻ boosted by") }.map { String($0.drop { $0 != "↻" }).trimmingSuffix() }
  }

  private func position(_ screen: Screen) -> Substring? {
    screen.way.split(separator: " ").first { $0.contains("/") }
  }

  private func row(of text: String, on screen: Screen) -> Int? { screen.lines.firstIndex { $0.contains(text) } }

  @Test func `the boosts of a page are one row with the newest booster first`() async throws {
    let server = server()
    server.add([boost(900, by: "carol", id: 232), boost(901, by: "erin", id: 231)])
    let screen = try await Screen.settled(server, rows: 40)
    #expect(screen.visible.prefix(3) == [900, 901, 230] && screen.visible.count { $0 == 900 } == 1, "\(screen.text)")
    #expect(boosters(screen) == "↻ boosted by carol and bob", "\(screen.text)")
    #expect(position(screen) == "1/31", "\(screen.way)")
    // The boosters of the post are listed as before, and either name finds it.
    await screen.press("/")
    screen.type("bob")
    await screen.press("Enter")
    #expect(screen.selected != nil)
    let rows = screen.account.timelines.timeline(.public).rows.compactMap(\.qwink)
    #expect(rows.count == 32 && rows.count { $0.originalID == "900" } == 2)
  }

  @Test func `a new boost adds a name to a shown row and moves nothing`() async throws {
    let server = server()
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 6)
    #expect(screen.selected == 900 && boosters(screen) == "↻ boosted by bob", "\(screen.text)")
    let (visible, place) = (screen.visible, row(of: "Qwink 900", on: screen))
    for (id, name, words) in [
      (231, "carol", "carol and bob"), (232, "dana", "dana and 2 more"), (233, "erin", "erin and 3 more"),
    ] {
      server.add([boost(900, by: name, id: id)])
      await screen.pass(.seconds(60))
      #expect(boosters(screen) == "↻ boosted by \(words)", "\(screen.text)")
      #expect(screen.visible == visible && screen.selected == 900 && row(of: "Qwink 900", on: screen) == place)
      #expect(position(screen) == "7/30", "\(screen.way)")
      // The row is read, and no other row is new.
      #expect(!screen.status.contains(StatusWords.newAbove), "\(screen.status)")
    }
    // The mark at the top includes the new boosts.
    await screen.press("g", "g")
    #expect(screen.visible.first == 230)
    #expect(screen.account.readPositions.mark(in: .timeline(.public))?.id == "233")
    await screen.press("Tab")
    #expect(screen.status.contains(MainWords.nothingUnread), "\(screen.text)")
  }

  @Test func `a boost adds its name to the shown post, whose row grows below a row that stays`() async throws {
    let server = server()
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 3)
    let place = row(of: "Qwink 227", on: screen)
    server.add([boost(229, by: "erin", id: 231)])
    await screen.pass(.seconds(60))
    #expect(boosters(screen) == "↻ boosted by erin", "\(screen.text)")
    #expect(screen.selected == 227 && row(of: "Qwink 227", on: screen) == place, "\(screen.text)")
    #expect(position(screen) == "4/30" && screen.visible.count { $0 == 229 } == 1)
  }

  @Test func `an undone boost loses its name, and the selection stays with the post`() async throws {
    let server = server()
    let screen = try await Screen.settled(server, rows: 40)
    await screen.press("j", times: 6)
    server.add([boost(900, by: "dana", id: 232), boost(900, by: "carol", id: 231)])
    await screen.pass(.seconds(60))
    #expect(boosters(screen) == "↻ boosted by dana and 2 more", "\(screen.text)")
    server.replace(
      with: [boost(900, by: "carol", id: 231)] + qwinks(225...230)
        + [boost(900, by: "bob", id: 224)] + qwinks(201...223))
    await screen.pass(.seconds(60))
    #expect(boosters(screen) == "↻ boosted by carol and bob" && screen.selected == 900, "\(screen.text)")
    // The boost of the selected row itself is undone.
    server.replace(with: [boost(900, by: "carol", id: 231)] + qwinks(225...230) + qwinks(201...223))
    await screen.pass(.seconds(60))
    #expect(boosters(screen) == "↻ boosted by carol" && screen.selected == 900, "\(screen.text)")
    #expect(position(screen) == "1/30" && !screen.status.contains(StatusWords.newAbove), "\(screen.text)")
  }

  @Test(arguments: ["bob", "carol"])
  func `a muted booster loses the name`(muted: String) async throws {
    let server = server()
    server.add([boost(900, by: "carol", id: 231)])
    server.setAnswer(WireEncoder.qwinker(.sample(muted)), of: "/api/v1/accounts/lookup?acct=\(muted)")
    server.handle(.post, "/api/v1/accounts/\(muted)-id/mute") { _ in
      var relationship = Relationship(id: Qwinker.ID("\(muted)-id"))
      relationship.isMuting = true
      return .json(WireEncoder.relationship(relationship))
    }
    let screen = try await Screen.settled(server, rows: 40)
    #expect(boosters(screen) == "↻ boosted by carol and bob" && screen.selected == 900, "\(screen.text)")
    await screen.press(":")
    screen.type("mute \(muted)")
    await screen.press("Enter")
    #expect(boosters(screen) == "↻ boosted by \(muted == "bob" ? "carol" : "bob")", "\(screen.text)")
    #expect(screen.selected == 900, "\(screen.text)")
    await screen.press(":")
    screen.type("hide boosts")
    await screen.press("Enter")
    #expect(boosters(screen) == nil && !screen.visible.contains(900), "\(screen.text)")
  }

  @Test func `a boost beyond a gap is a row until the gap is filled`() async throws {
    let server = server()
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 6)
    server.add([boost(900, by: "dana", id: 262)] + qwinks(231...261))
    server.limitRows(to: 12)
    await screen.pass(.seconds(60))
    #expect(screen.selected == 900 && boosters(screen) == "↻ boosted by bob", "\(screen.text)")
    await screen.press("g", "g")
    #expect(screen.selected == 900 && boosters(screen) == "↻ boosted by dana", "\(screen.text)")
    #expect(screen.text.contains("1/") && screen.account.timelines.timeline(.public).rows.contains { $0.cursor != nil })
    let count = try #require(position(screen).flatMap { Int($0.dropFirst(2).prefix { $0.isNumber }) })
    // Both rows were shown, so both stay, and no row is lost.
    server.limitRows(to: 40)
    for _ in 0..<12 { await screen.press("j") }
    await screen.press("Enter")
    #expect(!screen.account.timelines.timeline(.public).rows.contains { $0.cursor != nil }, "\(screen.text)")
    #expect(position(screen)?.hasSuffix("/\(count - 1 + 20)") ?? false, "\(count) \(screen.way)")
  }

  @Test func `a restart restores the row where the post was read`() async throws {
    let server = server()
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("j", times: 6)
    server.add([boost(900, by: "carol", id: 232)] + qwinks(231...231))
    await screen.pass(.seconds(60))
    #expect(screen.selected == 900 && boosters(screen) == "↻ boosted by carol and bob", "\(screen.text)")
    let visible = screen.visible
    screen.strike("^C", "^C")
    await screen.settle()
    let again = try Screen(server, in: folder)
    #expect(again.selected == 900 && again.visible == visible, "\(again.text)")
    #expect(boosters(again) == "↻ boosted by carol and bob", "\(again.text)")
    await again.settle()
    #expect(again.selected == 900 && again.visible == visible, "\(again.text)")
  }

  @Test func `all densities and the linear form name the boosters as they name one`() async throws {
    let server = server()
    server.add([boost(900, by: "dana", id: 232), boost(900, by: "carol", id: 231)])
    let screen = try await Screen.settled(server)
    await screen.press("g", "z")
    #expect(screen.lines.contains { $0.contains("↻ dana") && !$0.contains("more") }, "\(screen.text)")
    await screen.press("g", "z")
    #expect(screen.lines.contains { $0.contains("↻ Qwink 900") }, "\(screen.text)")
    let linear = try await Screen.settled(server, isLinear: true)
    #expect(linear.said.contains("boosted by dana and 2 more"), "\(linear.said)")
  }

  @Test func `the unread count of a section that wasn't opened counts a post once`() async throws {
    let server = server()
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, columns: 100, in: folder)
    await screen.press("2")
    screen.strike("^C", "^C")
    await screen.settle()
    server.add([231, 232].map { boost(901, by: "b\($0)", id: $0) })
    let again = try Screen(server, columns: 100, in: folder)
    again.strike("1")
    await again.settle()
    #expect(again.visible.count { $0 == 901 } <= 1)
    #expect(again.status.contains(StatusWords.newCount(1)) || again.header.contains("1 Public 1"), "\(again.text)")
  }

  /// Boosts arrive and are undone at random while the reader stays at one post.
  @Test(arguments: Soak.seeds(6))
  func `the selected post stays selected while boosts come and go`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let server = ScriptedTimeline()
    var rows = qwinks(201...230)
    for number in 0..<5 { rows.insert(boost(900 + number % 3, by: "b\(number)", id: 230 - 5 * number), at: 5 * number) }
    let boosts = Set(rows.filter { $0.booster != nil }.map(\.id))
    rows.removeAll { $0.booster == nil && boosts.contains($0.id) }
    server.replace(with: rows)
    let screen = try await Screen.settled(server)
    await screen.press("j", times: Int.random(in: 1...8, using: &random))
    var selected = try #require(screen.selected)
    var next = 231
    // So few that all rows of a post stay near.
    for _ in 0..<7 {
      let known = rows
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let isBoost = Bool.random(using: &random)
        rows.insert(
          isBoost
            ? boost(Int.random(in: 900...903, using: &random), by: "b\(next)", id: next) : ScriptedTimeline.qwink(next),
          at: 0)
        next += 1
      }
      // Of each post, at least one known row stays. The selection doesn't follow a row that arrives together with the
      // removal.
      if let gone = rows.indices.filter({ rows[$0].booster != nil }).randomElement(using: &random),
        known.contains(where: { $0.originalID == rows[gone].originalID && $0.id != rows[gone].id })
      {
        rows.remove(at: gone)
      }
      server.replace(with: rows)
      await screen.pass(.seconds(60))
      #expect(screen.selected == selected, "\(screen.text)")
      #expect(screen.lines.count { $0.hasPrefix("▌") } <= 4)
      let shown = screen.visible
      #expect(Set(shown).count == shown.count, "\(shown)")
      if Bool.random(using: &random) {
        await screen.press(Bool.random(using: &random) ? "j" : "k")
        selected = try #require(screen.selected)
      }
    }
    await screen.press("g", "g")
    await screen.press("R")
    let all = screen.account.timelines.timeline(.public).rows.compactMap(\.qwink?.id)
    #expect(all.prefix(40) == rows.prefix(40).map(\.id)[...])
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
