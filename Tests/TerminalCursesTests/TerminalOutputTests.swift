import LibC
import TerminalTesting
import Testing

@testable import TerminalCurses

/// Output to a pseudoterminal.
@MainActor
@Suite(.bounded) struct TerminalOutputTests {
  @Test func `a stopped terminal does not block the program and later gets all output in order`() async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let output = TerminalOutput(terminal: terminal.slave)
    defer { output.close() }
    // As control-S does.
    try #require(tcflow(terminal.slave, TCOOFF) == 0)
    let sent = (0..<200_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    output.send(sent)
    output.send(Array("END".utf8))
    output.flush(milliseconds: 1)
    #expect(output.isBusy)
    #expect(output.bytesSent == 0 && terminal.output.isEmpty)
    #expect(fcntl(terminal.slave, F_GETFL) & O_NONBLOCK == 0, "the caller's descriptor keeps waiting")
    var isDrained = false
    output.onDrained = { isDrained = true }
    tcflow(terminal.slave, TCOON)
    try await wait(for: "the end of the output") { isDrained }
    #expect(!output.isBusy)
    #expect(output.bytesSent == sent.count + 3)
    #expect(try await terminal.wait(for: "END") == sent + Array("END".utf8))
  }

  @Test func `output queued for a stopped terminal can be dropped`() async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let output = TerminalOutput(terminal: terminal.slave)
    defer { output.close() }
    try #require(tcflow(terminal.slave, TCOOFF) == 0)
    output.send(Array("dropped".utf8))
    output.drop()
    try #require(tcflow(terminal.slave, TCOON) == 0)
    output.send(Array("kept".utf8))
    #expect(try await terminal.wait(for: "kept") == Array("kept".utf8))
  }

  @Test func `output in the background is queued and can be dropped`() async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let output = TerminalOutput(terminal: terminal.slave)
    defer { output.close() }
    output.mayWrite = { false }
    output.send(Array("dropped".utf8))
    #expect(output.isBusy && output.bytesSent == 0)
    output.drop()
    output.send(Array("waits".utf8))
    output.mayWrite = { true }
    output.send(Array(" END".utf8))
    #expect(try await terminal.wait(for: "END") == Array("waits END".utf8))
  }

  @Test func `a terminal that hangs up is reported once and its output is dropped`() throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let output = TerminalOutput(terminal: terminal.slave)
    defer { output.close() }
    var losses = 0
    output.onLost = { losses += 1 }
    terminal.hangUp()
    for text in ["to", "nobody"] { output.send(Array(text.utf8)) }
    #expect(losses == 1)
    #expect(!output.isBusy && output.bytesSent == 0)
  }
}
