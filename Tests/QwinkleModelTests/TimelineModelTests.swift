import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

/// A client that polls, loads pages, fills gaps and posts at random, on a server with random events. ``TimelineWatch``
/// defines the checks.
@Suite struct TimelineModelTests {
  private struct Client {
    var schedule: ModelSchedule
    var list = PagedRows<ModelRow>()
    var watch = TimelineWatch()

    mutating func take(
      _ answer: ModelServer.Answer, from start: Int = 0, _ merge: (inout PagedRows<ModelRow>) -> ListChange
    ) {
      let before = list.rows
      let change = merge(&list)
      watch.didTake(answer, of: schedule.server)
      watch.check(list.rows, after: answer, from: start, before: before, change: change, of: schedule.server)
      checkReversed(change, before: before)
    }

    /// Checks the change of a list that shows the oldest rows first.
    private mutating func checkReversed(_ change: ListChange, before: [TimelineWatch.Row]) {
      let (former, new) = (Array(before.reversed()), Array(list.rows.reversed()))
      let reversed = change.reversed(from: former.count, to: new.count)
      var told = former
      for index in reversed.removed.sorted(by: >) { told.remove(at: index) }
      for range in reversed.inserted { told.insert(contentsOf: new[range], at: range.lowerBound) }
      for index in reversed.changed { told[index] = new[index] }
      if told != new { watch.fault("the reversed change does not lead to the reversed rows", list.rows) }
      if Set(reversed.new.map { new[$0].id }) != Set(change.new.map { list.rows[$0].id }) {
        watch.fault("the reversed change announces other rows", list.rows)
      }
    }

    mutating func poll() {
      let answer = schedule.server.answer(size: schedule.size())
      schedule.didPoll()
      take(answer) { $0.mergeNewest(answer.page) }
    }

    mutating func loadOlder() {
      guard let cursor = list.older else { return }
      let answer = schedule.server.answer(from: cursor, size: schedule.size(), isRepeating: schedule.isRepeating)
      take(answer, from: list.rows.count) { $0.appendOlder(answer.page) }
    }

    mutating func fillGap() {
      guard let cursor = list.rows.compactMap(\.cursor).randomElement(using: &schedule.random) else { return }
      let answer = schedule.server.answer(from: cursor, size: schedule.size(), isRepeating: schedule.isRepeating)
      let start = list.rows.firstIndex(of: .gap(cursor)) ?? 0
      take(answer, from: start) { $0.fillGap(cursor, with: answer.page) }
    }

    mutating func fillGapUpwards() {
      guard let cursor = list.rows.compactMap(\.cursor).randomElement(using: &schedule.random),
        let row = list.rowToFillUpwards(cursor),
        let answer = schedule.server.answer(above: row.rowID, size: schedule.size())
      else { return }
      let server = schedule.server
      let before = list
      let change = list.fillGapUpwards(cursor, with: answer.page)
      // A rejected page only updates rows.
      let isRejected = list.knownRows.map(\.id) == before.knownRows.map(\.id)
      if isRejected { watch.didMiss(answer) } else { watch.didTake(answer, of: server) }
      watch.check(list.rows, before: before.rows, change: change, of: server)
      checkReversed(change, before: before.rows)
    }

    mutating func post() {
      let row = schedule.server.post()
      let before = list.rows
      let change = list.insertOwn(row)
      checkReversed(change, before: before)
      guard list.index(of: row.rowID) != nil else { return }
      watch.check(list.rows, before: before, change: change, of: schedule.server)
      watch.didPost(row)
    }

    mutating func act() {
      switch Int.random(in: 0..<20, using: &schedule.random) {
      case 0..<6: poll()
      case 6..<10: loadOlder()
      case 10..<13: fillGap()
      case 13..<15: fillGapUpwards()
      case 15: post()
      default: schedule.happen()
      }
    }
  }

  @Test func `after random events a timeline equals the server's except at gaps`() {
    for seed in Soak.seeds(400, times: 250) {
      var client = Client(schedule: ModelSchedule(seed: seed))
      for step in 0..<40 where client.watch.faults.isEmpty {
        client.act()
        if let fault = client.watch.faults.first { Issue.record("seed \(seed), step \(step): \(fault)") }
      }
    }
  }

  @Test func `a list that ends at its first gap shows the rows above it and reports exactly their changes`() {
    for seed in Soak.seeds(200, times: 250) {
      var schedule = ModelSchedule(seed: seed)
      var (full, list) = (PagedRows<ModelRow>(), PagedRows<ModelRow>(endsAtGap: true))
      for step in 0..<40 {
        let before = list.rows
        let change: ListChange
        switch Int.random(in: 0..<3, using: &schedule.random) {
        case 0:
          let answer = schedule.server.answer(size: schedule.size())
          schedule.didPoll()
          full.mergeNewest(answer.page)
          change = list.mergeNewest(answer.page)
        case 1:
          guard let cursor = list.older else { continue }
          let answer = schedule.server.answer(from: cursor, size: schedule.size(), isRepeating: schedule.isRepeating)
          if let gap = full.knownRows.lazy.compactMap(\.cursor).first {
            full.fillGap(gap, with: answer.page)
          } else {
            full.appendOlder(answer.page)
          }
          change = list.appendOlder(answer.page)
        default:
          schedule.happen()
          continue
        }
        #expect(list.rows == Array(full.rows.prefix { $0.cursor == nil }), "seed \(seed), step \(step)")
        var told = before
        for index in change.removed.sorted(by: >) { told.remove(at: index) }
        for range in change.inserted { told.insert(contentsOf: list.rows[range], at: range.lowerBound) }
        for index in change.changed { told[index] = list.rows[index] }
        #expect(told == list.rows, "seed \(seed), step \(step)")
      }
    }
  }

  /// A reader polls every minute. Of twelve new qwinks, two arrive up to three polls late, like federated ones.
  // The seeds are constant because the limits on rows and gaps hold only for these.
  @Test(arguments: UInt64(1)...20)
  func `refreshes with late qwinks lose no row and preserve the order`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var server = ModelServer(count: 40, seed: seed)
    var list = PagedRows<ModelRow>()
    var watch = TimelineWatch()
    for _ in 0...30 {
      for _ in 0..<12 {
        if Int.random(in: 0..<100, using: &random) < 15 { server.addLate(depth: 36) } else { server.add() }
      }
      let answer = server.answer(size: 40)
      let before = list.rows
      let change = list.mergeNewest(answer.page)
      watch.didTake(answer, of: server)
      watch.check(list.rows, after: answer, before: before, change: change, of: server)
    }
    #expect(watch.faults == [])
    // All rows of the pages are present, and gaps occur only below pages that ended with late qwinks.
    #expect(list.rows.count { $0.item != nil } > 200)
    #expect(list.rows.count { $0.cursor != nil } <= 10)
  }
}
