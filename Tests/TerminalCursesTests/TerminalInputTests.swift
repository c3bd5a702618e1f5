import LibC
import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

/// Input from a pipe that the test writes to.
@MainActor
@Suite(.bounded) struct TerminalInputTests {
  /// A pipe, its reader, and the input that was delivered.
  @MainActor private final class Line {
    private(set) var input: TerminalInput?
    private let ends: [Int32]
    private var isClosed = false
    private var batches: [DecodedInput] = []

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      self.ends = ends
      input = TerminalInput(descriptor: ends[0], sequences: KeySequences()) { [weak self] in self?.take($0) }
      input?.start()
    }

    private func take(_ batch: DecodedInput) {
      // On a busy machine the end of a paste may arrive too late.
      if batch == DecodedInput(events: [.pasteStalls]) { return }
      batches.append(batch)
    }

    /// Waits for the next decoded input.
    func next() async throws -> DecodedInput {
      try await wait(for: "input") { !batches.isEmpty }
      return batches.removeFirst()
    }

    func type(_ bytes: some Collection<UInt8>) { _ = systemWrite(ends[1], Array(bytes), bytes.count) }

    func hangUp() {
      if !isClosed { systemClose(ends[1]) }
      isClosed = true
    }

    func end() {
      input?.cancel()
      hangUp()
      systemClose(ends[0])
    }
  }

  @Test(arguments: [
    ("\u{1B}[1;5C", [TerminalEvent.key(Key(.right, .control))]), ("\u{1B}OB", [.key(Key(.down))]),
    ("\u{1B}[<0;3;4M", [.mouse(MouseEvent(.press, at: Point(row: 3, column: 2)))]), ("日", [.key(.character("日"))]),
    ("\u{1B}[200~one\rtwo\u{1B}[201~", [.paste("one\rtwo")]), ("\u{1B}]10;rgb:0/0/0\u{7}", []),
  ])
  func `a sequence received in two reads is one event`(
    sequence: String, events: [TerminalEvent]
  ) async throws {
    let line = try Line()
    defer { line.end() }
    let bytes = Array(sequence.utf8)
    // After a lone escape, silence means the Esc key.
    for cut in 1..<bytes.count where bytes[cut - 1] != 0x1B {
      line.type("a".utf8 + bytes[..<cut])
      // The bytes before the cut have been read.
      #expect(try await line.next() == DecodedInput(events: [.key(.character("a"))]), "cut at \(cut)")
      line.type(bytes[cut...] + "k".utf8)
      #expect(try await line.next() == DecodedInput(events: events + [.key(.character("k"))]), "cut at \(cut)")
    }
  }

  @Test func `a reply received in two reads is not a key`() async throws {
    let line = try Line()
    defer { line.end() }
    line.type("a\u{1B}[2;".utf8)
    #expect(try await line.next().events == [.key(.character("a"))])
    line.type("3Rb".utf8)
    #expect(
      try await line.next() == DecodedInput(events: [.key(.character("b"))], replies: [.cursor(row: 2, column: 3)]))
    line.type("a\u{1B}]11;rgb:ffff/fff".utf8)
    #expect(try await line.next().events == [.key(.character("a"))])
    line.type("f/e0e0\u{1B}\\b".utf8)
    #expect(
      try await line.next() == DecodedInput(events: [.key(.character("b"))], replies: [.background(.light)]))
  }

  @Test(arguments: [
    ("rgb:0/0/0", TerminalBackground.dark), ("rgb:ff/ff/ff", .light), ("rgb:ffff/ffff/ffff", .light),
    ("rgba:fd/f6/e3/ff", .light), ("rgb:1b1b/2222/3030", .dark), ("rgb:000/fff/000", .light), ("rgb:0/0/f", .dark),
    ("rgb:/0/0", nil), ("rgb:12345/0/0", nil), ("rgb:0/0", nil), ("#ffffff", nil), ("?", nil), ("rgb:g/0/0", nil),
  ])
  func `a background is dark or light and an invalid one is ignored`(
    color: String, background: TerminalBackground?
  ) {
    for end in ["\u{7}", "\u{1B}\\"] {
      var decoder = KeyDecoder(sequences: KeySequences())
      let input = decoder.decode(Array("\u{1B}]11;\(color)\(end)j".utf8))
      let replies = background.map { [TerminalReply.background($0)] } ?? []
      #expect(input == DecodedInput(events: [.key(.character("j"))], replies: replies))
    }
  }

  @Test func `an escape is a key if nothing follows it`() async throws {
    let line = try Line()
    defer { line.end() }
    line.type("a\u{1B}".utf8)
    #expect(try await line.next().events == [.key(.character("a"))])
    #expect(try await line.next().events == [.key(Key(.escape))])
  }

  @Test func `a paste longer than one read is delivered in full`() async throws {
    let line = try Line()
    defer { line.end() }
    let text = String(repeating: "日本", count: 6000)
    line.type("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    #expect(try await line.next().events == [.paste(text)])
  }

  @Test func `a suspended input delivers replies at once and keys after it resumes`() async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    input.suspend()
    line.type("q\u{1B}[2;3Rw".utf8)
    var replies: [TerminalReply] = []
    input.drain(by: ReplyDrain(), while: { replies.isEmpty }) { replies += $0 }
    #expect(replies == [.cursor(row: 2, column: 3)])
    line.type("k".utf8)
    input.resume()
    let keys = "qwk".map { TerminalEvent.key(.character($0)) }
    #expect(try await line.next().events == keys)
    input.suspend()
    line.hangUp()
    input.drain(by: ReplyDrain(), while: { true }) { replies += $0 }
    #expect(replies.count == 1)
    input.resume()
    #expect(try await line.next().events == [.hangup])
  }

  @Test func `a lone escape is a key after a suspension`() async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    input.suspend()
    line.type("\u{1B}[2;3R\u{1B}".utf8)
    var count = 0
    input.drain(by: ReplyDrain(), while: { count == 0 }) { count += $0.count }
    line.type("k".utf8)
    input.resume()
    // Both bytes were still unread.
    #expect(try await line.next().events == [.key(.meta("k"))])
    input.suspend()
    line.type("\u{1B}".utf8)
    input.drain(by: ReplyDrain(), while: { true }) { count += $0.count }
    input.resume()
    line.type("k".utf8)
    var events: [TerminalEvent] = []
    while events.count < 2 { events += try await line.next().events }
    #expect(events == [.key(Key(.escape)), .key(.character("k"))])
  }

  /// A drain that doesn't wait: each check without input counts as silence.
  private static let drain = ReplyDrain(awaitInput: { descriptor, _ in TerminalInput.hasInput(on: descriptor) })

  @Test(arguments: [
    "\u{1B}", "\u{1B}[2;", "\u{1B}O", "\u{1B}]11;rgb:1a", "\u{1B}P>|xt", "\u{1B}_Gi=31", "\u{1B}]10;rgb:1a",
    "\u{1B}]10;rgb:1a\u{1B}", "\u{1B}^private", "\u{1B}[" + String(repeating: "1;", count: 400),
  ])
  func `keys after a suspension do not continue an unfinished sequence`(start: String) async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    input.suspend()
    line.type(start.utf8)
    input.drain(by: Self.drain, while: { true }) { _ in }
    input.resume()
    line.type("[Ak".utf8)
    var expected = "[Ak".map { TerminalEvent.key(.character($0)) }
    if start == "\u{1B}" { expected.insert(.key(Key(.escape)), at: 0) }
    var events: [TerminalEvent] = []
    while events.last != expected.last { events += try await line.next().events }
    #expect(events == expected)
  }

  @Test func `a key after a suspension is not the rest of an earlier escape`() async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    line.type("\u{1B}".utf8)
    #expect(try await line.next().events == [.key(Key(.escape))])
    input.suspend()
    line.type("[1;".utf8)
    input.drain(by: Self.drain, while: { true }) { _ in }
    input.resume()
    line.type("\u{1B}[A".utf8)
    #expect(try await line.next().events == [.key(Key(.up))])
  }

  @Test func `a paste continues after a suspension`() async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    input.suspend()
    line.type("\u{1B}[200~one".utf8)
    input.drain(by: Self.drain, while: { true }) { _ in }
    input.resume()
    line.type(" two\u{1B}[201~".utf8)
    #expect(try await line.next().events == [.paste("one two")])
  }

  @Test func `a program in the background reads no input`() async throws {
    let line = try Line()
    defer { line.end() }
    let input = try #require(line.input)
    var isAsked = false
    input.mayRead = {
      isAsked = true
      return false
    }
    line.type("for the shell".utf8)
    try await wait(for: "a refused read") { isAsked }
    line.hangUp()
    input.mayRead = { true }
    input.resume()
    var events: [TerminalEvent] = []
    while events.last != .hangup { events += try await line.next().events }
    let keys = "for the shell".map { TerminalEvent.key(.character($0)) }
    #expect(events == keys + [.hangup])
  }

  @Test func `a hangup is the last event`() async throws {
    let line = try Line()
    defer { line.end() }
    line.type("a\u{1B}".utf8)
    line.hangUp()
    var events: [TerminalEvent] = []
    while events.last != .hangup { events += try await line.next().events }
    #expect(events == [.key(.character("a")), .key(Key(.escape)), .hangup])
  }
}
