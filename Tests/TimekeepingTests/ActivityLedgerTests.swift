import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite(.bounded) struct ActivityLedgerTests {
  private let ledger = ActivityLedger()

  @Test func `work is in progress until it ends or its activity is released`() {
    let ended = ledger.begin("b")
    var released: Activity? = ledger.begin("a")
    #expect(released != nil && ledger.inProgress == ["a", "b"] && !ledger.isEmpty)
    ended.end()
    ended.end()
    #expect(ledger.inProgress == ["a"])
    released = nil
    #expect(ledger.isEmpty && ledger.begunCount == 2)
    ledger.begin("c", isBackground: true).end()
    #expect(ledger.begunCount == 3 && ledger.foregroundCount == 2)
  }

  @Test func `work parked twice counts again only after two unparks`() {
    let activity = ledger.begin("waiting")
    activity.park()
    activity.park()
    #expect(ledger.isEmpty && ledger.parked == ["waiting"] && ledger.inProgress.isEmpty)
    activity.unpark()
    #expect(ledger.isEmpty)
    activity.unpark()
    #expect(!ledger.isEmpty && ledger.parked.isEmpty)
    activity.unpark()
    #expect(ledger.inProgress == ["waiting"])
    activity.end()
  }

  @Test(arguments: [true, false]) func `all waiters resume once the last work has ended or is parked`(isParked: Bool)
    async
  {
    let first = ledger.begin("first")
    let last = ledger.begin("last")
    let waiting = (0..<3).map { _ in Task { await ledger.whenEmpty() } }
    first.end()
    #expect(!ledger.isEmpty)
    if isParked { last.park() } else { last.end() }
    for task in waiting { #expect(await task.value) }
    #expect(ledger.isEmpty)
  }

  @Test func `a task counts as work until it returns and is parked while it waits`() async {
    let (clock, ledger) = (VirtualClock(), ledger)
    let task = ledger.task("saving") {
      let upload = ledger.begin("upload")
      await Activity.$current.withValue(upload) { await ClockWait(on: clock).wait(for: .seconds(5)) }
      upload.end()
      #expect(ledger.inProgress == ["saving"])
    }
    #expect(ledger.inProgress == ["saving"])
    await ledger.whenEmpty()
    #expect(ledger.parked == ["saving", "upload"])
    clock.advance(by: .seconds(5))
    #expect(ledger.inProgress == ["saving", "upload"])
    await task.value
    #expect(ledger.isEmpty && ledger.parked.isEmpty)
  }

  @Test func `a wait returns false at its time limit`() async {
    let activity = ledger.begin("endless")
    #expect(await !ledger.whenEmpty(within: .milliseconds(1)))
    #expect(ledger.inProgress == ["endless"])
    activity.end()
    #expect(await ledger.whenEmpty(within: .zero))
  }

  @Test func `a wait on a clock parks its work and unparks it afterwards`() async {
    let clock = VirtualClock()
    let activity = ledger.begin("download")
    let task = Activity.$current.withValue(activity) {
      Task { await ClockWait(on: clock).wait(for: .seconds(5)) }
    }
    await ledger.whenEmpty()
    #expect(ledger.parked == ["download"])
    clock.advance(by: .seconds(4))
    #expect(ledger.isEmpty)
    clock.advance(by: .seconds(1))
    // Immediately, and not only when the task runs: the ledger must not appear empty in between.
    #expect(ledger.inProgress == ["download"])
    #expect(await task.value == .passed)
  }

  @Test func `a wait returns early if it is ended or its task is cancelled`() async {
    let clock = VirtualClock()
    let ended = ClockWait(on: clock)
    ended.end()
    #expect(await ended.wait(for: .seconds(5)) == .ended)
    let activity = ledger.begin("download")
    let task = Activity.$current.withValue(activity) {
      Task { await ClockWait(on: clock).wait(for: .seconds(5)) }
    }
    await ledger.whenEmpty()
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(ledger.inProgress == ["download"])
    #expect(await ClockWait(on: clock).wait(for: .zero) == .passed)
  }
}
