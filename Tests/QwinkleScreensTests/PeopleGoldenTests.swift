import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import Testing

@testable import QwinkleScreens

/// The screens about people and finding, compared with files in the folder Golden. `QWINKLE_RECORD=1 swift test --filter
/// PeopleGoldenTests` writes them anew.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct PeopleGoldenTests {
  /// What a screen shows.
  enum Scene: String, CaseIterable, Sendable {
    case notices, noticesEmpty, noticesLoading, noticesFailed, noticesOffline
    case search, searchFound, searchNothing, searchLoading, searchFailed
    case page, pageWhole, pageScrolled, pageEmpty, pageFailed, pageOwn
    case followers, followersEmpty, followersFailed
    case versions, versionsFailed, tagEmpty, marksEmpty, profile, profileFailed
  }

  @Test(arguments: Scene.allCases, GoldenScreenTests.sizes)
  func `screens look as they did`(scene: Scene, size: Size) async throws {
    let text = try await show(scene, size)
    try GoldenFile.expect(text, is: "\(scene.rawValue)-\(size.columns)x\(size.rows)")
  }

  private func show(_ scene: Scene, _ size: Size) async throws -> String {
    let server = ScriptedTimeline([3, 2, 1])
    let gate = Gate()
    Self.prepare(server.api, for: scene, gate)
    let screen = try Screen(server, rows: size.rows, columns: size.columns)
    if scene == .noticesLoading {
      while !server.api.asked.contains(where: { $0.hasPrefix(PeopleSamples.notices) }) { await screen.turn() }
    } else {
      await screen.settle()
    }
    await lead(screen, to: scene)
    let text = screen.picture
    gate.open()
    await screen.settle()
    return text
  }

  /// What the server has, and what fails.
  private static func prepare(_ api: ScriptedAPI, for scene: Scene, _ gate: Gate) {
    PeopleSamples.tell(api)
    let refused = TransportError.refused(host: ScriptedTimeline.host)
    switch scene {
    case .noticesEmpty: api.pages(PeopleSamples.notices, of: [Notice]()) { WireEncoder.notices($0) }
    case .noticesLoading: api.hold(PeopleSamples.notices, by: gate)
    case .noticesFailed: api.fail(PeopleSamples.notices, with: refused)
    case .searchNothing: api.answer(PeopleSamples.search) { _ in .json(WireEncoder.searchResults(SearchResults())) }
    case .searchLoading: api.hold(PeopleSamples.search, by: gate)
    case .searchFailed: api.fail(PeopleSamples.search, with: refused)
    case .pageEmpty: api.pages(PeopleSamples.qwinks, of: [Qwink]()) { WireEncoder.qwinks($0) }
    case .pageFailed:
      for call in [PeopleSamples.account, PeopleSamples.qwinks] { api.fail(call, with: refused) }
    case .followersEmpty: api.pages(PeopleSamples.followers, of: [Qwinker]()) { WireEncoder.qwinkers($0) }
    case .followersFailed: api.fail(PeopleSamples.followers, with: refused)
    case .versionsFailed: api.fail(PeopleSamples.versions, with: refused)
    case .profileFailed: api.fail("PATCH /api/v1/accounts/update_credentials", with: refused)
    default: break
    }
  }

  private func lead(_ screen: Screen, to scene: Scene) async {
    switch scene {
    case .notices, .noticesEmpty, .noticesFailed: await screen.press("4")
    case .noticesLoading:
      screen.strike("4")
      await screen.turn()
    case .noticesOffline:
      await screen.press("4")
      screen.server.api.fail(PeopleSamples.notices, with: .timedOut(host: ScriptedTimeline.host))
      await screen.press("R")
    case .search: await screen.press("6")
    case .searchFound, .searchNothing, .searchFailed, .searchLoading:
      screen.strike("6")
      screen.type("chard")
      screen.strike("Enter")
      if scene == .searchLoading { await screen.turn() } else { await screen.settle() }
    case .page, .pageEmpty, .pageFailed: await show(.qwinker(PeopleSamples.bobElsewhere), on: screen)
    case .pageWhole:
      await show(.qwinker(PeopleSamples.bobElsewhere), on: screen)
      await screen.press("Enter")
    case .pageScrolled:
      await show(.qwinker(PeopleSamples.bobElsewhere), on: screen)
      await screen.press("j", "j")
    case .pageOwn: await show(.qwinker(.sample("mara")), on: screen)
    case .followers, .followersEmpty, .followersFailed:
      await show(.qwinkers(.followers(PeopleSamples.bob.id)), on: screen)
    case .versions, .versionsFailed: await show(.versions(PeopleSamples.boat), on: screen)
    case .tagEmpty: await show(.timeline(.tag("garden")), on: screen)
    case .marksEmpty: await screen.press("5")
    case .profile, .profileFailed:
      screen.main.perform(.editProfile)
      await screen.settle()
      guard scene == .profileFailed else { return }
      screen.type("!")
      await screen.press("^D")
    }
  }

  private func show(_ place: Place, on screen: Screen) async {
    screen.main.show(place)
    await screen.settle()
  }
}
