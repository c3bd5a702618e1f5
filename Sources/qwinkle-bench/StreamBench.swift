import Foundation
import NIOCore
import QwinkleModel
import QwinkleWire
import Synchronization

/// Runs the program on a terminal while a server streams a thousand events a second. Measures the time from a key to
/// the last byte of the response, compared with the same time without events, as well as memory and processor time.
struct StreamBench {
  private static let quietSeconds = 10.0
  private static let rate = 1000.0
  /// The bar next to the selected row.
  private static let mark = Array("▌".utf8)

  func run(seconds: Double = 60) async {
    await withTemporaryFolder("stream") { home in
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      let feed = EventFeed(rate: Self.rate)
      try await BenchServer(answer: feed.answer).serving { port in
        let program = try BenchProgram(["--server", "http://127.0.0.1:\(port)"], home: home)
        defer { program.end() }
        Self.settle(program)
        let quiet = Self.press(program, for: Self.quietSeconds)
        feed.begin()
        // Discard the first seconds, in which caches grow up to their size limits.
        _ = Self.press(program, for: 5)
        let (memory, used, start) = (program.memory, program.processorSeconds, ContinuousClock.now)
        let busy = Self.press(program, for: seconds)
        let passed = (ContinuousClock.now - start) / .seconds(1)
        let share = (program.processorSeconds - used) / passed * 100
        print(
          "stream of \(Int(Self.rate)) events a second, \(Int(passed)) s, \(feed.count) events: "
            + "key to last byte \(Self.words(busy)); quiet: \(Self.words(quiet))")
        print(
          "stream: memory \(megabytes(memory)) after 5 s, \(megabytes(program.memory)) at the end; "
            + "processor \(Int(share.rounded())) % of one")
      }
    }
  }

  /// Waits for the timeline, then moves down far enough that new rows don't scroll it.
  private static func settle(_ program: BenchProgram) {
    program.output(for: 10) { $0.firstRange(of: mark) != nil }
    program.output(for: 2)
    for _ in 0..<5 {
      program.type("j")
      program.output(for: 0.2)
    }
  }

  /// Presses keys at the pace of a fast reader. Returns the times to the last byte of each response in milliseconds.
  private static func press(_ program: BenchProgram, for seconds: Double) -> [Double] {
    let end = ContinuousClock.now + .seconds(seconds)
    var times: [Double] = []
    var isDown = true
    while ContinuousClock.now < end {
      program.output(for: Double.random(in: 0.05...0.15))
      let start = ContinuousClock.now
      program.type(isDown ? "j" : "k")
      isDown.toggle()
      guard let last = program.output(for: 5, until: { $0.firstRange(of: mark) != nil }) else { continue }
      times.append((last - start) / .milliseconds(1))
    }
    return times
  }

  private static func words(_ times: [Double]) -> String {
    let times = times.sorted()
    guard !times.isEmpty else { return "no answer" }
    func at(_ part: Double) -> String {
      "\((times[min(times.count - 1, Int(Double(times.count) * part))] * 100).rounded() / 100) ms"
    }
    return "median \(at(0.5)), p99 \(at(0.99)), worst \(at(1)), \(times.count) keys"
  }
}

/// Responses of a server with a growing public timeline, and its server-sent events.
private final class EventFeed: Sendable {
  private let rate: Double
  private let beginning = Mutex<ContinuousClock.Instant?>(nil)

  init(rate: Double) { self.rate = rate }

  func begin() { beginning.withLock { $0 = .now } }

  /// Number of events so far.
  var count: Int {
    let start = beginning.withLock { $0 }
    return start.map { Int((ContinuousClock.now - $0) / .seconds(1) * rate) } ?? 0
  }

  /// Returns the response to a request for a path.
  func answer(_ path: String) -> BenchServer.Answer {
    func json(_ bytes: [UInt8]) -> BenchServer.Answer { .json(ByteBuffer(bytes: bytes)) }
    switch path {
    case "/api/v2/instance":
      return json(WireEncoder.serverInfoV2(ServerInfo(title: "Bench", domain: "localhost")))
    case "/api/v1/timelines/public":
      let newest = 200 + count
      return json(WireEncoder.qwinks(BenchQwinks.make(40, from: newest - 40).reversed()))
    case "/api/v1/streaming/public":
      let start = count
      return .events { [self] sent in
        BenchQwinks.make(count - start - sent, from: 200 + start + sent).map {
          Array("event: update\ndata: ".utf8) + WireEncoder.qwink($0) + Array("\n\n".utf8)
        }
      }
    default: return .notFound
    }
  }
}
