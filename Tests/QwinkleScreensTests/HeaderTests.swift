import QwinkleWire
import Testing

/// The header names the sections in every window that has room for their names, and numbers them elsewhere.
@MainActor
@Suite(.timeLimit(.minutes(20))) struct HeaderTests {
  private static let names = ["1 Public", "2 Home", "3 Messages", "4 Notifications", "5 Bookmarks", "6 Search"]

  @Test func `at 80 columns all sections are named beside the connection`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    #expect(screen.header.contains(Self.names.joined(separator: "  ")), "\(screen.header)")
    #expect(screen.header.hasSuffix("● 00:00"), "\(screen.header)")
  }

  @Test func `what is unread takes the room of the gaps, not of a name`() async throws {
    let server = ScriptedTimeline([2, 1])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    #expect(screen.header.contains("2 Home 3 Messages •1 4 Notifications"), "\(screen.header)")
    #expect(screen.header.contains("6 Search") && screen.header.hasSuffix("● 00:00"), "\(screen.header)")
  }

  @Test func `short of room the other sections are numbers`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 64)
    #expect(screen.header.contains("1 Public  2  3  4  5  6"), "\(screen.header)")
    await screen.press("4")
    #expect(screen.header.contains("1  2  3  4 Notifications  5  6"), "\(screen.header)")
  }

  @Test func `offline is said at 80 columns, and every section can be seen`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(screen.header.contains("1 Public  2  3  4  5  6"), "\(screen.header)")
    #expect(screen.header.contains("offline since 00:00"), "\(screen.header)")
  }
}
