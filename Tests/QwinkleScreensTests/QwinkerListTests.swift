import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct QwinkerListTests {
  nonisolated private static func call(_ name: QwinkerListName) -> String {
    switch name {
    case .followers: "GET /api/v1/accounts/alice-id/followers"
    case .following: "GET /api/v1/accounts/alice-id/following"
    case .boosters: "GET /api/v1/statuses/7/reblogged_by"
    case .favouriters: "GET /api/v1/statuses/7/favourited_by"
    case .requesters: "GET /api/v1/follow_requests"
    case .blocked: "GET /api/v1/blocks"
    case .muted: "GET /api/v1/mutes"
    case .members(let id): "GET /api/v1/lists/\(id)/accounts"
    case .collection(let id, _): "GET /api/v1/collections/\(id)"
    }
  }

  private func bench(
    _ name: QwinkerListName, count: Int, rows: Int = 24, columns: Int = 80
  ) throws -> (Bench, QwinkerListViewController) {
    let bench = try Bench(rows: rows, columns: columns)
    let qwinkers = (0..<count).map { Qwinker.sample("p\($0)", displayName: "Person \($0)") }
    bench.api.pages(Self.call(name), of: qwinkers) { WireEncoder.qwinkers($0) }
    let screen = QwinkerListViewController(list: name, account: bench.account)
    screen.navigator = bench.navigator
    return (bench, screen)
  }

  @Test(arguments: [
    QwinkerListName.followers("alice-id"), .following("alice-id"), .boosters("7"), .favouriters("7"),
  ])
  func `each list shows its title and accounts or an empty message`(name: QwinkerListName) async throws {
    let (bench, screen) = try bench(name, count: 2)
    await bench.show(screen)
    #expect(!screen.title.isEmpty)
    #expect(bench.text.contains("Person 0  @p0"))
    #expect(bench.text.contains("Person 1  @p1"))
    let (nobody, nobodyScreen) = try self.bench(name, count: 0)
    await nobody.show(nobodyScreen)
    #expect(nobody.text.contains(QwinkerListWords.nothing(in: name)))
  }

  @Test func `more pages load as the reader moves down`() async throws {
    let (bench, screen) = try bench(.followers("alice-id"), count: 100)
    await bench.show(screen)
    for _ in 0..<4 { await bench.press("G") }
    #expect(bench.selected.first?.contains("Person 99") ?? false)
    #expect(bench.text.contains(PlaceholderWords.endOfList))
    #expect(bench.api.asked.filter { $0.contains("followers") }.count == 3)
    // Relationships are requested once per page.
    #expect(bench.api.asked.filter { $0.contains("relationships") }.count == 3)
  }

  @Test func `Enter opens the selected account's page`() async throws {
    let (bench, screen) = try bench(.followers("alice-id"), count: 3)
    await bench.show(screen)
    await bench.press("j", "Enter")
    #expect(bench.navigator.places == [.qwinker(.sample("p1", displayName: "Person 1"))])
  }

  @Test func `a followed account's row is marked and the bar shows its keys`() async throws {
    let (bench, screen) = try bench(.followers("alice-id"), count: 2)
    await bench.show(screen)
    #expect(screen.status.hints == [.open, .follow, .message, .back])
    #expect(!bench.text.contains(QwinkerWords.youFollow))
    bench.api.answer("POST /api/v1/accounts/p0-id/follow") { _ in
      .json(WireEncoder.relationship(Relationship(id: "p0-id", isFollowing: true)))
    }
    bench.account.follows.follow(.sample("p0", displayName: "Person 0"), isOn: true)
    await bench.settle()
    #expect(bench.selected.first?.contains(QwinkerWords.youFollow) ?? false)
  }

  @Test func `the title names the account whose followers are listed`() throws {
    let (bench, _) = try bench(.followers("alice-id"), count: 1)
    let list = QwinkerListViewController(list: .followers("alice-id"), of: .sample("alice"), account: bench.account)
    #expect(list.title == QwinkerListWords.title(of: .followers("alice-id"), qwinker: .sample("alice")))
    #expect(list.title.contains("@alice"))
  }

  @Test func `a failure shows its reason and R retries`() async throws {
    let (bench, screen) = try bench(.followers("alice-id"), count: 3)
    bench.api.fail(Self.call(.followers("alice-id")), with: .refused(host: ScriptedAPI.host))
    await bench.show(screen)
    #expect(bench.text.contains(ScriptedTimeline.unreachable))
    #expect(screen.status.state.offlineSince != nil)
    bench.api.fail(Self.call(.followers("alice-id")), with: nil)
    await bench.press("R")
    #expect(bench.text.contains("Person 0"))
    #expect(screen.status.state.error == nil)
  }

  @Test func `a removed account disappears when the list is fetched again`() async throws {
    let (bench, screen) = try bench(.followers("alice-id"), count: 3)
    await bench.show(screen)
    bench.api.pages(Self.call(.followers("alice-id")), of: [Qwinker.sample("p2", displayName: "Person 2")]) {
      WireEncoder.qwinkers($0)
    }
    await bench.press("R")
    #expect(!bench.text.contains("Person 0"))
    #expect(bench.selected.first?.contains("Person 2") ?? false)
  }
}
