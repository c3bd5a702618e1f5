import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Places that stay open show hidden content once the filter expires, without a request.
@MainActor
@Suite(.bounded) struct FilterExpiryTests {
  /// The visible text of a place that has a qwink of one rule.
  private func text(of rule: HidingRule, at place: HidingPlace, on screen: Screen) async -> String {
    if let text = await place.text(of: rule, on: screen) { return text }
    if place == .ancestor {
      // A thread opens at its focus.
      (screen.main.focus as? ThreadViewController)?.select(0)
      await screen.settle()
    }
    return screen.text
  }

  @Test(arguments: HidingPlace.all.filter(\.noticesExpiry))
  func `a place that stays open shows a qwink once its filter expires`(place: HidingPlace) async throws {
    for rule in HidingRule.ending where !rule.isQuote || place.traits.showsQuotes {
      let screen = try await place.screen(with: [rule])
      try await place.showList(on: screen)
      let before = await text(of: rule, at: place, on: screen)
      #expect(!before.contains(rule.secret), "\(place), \(rule)\n\(before)")
      await screen.pass(.seconds(HidingRule.secondsToExpiry + 1))
      #expect(screen.text.contains(rule.secret), "\(place), \(rule)\n\(screen.text)")
      #expect(!screen.text.contains(rule.title), "\(place), \(rule)\n\(screen.text)")
    }
  }

  @Test func `a notification is counted once its filter expires`() async throws {
    let place = HidingPlace.notifications(.mention)
    let screen = try await place.screen(with: [.filter(hides: true, .ending)])
    try await place.showList(on: screen)
    let feed = screen.account.notifications
    #expect(feed.countedUnread == 0 && !feed.notifications.isEmpty, "\(screen.text)")
    await screen.pass(.seconds(HidingRule.secondsToExpiry + 1))
    #expect(feed.countedUnread == 1, "\(screen.text)")
  }

  @Test func `filters that expire in any order are each noticed`() async throws {
    let server = ScriptedTimeline()
    // The first one that is noted expires last.
    let seconds = [30, 10, 20]
    server.replace(
      with: zip([3, 2, 1], seconds).map { number, seconds in
        var qwink = ScriptedTimeline.qwink(number)
        qwink.filterMatches = [
          FilterMatch(
            id: "\(number)", title: "Weather", hides: false, contexts: [],
            expiresAt: ScriptedTimeline.start.addingTimeInterval(Double(seconds)))
        ]
        return qwink
      })
    let screen = try await Screen.settled(server)
    #expect(screen.visible == [], "\(screen.text)")
    for (seconds, shown) in [(11, [2]), (10, [2, 1]), (10, [3, 2, 1])] {
      await screen.pass(.seconds(seconds))
      #expect(screen.visible == shown, "\(screen.text)")
    }
  }
}
