import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import Testing

/// The entry in each of its forms, compared with files in the folder Golden.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct EntryGoldenTests {
  /// What is being written, and how it goes.
  enum Scene: String, CaseIterable, Sendable {
    case reply, replyWarned, replyOwn, message, messageMany, nobody, edit, fetching, saving
    case warning, more, completing, nothingFound, tooLong, failed
  }

  @Test(arguments: Scene.allCases, GoldenScreenTests.sizes)
  func `entries look as they did`(scene: Scene, size: Size) async throws {
    let gate = Gate()
    let server = ScriptedTimeline()
    server.add(Samples.all)
    let screen = try await Screen.settled(server, rows: size.rows, columns: size.columns)
    try await show(scene, on: screen, server, gate)
    let cursor = screen.cursor.map { "\ncursor at row \($0.row), column \($0.column)" } ?? ""
    // What stands above it is pictured elsewhere.
    let top = screen.lines.lastIndex { $0.hasPrefix("─") && $0.contains { $0.isLetter } } ?? 0
    let text = "from row \(top) of \(screen.lines.count)\n" + screen.lines[top...].joined(separator: "\n") + cursor
    gate.open()
    await screen.settle()
    try GoldenFile.expect(text, is: "entry-\(scene.rawValue)-\(size.columns)x\(size.rows)")
  }

  private func show(_ scene: Scene, on screen: Screen, _ server: ScriptedTimeline, _ gate: Gate) async throws {
    switch scene {
    case .reply:
      try screen.write(.reply(to: Samples.trains))
      screen.type("Three out of three? Name the line, I want to move there.")
    case .replyWarned: try screen.write(.reply(to: Samples.spoilers))
    case .replyOwn:
      var own = Samples.kiosk
      own.author = .sample("mara", displayName: "Mara")
      try screen.write(.reply(to: own))
    case .message:
      try screen.write(.message(to: Samples.bob))
      screen.type("bring two cups, the thermos has only one.")
    case .messageMany:
      try screen.write(.message(to: Samples.bob))
      screen.type("@carol @dana @erin @frank @gil @kaito@例え.example: nine, not ten.")
    case .nobody:
      try screen.write(.message(to: Samples.bob))
      screen.strike("^U")
      screen.type("nine, not ten.")
      await screen.press("^D")
    case .edit, .fetching, .saving: try await edit(scene, on: screen, server, gate)
    case .warning:
      screen.strike("c", "^X", "w")
      screen.type("Film spoilers")
    case .more:
      screen.strike("c")
      screen.type("Half a thou")
      screen.strike("^X")
    case .completing:
      server.handle(.get, "/api/v1/accounts/search") { _ in
        .json(WireEncoder.qwinkers(["kaspar", "karla", "kajetan", "kathrin"].map { .sample($0) }))
      }
      screen.strike("c")
      screen.type("Ask @ka")
      await screen.press("Tab", "Tab")
    case .nothingFound:
      server.handle(.get, "/api/v1/accounts/search") { _ in .json(WireEncoder.qwinkers([])) }
      screen.strike("c")
      screen.type("Ask @zz")
      await screen.press("Tab")
    case .tooLong:
      screen.strike("c")
      screen.type(String(repeating: "All work and no play. ", count: 24))
      await screen.press("^D")
    case .failed:
      server.failPosts(with: .interrupted(host: ScriptedTimeline.host))
      try screen.write(.message(to: Samples.bob))
      screen.type("nine, not ten.")
      await screen.press("^D")
    }
    await screen.turn()
  }

  private func edit(_ scene: Scene, on screen: Screen, _ server: ScriptedTimeline, _ gate: Gate) async throws {
    var own = Samples.kiosk
    own.author = .sample("mara", displayName: "Mara")
    own.visibility = .unlisted
    let source = QwinkSource(id: own.id, text: "Rebuilt the kiosk, https://example.org/kiosk", contentWarning: "trade")
    let path = "/api/v1/statuses/\(own.id.rawValue)"
    server.handle(.get, "\(path)/source") { _ in
      if scene == .fetching { await gate.whenOpen() }
      return .json(WireEncoder.source(source))
    }
    let answer = WireEncoder.qwink(own)
    server.handle(.put, path) { _ in
      await gate.whenOpen()
      return .json(answer)
    }
    try screen.write(.edit(own))
    guard scene != .fetching else { return }
    await screen.settle()
    screen.type(": it starts in 40 ms.")
    if scene == .saving { screen.strike("^D") }
  }
}
