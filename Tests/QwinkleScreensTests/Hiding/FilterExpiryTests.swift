import FoundationEssentials
import OnDemandResources
import PaneKit
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Open screens show hidden content once its filter expires, without a request.
@MainActor
@Suite(.bounded) struct FilterExpiryTests {
  /// Shows the screen of a place whose text ``HidingPlace/text(of:on:)`` returns without it. Returns false for other
  /// places.
  private func showRow(of rule: HidingRule, at place: HidingPlace, on screen: Screen) async -> Bool {
    let qwink = place.qwink(rule)
    let purpose = EntryPurpose.reply(to: qwink)
    let entry = Entry(text: "Reply", inReplyTo: qwink.originalID, idempotencyKey: "k\(rule.number)")
    let reply = OutgoingEntry(purpose: purpose.key, entry: entry, subject: purpose.subject, sent: entry)
    switch place {
    case .drafts:
      screen.account.outgoing?.keep(reply.asDraft) { _ in }
      await screen.settle()
      screen.main.show(.drafts)
    case .outbox:
      var item = OutboxItem(reply)
      item.isHeld = true
      screen.account.outbox.send(item)
      await screen.settle()
      screen.main.show(.outbox)
    case .resources:
      screen.main.show(.timeline(.public))
      await screen.settle()
      let shelf = PictureFiles([]).shelf(for: screen)
      shelf.resources.setResources(["https://tilde.example/1.png"], for: .thread(of: qwink))
      let list = ResourcesViewController(account: screen.account, managers: [shelf.resources])
      list.navigator = screen.main
      screen.application.window.rootViewController = list
    default: return false
    }
    await screen.settle()
    return true
  }

  /// Returns the visible text of a place that has a qwink of one rule.
  private func text(of rule: HidingRule, at place: HidingPlace, on screen: Screen) async -> String {
    if await showRow(of: rule, at: place, on: screen) { return screen.text }
    if let text = await place.text(of: rule, on: screen) { return text }
    if place == .ancestor {
      // A thread opens at its focus.
      (screen.main.focus as? ThreadViewController)?.select(0)
      await screen.settle()
    }
    return screen.text
  }

  @Test(arguments: HidingPlace.all.filter(\.observesExpiry))
  func `an open screen shows a qwink once its filter expires`(place: HidingPlace) async throws {
    for rule in HidingRule.ending where !rule.isQuote || place.traits.showsQuotes {
      let screen = try await place.screen(with: [rule])
      try await place.showList(on: screen)
      let before = await text(of: rule, at: place, on: screen)
      #expect(!before.contains(rule.secret), "\(place), \(rule)\n\(before)")
      if [.drafts, .outbox, .resources].contains(place) {
        #expect(before.contains(rule.title), "\(place), \(rule)\n\(before)")
      }
      await screen.pass(.seconds(HidingRule.secondsToExpiry + 1))
      try await screen.wait(for: "the qwink at \(place)") { screen.text.contains(rule.secret) }
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

  @Test func `filters that expire in any order each reveal their row`() async throws {
    let server = ScriptedTimeline()
    // The filter that is registered first expires last.
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

  // MARK: Waiting

  private final class Notified: AccountObserver {
    var count = 0

    func accountFilterDidExpire() { count += 1 }
  }

  nonisolated private static let seconds: [[Double]] = [[86_400], [30], [86_400, 90], [90, 86_400]]

  @Test(arguments: seconds)
  func `a filter that expires during sleep takes effect at the next check`(seconds: [Double]) {
    let clock = VirtualClock()
    let observers = AccountObservers()
    let notified = Notified()
    observers.add(notified)
    let expiry = FilterExpiry(clock: clock, observers: observers)
    for seconds in seconds {
      let end = clock.now.addingTimeInterval(seconds)
      expiry.note([FilterMatch(id: "1", title: "Weather", hides: true, contexts: [], expiresAt: end)])
    }
    // Timers stop during sleep, so the next check is at most a minute away.
    #expect(clock.nextDue.map { $0 - clock.uptime <= .seconds(60) } == true)
    let first = seconds.min() ?? 0
    clock.jump(by: .seconds(first - 1))
    expiry.check()
    #expect(notified.count == 0)
    clock.jump(by: .seconds(1))
    expiry.check()
    #expect(notified.count == 1)
  }

  @Test(arguments: seconds)
  func `observers are notified when the first of several filters expires`(seconds: [Double]) {
    let clock = VirtualClock()
    let observers = AccountObservers()
    let notified = Notified()
    observers.add(notified)
    let expiry = FilterExpiry(clock: clock, observers: observers)
    for seconds in seconds {
      let end = clock.now.addingTimeInterval(seconds)
      expiry.note([FilterMatch(id: "1", title: "Weather", hides: true, contexts: [], expiresAt: end)])
    }
    let first = seconds.min() ?? 0
    clock.advance(by: .seconds(first - 1))
    #expect(notified.count == 0)
    clock.advance(by: .seconds(1))
    #expect(notified.count == 1)
  }
}
