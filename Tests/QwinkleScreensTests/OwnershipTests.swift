import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct OwnershipTests {
  @Test(arguments: [
    [], ["Enter", "Esc", "2", "1"], ["c", "x"], ["c", "x", "Esc"], ["?"], ["q"], ["^C"], ["z", "j", "R"],
  ])
  func `no part of a screen outlives it`(keys: [String]) async throws {
    var screen: Screen? = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    for key in keys { await screen?.press(key) }
    weak let account = screen?.account
    weak let main = screen?.main
    weak let application = screen?.application
    weak let driver = screen?.driver
    weak let window = screen?.application.window
    weak let sheet = screen?.application.window.topSheet
    weak let first = screen?.application.window.firstResponder
    #expect(account != nil && main != nil && first != nil)
    let clock = screen?.clock
    screen = nil
    #expect(account == nil)
    #expect(main == nil)
    #expect(application == nil)
    #expect(driver == nil)
    #expect(window == nil)
    #expect(sheet == nil)
    #expect(first == nil)
    clock?.advance(by: .seconds(600))
  }

  @Test func `a pending response does not retain a released screen`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    var screen: Screen? = try Screen(server)
    let ledger = screen?.ledger
    await screen?.turn()
    weak let account = screen?.account
    weak let main = screen?.main
    screen = nil
    #expect(main == nil)
    gate.open()
    await ledger?.settle()
    #expect(account == nil)
  }

  @Test func `closed sheets are released`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    for keys in [("c", "Esc"), ("?", "q"), ("q", "n")] {
      screen.strike(keys.0)
      weak let sheet = screen.application.window.topSheet
      #expect(sheet != nil)
      screen.strike(keys.1)
      #expect(sheet == nil)
    }
  }

  @Test func `a timeline is not retained by its navigator or its feed's observers`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]))
    var timeline: TimelineViewController? = TimelineViewController(name: .home, account: screen.account)
    timeline?.navigator = screen.main
    weak let weakTimeline = timeline
    timeline = nil
    #expect(weakTimeline == nil)
    screen.account.timelines.refresh(.home)
    await screen.settle()
  }

  @Test func `closed lists stop observing settings`() async throws {
    let server = ScriptedTimeline([1])
    server.add([.sample(id: "8", text: "A kiosk in a garden")], to: "garden")
    let screen = try await Screen.settled(server)
    let settings = screen.main.factory.settings
    let before = settings.didChange.count
    for _ in 0..<100 {
      await screen.press(":")
      screen.type("tag garden")
      await screen.press("Enter")
      #expect(screen.text.contains("A kiosk in a garden"), "\(screen.text)")
      await screen.press("q")
    }
    #expect(settings.didChange.count < before + 10)
  }
}
