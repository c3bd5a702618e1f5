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

  func run(seconds: Double = 60) async {
    let path = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "qwinkle").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      return print("stream: \(path) is missing; build it too")
    }
    do {
      let feed = EventFeed(rate: Self.rate)
      try await BenchServer(answer: feed.answer).serving { port in
        let program = try BenchProgram(path, ["--server", "http://127.0.0.1:\(port)"])
        defer { program.end() }
        program.settle()
        let quiet = program.press(for: Self.quietSeconds)
        feed.begin()
        // In the first seconds, caches with a size limit fill up.
        _ = program.press(for: 5)
        let (memory, used, start) = (program.memory, program.processorSeconds, ContinuousClock.now)
        let busy = program.press(for: seconds)
        let passed = (ContinuousClock.now - start) / .seconds(1)
        let share = (program.processorSeconds - used) / passed * 100
        print(
          "stream of \(Int(Self.rate)) events a second, \(Int(passed)) s, \(feed.count) events: "
            + "key to last byte \(Self.words(busy)); quiet: \(Self.words(quiet))")
        print(
          "stream: memory \(Self.megabytes(memory)) after 5 s, \(Self.megabytes(program.memory)) at the end; "
            + "processor \(Int(share.rounded())) % of one")
      }
    } catch {
      print("stream: \(error)")
    }
  }

  private static func words(_ times: [Double]) -> String {
    let times = times.sorted()
    guard !times.isEmpty else { return "no answer" }
    func at(_ part: Double) -> String {
      "\((times[min(times.count - 1, Int(Double(times.count) * part))] * 100).rounded() / 100) ms"
    }
    return "median \(at(0.5)), p99 \(at(0.99)), worst \(at(1)), \(times.count) keys"
  }

  private static func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 104_857.6).rounded() / 10) MB" }
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

/// The built program on a 100x30 terminal.
private final class BenchProgram {
  private let process = Process()
  private let master: Int32
  private let slave: Int32
  private let home = FileManager.default.temporaryDirectory.path + "/qwinkle-bench-\(UUID())"
  /// The bar next to the selected row.
  private let mark = Array("▌".utf8)

  init(_ path: String, _ arguments: [String]) throws {
    // Glibc's module doesn't export posix_openpt and related functions. These calls do the same.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var locked: Int32 = 0
    var number: UInt32 = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ["HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    let terminal = FileHandle(fileDescriptor: slave)
    (process.standardInput, process.standardOutput, process.standardError) = (terminal, terminal, terminal)
    try process.run()
  }

  /// Waits for the timeline, then moves down far enough that new rows don't scroll it.
  func settle() {
    _ = output(for: 10) { $0.firstRange(of: mark) != nil }
    _ = output(for: 2)
    for _ in 0..<5 {
      type("j")
      _ = output(for: 0.2)
    }
  }

  /// Presses keys at the pace of a fast reader. Returns the times to the last byte of each response in milliseconds.
  func press(for seconds: Double) -> [Double] {
    let end = ContinuousClock.now + .seconds(seconds)
    var times: [Double] = []
    var isDown = true
    while ContinuousClock.now < end {
      _ = output(for: Double.random(in: 0.05...0.15))
      let start = ContinuousClock.now
      type(isDown ? "j" : "k")
      isDown.toggle()
      guard let last = output(for: 5, until: { $0.firstRange(of: mark) != nil }) else { continue }
      times.append((last - start) / .milliseconds(1))
    }
    return times
  }

  /// Resident memory, in bytes.
  var memory: Int {
    let words = text("statm").split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  var processorSeconds: Double {
    // The fields after the name, which can contain any character.
    let words = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
    close(master)
    close(slave)
    try? FileManager.default.removeItem(atPath: home)
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/\(name)", encoding: .utf8)) ?? ""
  }

  private func type(_ key: String) { _ = key.withCString { write(master, $0, 1) } }

  /// Reads output until `isEnough` returns true. Returns the time of the last byte, or nil if that takes longer than
  /// `seconds`.
  private func output(for seconds: Double, until isEnough: ([UInt8]) -> Bool = { _ in false })
    -> ContinuousClock.Instant?
  {
    let end = ContinuousClock.now + .seconds(seconds)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = Int32(max(0, (end - ContinuousClock.now) / .milliseconds(1)).rounded(.up))
      var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&waiting, 1, left) > 0 else { return nil }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return nil }
      all += buffer[..<count]
      if isEnough(all) { return .now }
    }
  }
}
