import CProcess
import LibC
import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Replies that arrive in pieces while the program quits or suspends. Bytes left unread would reach the shell.
  @MainActor
  @Suite struct ReplyDrains {
    /// The reason why the program stops reading the terminal.
    enum Way: CaseIterable, Sendable {
      case quit, signal, suspension
    }

    /// A reply to each query, in the order of the queries.
    private static let replies = [
      "\u{1B}[?2026;2$y", "\u{1B}[2;9R", "\u{1B}[2;34R", "\u{1B}P>|xterm(370)\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\",
      "\u{1B}[?62;22c", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}[6;20;9t", "\u{1B}[4;480;720t", "\u{1B}[2;2R",
    ]
    private static let all = Set(TerminalQuery.allCases)
    private static let limit = Int(ReplyDrain.limit / Duration.milliseconds(1))

    /// A terminal that sends pieces at set times, by a clock that advances only while the drain waits. Times are in
    /// milliseconds since the program began to leave.
    @MainActor private final class SlowTerminal {
      let terminal: PseudoTerminal
      private var pieces: [(time: Int, text: String)] = []
      private(set) var time = 0
      /// Number of waits for input.
      private(set) var looks = 0
      /// Time between the queries and the program's leaving.
      var age = Duration.zero
      private let start = ContinuousClock.now

      init() throws {
        terminal = try PseudoTerminal()
      }

      var drain: ReplyDrain {
        ReplyDrain(
          now: { [self] in start + age + .milliseconds(time) },
          awaitInput: { [self] in awaitInput(on: $0, within: Int($1)) })
      }

      /// Pieces not sent before the program left; the shell receives them.
      var unsent: [String] { pieces.map { $0.text } }

      /// Number of unread bytes.
      private var unreadCount: Int {
        var count: Int32 = 0
        _ = ioctl(terminal.slave, UInt(FIONREAD), &count)
        return Int(count)
      }

      /// Schedules `texts`, with a pause before each.
      func send(_ texts: [String], every pause: Int) {
        pieces = texts.enumerated().map { (time: time + ($0.offset + 1) * pause, text: $0.element) }
      }

      /// Types `text` into a raw terminal and waits until all of it can be read.
      func type(_ text: String) {
        let count = unreadCount + text.utf8.count
        terminal.type(text)
        var rounds = 0
        while unreadCount < count, rounds < 10_000 {
          usleep(500)
          rounds += 1
        }
        #expect(unreadCount == count)
      }

      /// Reads all bytes that the shell would receive.
      func takeUnread() -> String {
        var settings = termios()
        tcgetattr(terminal.slave, &settings)
        cfmakeraw(&settings)
        tcsetattr(terminal.slave, TCSANOW, &settings)
        var bytes = [UInt8](repeating: 0, count: unreadCount)
        // An empty read would block.
        guard !bytes.isEmpty else { return "" }
        let count = read(terminal.slave, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      }

      private func awaitInput(on descriptor: Int32, within wait: Int) -> Bool {
        looks += 1
        if TerminalInput.hasInput(on: descriptor) { return true }
        guard let next = pieces.first, next.time <= time + wait else {
          time += wait
          return false
        }
        pieces.removeFirst()
        time = max(time, next.time)
        type(next.text)
        return true
      }
    }

    /// A session on a slow terminal, with the input that it delivered.
    @MainActor private final class Leaving {
      let slow: SlowTerminal
      let session: TerminalSession
      private(set) var events: [TerminalEvent] = []
      private(set) var replies: [TerminalReply] = []

      init() throws {
        slow = try SlowTerminal()
        let slave = slow.terminal.slave
        session = TerminalSession(input: slave, output: slave, replyDrain: slow.drain)
        session.handler = { [weak self] in self?.handle($0) }
        try session.open()
        session.begin(KeySequences(), sending: [], restoring: [])
      }

      var typed: String {
        events.reduce(into: "") { text, event in
          if case .key(let key) = event, case .character(let character) = key.code { text.append(character) }
        }
      }

      func ask(_ queries: Set<TerminalQuery>) {
        session.send(TerminalQuery.bytes(asking: TerminalQuery.allCases.filter(queries.contains)), asking: queries)
      }

      /// Types `text` and waits until `isRead` returns true.
      func read(_ text: String, upTo isRead: (Leaving) -> Bool) async throws {
        slow.type(text)
        try await wait(for: "the program to read “\(text)”") { isRead(self) }
      }

      func leave(_ way: Way) async throws {
        switch way {
        case .quit: session.close(sending: [])
        case .suspension: session.suspend(sending: [])
        case .signal:
          kill(getpid(), SIGTERM)
          try await wait(for: "the signal") { session.state == .closed }
        }
      }

      /// Resumes the program, types `newer` and waits until it is read.
      func resume(typing newer: String) async throws {
        session.resume(sending: [], restoring: [])
        slow.type(newer)
        try await wait(for: "“\(newer)”", showing: { "\(events)" }) { typed.hasSuffix(newer) }
      }

      func end() {
        session.close(sending: [])
        slow.terminal.close()
      }

      private func handle(_ event: ConnectionEvent) {
        switch event {
        case .input(let input):
          events += input.events
          replies += input.replies
        case .termination: session.close(sending: [])
        default: break
        }
      }
    }

    private func withLeaving(_ body: @MainActor (Leaving) async throws -> Void) async throws {
      let leaving = try Leaving()
      defer { leaving.end() }
      try await body(leaving)
    }

    /// Cuts `text` into pieces of about the same length.
    private static func cut(_ text: String, into count: Int) -> [String] {
      let bytes = Array(text.utf8)
      return (0..<count).map { part in
        String(
          decoding: bytes[(part * bytes.count / count)..<((part + 1) * bytes.count / count)], as: UTF8.self)
      }
    }

    // MARK: Replies

    @Test(arguments: Way.allCases, [20, 60, 99, 100, 101, 160, 290])
    func `replies in pieces are read to the end`(way: Way, pause: Int) async throws {
      for count in [1, 2, 3, 6, 9] where count * pause < Self.limit {
        try await withLeaving { leaving in
          leaving.ask(Self.all)
          leaving.slow.send(Self.cut(Self.replies.joined(), into: count), every: pause)
          try await leaving.leave(way)
          #expect(leaving.slow.unsent.isEmpty, "\(count) pieces")
          #expect(leaving.slow.takeUnread() == "", "\(count) pieces")
          #expect(leaving.replies.count == Self.replies.count, "\(count) pieces")
          // The drain ends immediately after the last reply.
          #expect(leaving.slow.time == count * pause)
          #expect(leaving.events == [])
        }
      }
    }

    @Test(arguments: [Way.quit, .suspension])
    func `replies torn at any byte are read to the end`(way: Way) async throws {
      let bytes = Array(Self.replies.joined().utf8)
      for cut in 1..<bytes.count {
        try await withLeaving { leaving in
          leaving.ask(Self.all)
          let pieces = [bytes[..<cut], bytes[cut...]].map { String(decoding: $0, as: UTF8.self) }
          leaving.slow.send(pieces, every: 250)
          try await leaving.leave(way)
          #expect(leaving.slow.unsent.isEmpty && leaving.slow.takeUnread() == "", "torn at \(cut)")
          #expect(leaving.replies.count == Self.replies.count, "torn at \(cut)")
        }
      }
    }

    @Test(arguments: [Way.quit, .suspension])
    func `replies that arrive after the usual last one are read`(way: Way) async throws {
      // Replies arrive in order, so no cell size is expected after the area size.
      for late in Self.replies.dropLast() where !late.hasPrefix("\u{1B}[6;") {
        try await withLeaving { leaving in
          leaving.ask(Self.all)
          let others = Self.replies.filter { $0 != late }
          try await leaving.read(others.joined()) { $0.replies.count == others.count }
          leaving.slow.send([String(late.prefix(4)), String(late.dropFirst(4))], every: 120)
          try await leaving.leave(way)
          #expect(leaving.slow.unsent.isEmpty && leaving.slow.takeUnread() == "", "\(late.debugDescription)")
          #expect(leaving.replies.count == Self.replies.count, "\(late.debugDescription)")
        }
      }
    }

    @Test(arguments: [Way.quit, .suspension])
    func `an unfinished sequence is read to its end without an open query`(way: Way) async throws {
      for sequence in Self.replies + ["\u{1B}[<0;10;12M", "\u{1B}[200~rm -r\r\u{1B}[201~"] {
        try await withLeaving { leaving in
          try await leaving.read("j" + String(sequence.prefix(4))) { $0.typed == "j" }
          leaving.slow.send([String(sequence.dropFirst(4))], every: 120)
          try await leaving.leave(way)
          #expect(leaving.slow.unsent.isEmpty && leaving.slow.takeUnread() == "", "\(sequence.debugDescription)")
        }
      }
    }

    // MARK: Keys

    @Test func `keys between replies are delivered after a suspension and before newer keys`()
      async throws
    {
      for pause in [60, 140] {
        try await withLeaving { leaving in
          leaving.ask(Self.all)
          let keys = ["a" + Self.replies[0] + "b", Self.replies[1] + "日"]
          let rest = Self.replies[2...].joined()
          leaving.slow.send(keys + Self.cut(rest, into: 3) + ["d"], every: pause)
          try await leaving.leave(.suspension)
          #expect(leaving.slow.unsent == ["d"])
          #expect(leaving.events == [])
          try await leaving.resume(typing: "e")
          #expect(leaving.typed == "ab日e")
          #expect(leaving.replies.count == Self.replies.count)
        }
      }
    }

    @Test(arguments: [Way.quit, .suspension])
    func `keys after the last reply are left to the shell`(way: Way) async throws {
      try await withLeaving { leaving in
        leaving.ask(Self.all)
        leaving.slow.send(["x" + Self.replies.joined() + "ls"], every: 120)
        try await leaving.leave(way)
        #expect(leaving.slow.takeUnread() == "ls")
        #expect(leaving.events == [])
        guard way == .suspension else { return }
        try await leaving.resume(typing: "k")
        #expect(leaving.typed == "xk")
      }
    }

    @Test(
      arguments: [
        (["\u{1B}", "j"], [Key(.escape), .character("j")]), (["\u{1B}j"], [.meta("j")]),
        (["\u{1B}", "é"], [Key(.escape), .character("é")]), (["\u{1B}", "\u{1B}"], [Key(.escape), Key(.escape)]),
        (["\u{1B}", "[A"], [Key(.up)]),
      ] as [([String], [Key])])
    func `an escape before a pause is a separate key unless it begins a sequence`(
      pieces: [String], keys: [Key]
    ) async throws {
      try await withLeaving { leaving in
        leaving.ask(Self.all)
        leaving.slow.send(pieces + [Self.replies.joined()], every: 60)
        try await leaving.leave(.suspension)
        #expect(leaving.replies.count == Self.replies.count)
        try await leaving.resume(typing: "k")
        let expected = (keys + [.character("k")]).map { TerminalEvent.key($0) }
        #expect(leaving.events == expected)
      }
    }

    @Test func `two suspensions each deliver their keys`() async throws {
      try await withLeaving { leaving in
        for (key, newer) in [("a", "b"), ("c", "d")] {
          leaving.ask([.cellSize])
          leaving.slow.send([key + "\u{1B}[6;20;9t"], every: 120)
          try await leaving.leave(.suspension)
          try await leaving.resume(typing: newer)
        }
        #expect(leaving.typed == "abcd")
      }
    }

    // MARK: Limits

    @Test(arguments: Way.allCases)
    func `waiting for a silent terminal ends after one interval despite typing`(
      way: Way
    ) async throws {
      try await withLeaving { leaving in
        leaving.ask(Self.all)
        leaving.slow.send(["l", "s", "late"], every: 110)
        try await leaving.leave(way)
        #expect(leaving.slow.unsent == ["late"])
        #expect(leaving.slow.time >= Int(ReplyDrain.silence) && leaving.slow.time < 330)
        #expect(leaving.slow.takeUnread() == "")
        #expect(leaving.events == [])
        guard way == .suspension else { return }
        try await leaving.resume(typing: "k")
        #expect(leaving.typed == "lsk")
      }
    }

    /// A state in which no reply is outstanding.
    enum Quiet: CaseIterable, Sendable {
      case unasked, answered, expired
      /// The cell size was queried again after the first queries expired.
      case renewed
      /// The terminal replied to only one of the two queries for the cell size.
      case areaSize
    }

    @Test(arguments: [Way.quit, .suspension], Quiet.allCases)
    func `a terminal without open queries is left immediately with its keys unread`(
      way: Way, quiet: Quiet
    ) async throws {
      try await withLeaving { leaving in
        let cell: Set<TerminalQuery> = [.cellSize, .areaSize]
        if quiet != .unasked { leaving.ask(quiet == .areaSize ? cell : Self.all) }
        if quiet == .answered {
          try await leaving.read(Self.replies.joined()) { $0.replies.count == Self.replies.count }
        }
        if quiet == .expired || quiet == .renewed { leaving.slow.age = OpenQueries.lifetime }
        if quiet == .renewed {
          leaving.ask(cell)
          try await leaving.read("\u{1B}[6;20;9t\u{1B}[4;480;720t") { $0.replies.count == 2 }
        }
        if quiet == .areaSize { try await leaving.read("\u{1B}[4;480;720t") { $0.replies.count == 1 } }
        leaving.slow.type("ls")
        try await leaving.leave(way)
        #expect(leaving.slow.looks == 0)
        #expect(leaving.slow.takeUnread() == "ls")
        #expect(leaving.events == [])
      }
    }

    @Test(arguments: [Way.quit, .suspension])
    func `a repeating key or endless reply is abandoned at the time limit`(way: Way) async throws {
      for first in ["q", "\u{1B}]11;rgb:"] {
        try await withLeaving { leaving in
          leaving.ask(Self.all)
          leaving.slow.send([first] + Array(repeating: "0", count: 1000), every: 10)
          try await leaving.leave(way)
          #expect(leaving.slow.time <= Self.limit + 20, "\(first.debugDescription)")
          #expect(!leaving.slow.unsent.isEmpty, "\(first.debugDescription)")
        }
      }
    }
  }
}
