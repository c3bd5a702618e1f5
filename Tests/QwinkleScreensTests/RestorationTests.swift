import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) struct RestorationTests {
  private func quit(_ screen: Screen) async {
    screen.strike("^C", "^C")
    await screen.settle()
  }

  @Test func `the next start is where the last one ended, in both sections`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()), home: Array((101...130).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", times: 12)
    await first.press("2")
    await first.press("j", times: 5)
    await quit(first)
    server.add([92, 91])
    let second = try Screen(server, in: folder)
    #expect(second.header.contains("2 Home"))
    #expect(second.selected == 125)
    second.strike("1")
    #expect(second.selected == 78)
    await second.settle()
    #expect(second.selected == 78)
  }

  @Test func `a place far down is found again`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...300).reversed()))
    let first = try await Screen.settled(server, in: folder)
    for _ in 0..<5 { await first.press("G") }
    let place = first.selected
    #expect(place == 101)
    await quit(first)
    let second = try Screen(server, in: folder)
    #expect(second.selected == place)
    await second.settle()
    #expect(second.selected == place)
  }

  @Test func `what was looked for is kept, also when the program is left elsewhere`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    first.strike("6")
    first.type("chard")
    await first.press("Enter", "1")
    await quit(first)
    // A run in which nobody searches does not lose it.
    let second = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    await quit(second)
    let third = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    #expect(third.selected == 3)
    third.strike("6")
    #expect(third.text.contains("chard"))
  }

  @Test func `a start in the search has its keys outside the field`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    first.strike("6")
    first.type("chard")
    // As when its window is closed while somebody types.
    first.hangUp()
    let second = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    #expect(second.text.contains("chard"))
    second.strike("1")
    #expect(second.selected == 3 && !second.text.contains("chard1"))
    second.strike("6")
    second.type("s")
    #expect(second.text.contains("chards"))
  }

  @Test func `a place that is no longer kept leaves one at the top`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    await first.press("j")
    await quit(first)
    try Screen.keep([9, 8, 7], in: folder)
    let second = try Screen(ScriptedTimeline(), in: folder)
    #expect(second.selected == 9)
  }
}
