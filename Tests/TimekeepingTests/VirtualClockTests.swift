import FoundationEssentials
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite(.bounded) struct VirtualClockTests {
  private let clock = VirtualClock(at: Date(timeIntervalSince1970: 1000))

  @Test func `wall time and uptime change together and only by advancing`() {
    #expect(clock.now == Date(timeIntervalSince1970: 1000) && clock.uptime == .zero)
    clock.advance(by: .milliseconds(1500))
    #expect(clock.now == Date(timeIntervalSince1970: 1001.5) && clock.uptime == .milliseconds(1500))
  }

  @Test func `timers fire at their due times and the earliest fires first`() {
    var fired: [(String, Duration)] = []
    func timer(_ name: String, _ seconds: Int) -> ProgramTimer {
      clock.schedule(after: .seconds(seconds)) { [clock] in fired.append((name, clock.uptime)) }
    }
    let timers = [timer("late", 3), timer("first of two", 2), timer("second of two", 2), timer("never", 9)]
    clock.advance(by: .seconds(5))
    #expect(fired.map(\.0) == ["first of two", "second of two", "late"])
    #expect(fired.map(\.1) == [.seconds(2), .seconds(2), .seconds(3)])
    #expect(timers.map(\.isPending) == [false, false, false, true])
    #expect(clock.uptime == .seconds(5) && clock.nextDue == .seconds(9))
  }

  @Test func `a timer set by another timer fires in the same advance if due`() {
    var count = 0
    var second: ProgramTimer?
    let first = clock.schedule(after: .seconds(1)) { [clock] in
      second = clock.schedule(after: .seconds(1)) { count += 1 }
    }
    clock.advance(by: .milliseconds(1900))
    #expect(!first.isPending && second?.isPending == true && count == 0)
    clock.advance(by: .milliseconds(100))
    #expect(count == 1)
  }

  @Test func `timers that became due during a jump fire late and only once`() {
    var fired: [Duration] = []
    let timers = [1, 2].map { delay in
      clock.schedule(after: .seconds(delay)) { [clock] in fired.append(clock.uptime) }
    }
    clock.jump(by: .seconds(60))
    #expect(fired.isEmpty && timers.allSatisfy(\.isPending))
    clock.advance(by: .zero)
    #expect(fired == [.seconds(60), .seconds(60)])
  }

  @Test func `a released timer never fires`() {
    var count = 0
    var released: ProgramTimer? = clock.schedule(after: .seconds(1)) { count += 1 }
    #expect(released?.isPending == true)
    released = nil
    clock.advance(by: .seconds(2))
    #expect(count == 0)
  }

  @Test func `work started by a timer finishes before time advances`() async {
    let ledger = ActivityLedger()
    var steps: [String] = []
    var timers: [ProgramTimer] = []
    for second in 1...2 {
      timers.append(
        clock.schedule(after: .seconds(second)) {
          let activity = ledger.begin("work")
          steps.append("timer \(second)")
          Task {
            steps.append("work \(second)")
            activity.end()
          }
        })
    }
    await clock.advance(by: .seconds(3)) { await ledger.whenEmpty() }
    #expect(steps == ["timer 1", "work 1", "timer 2", "work 2"])
    #expect(clock.uptime == .seconds(3))
  }
}
