import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

/// Replies torn by silences as the program ends. The bytes that the program leaves unread reach the shell.
@Suite(.bounded) struct ReplyDrainTests {
  /// A reply to each query, in the order of the queries.
  private static let replies = [
    "\u{1B}[?2026;2$y", "\u{1B}[2;9R", "\u{1B}[2;34R", "\u{1B}P>|xterm(370)\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\",
    "\u{1B}[?62;22c", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}[6;20;9t", "\u{1B}[4;480;720t", "\u{1B}[2;2R",
  ]

  /// A terminal that sends pieces at set times, and the program that leaves it. Times are in milliseconds.
  private final class Leaving {
    private(set) var pieces: [(time: Int, bytes: [UInt8])]
    private(set) var time = 0
    private var decoder = KeyDecoder(sequences: KeySequences())
    private var queries = OpenQueries()
    private let start = ContinuousClock.now

    init(asking: Set<TerminalQuery>, after pause: Int, _ pieces: [String]) {
      self.pieces = pieces.enumerated().map { (($0.offset + 1) * pause, Array($0.element.utf8)) }
      queries.ask(asking, at: start)
    }

    /// Reads `bytes` before the end.
    func read(_ bytes: some Sequence<UInt8>) {
      for reply in decoder.decode(bytes).replies { queries.note(reply, at: start) }
    }

    func leave() {
      guard queries.mayBeAnswered(at: start) || decoder.isIncomplete else { return }
      ReplyDrain.run(
        isOwed: { !queries.isEmpty || decoder.isIncomplete }, elapsed: { .milliseconds(time) },
        read: { look(for: Int($0)) })
    }

    private func look(for wait: Int) -> ReplyDrain.Reading {
      guard let next = pieces.first, next.time <= time + wait else {
        time += wait
        return .silence
      }
      pieces.removeFirst()
      time = max(time, next.time)
      let replies = decoder.decode(next.bytes).replies
      for reply in replies { queries.note(reply, at: start + .milliseconds(time)) }
      return replies.isEmpty && !decoder.isIncomplete ? .other : .reply
    }
  }

  private static let all = Set(TerminalQuery.allCases)

  @Test func `each reply torn anywhere by 100 ms is read to its end`() {
    for (index, reply) in Self.replies.enumerated() {
      let bytes = Array(reply.utf8)
      for cut in 1..<bytes.count {
        var pieces = Self.replies
        pieces[index] = String(decoding: bytes[..<cut], as: UTF8.self)
        pieces.insert(String(decoding: bytes[cut...], as: UTF8.self), at: index + 1)
        let leaving = Leaving(asking: Self.all, after: 100, pieces)
        leaving.leave()
        #expect(leaving.pieces.isEmpty, "\(reply.debugDescription) torn at \(cut)")
      }
    }
  }

  @Test func `replies that arrive byte by byte are read to the last`() {
    let pieces = Self.replies.joined().map { String($0) }
    let leaving = Leaving(asking: Self.all, after: 15, pieces)
    leaving.leave()
    #expect(leaving.pieces.isEmpty)
  }

  @Test func `replies behind the one that every terminal sends last are read`() {
    for late in Self.replies.dropLast() {
      let others = Self.replies.filter { $0 != late }
      let leaving = Leaving(asking: Self.all, after: 100, [String(late.prefix(4)), String(late.dropFirst(4))])
      leaving.read(others.joined().utf8)
      leaving.leave()
      #expect(leaving.pieces.isEmpty, "\(late.debugDescription)")
    }
  }

  @Test func `a sequence that has begun before the end is read to its end, though nothing was asked`() {
    for sequence in Self.replies + ["\u{1B}[<0;10;12M", "\u{1B}[200~rm -r\r\u{1B}[201~"] {
      let leaving = Leaving(asking: [], after: 100, [String(sequence.dropFirst(4))])
      leaving.read(sequence.utf8.prefix(4))
      leaving.leave()
      #expect(leaving.pieces.isEmpty, "\(sequence.debugDescription)")
    }
  }

  @Test func `a silent terminal is left after one silence, and one that has answered at once`() {
    let silent = Leaving(asking: Self.all, after: 2000, ["q"])
    silent.leave()
    #expect(silent.time == Int(ReplyDrain.silence))
    #expect(silent.pieces.count == 1)
    let answered = Leaving(asking: Self.all, after: 100, ["ls"])
    answered.read(Self.replies.joined().utf8)
    answered.leave()
    #expect(answered.time == 0)
    #expect(answered.pieces.count == 1)
  }

  @Test func `a key held down, or a reply without end, doesn't keep the program from ending`() {
    for first in ["q", "\u{1B}]11;rgb:"] {
      let leaving = Leaving(asking: Self.all, after: 10, [first] + Array(repeating: "0", count: 1000))
      leaving.leave()
      #expect(leaving.time <= 3100, "\(first.debugDescription)")
      #expect(!leaving.pieces.isEmpty, "\(first.debugDescription)")
    }
  }
}
