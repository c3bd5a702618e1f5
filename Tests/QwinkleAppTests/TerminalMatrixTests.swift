import Foundation
import TerminalTesting
import Testing

/// Every terminal type, with and without colours, in every locale. The program starts, reads, posts and quits without
/// waiting for replies to its queries.
@Suite(.bounded) struct TerminalMatrixTests {
  /// A terminal's description in the environment.
  struct Setting: Sendable, CustomTestStringConvertible {
    var kind: String
    var hasColors: Bool
    var locale: String

    var testDescription: String { "\(kind), \(hasColors ? "colours" : "NO_COLOR"), \(locale)" }

    /// All combinations in a soak, otherwise a random one per terminal type.
    static let all: [Setting] = {
      var random = SplitMix(seed: Soak.seed)
      let kinds = [
        "xterm-256color", "xterm", "screen", "tmux-256color", "linux", "vt100", "dumb", "xterm-kitty", "garbage-term",
      ]
      return kinds.flatMap { kind in
        let settings = [true, false].flatMap { hasColors in
          ["C.UTF-8", "C"].map { Setting(kind: kind, hasColors: hasColors, locale: $0) }
        }
        return Soak.isOn ? settings : [settings[Int.random(in: settings.indices, using: &random)]]
      }
    }()
  }

  @Test(arguments: Setting.all) func `a session works on every terminal type`(setting: Setting) async throws {
    try await Program.inNewHome { program in
      // Posts without a delay, which isn't tested here.
      try program.write("hold = 0\n".utf8, to: ".config/qwinkle/config.toml")
      var program = program.with(["LANG": setting.locale])
      program.environment["LC_ALL"] = nil
      if !setting.hasColors { program.environment["NO_COLOR"] = "1" }
      try await program.onPseudoTerminal(kind: setting.kind) { terminal, spawned in
        let start = ContinuousClock.now
        try await terminal.wait(for: "Welcome")
        print("\(setting.testDescription): text after \(ContinuousClock.now - start)")

        var count = terminal.output.count
        terminal.type("c")
        // Until the server has identified the user, the default visibility is unknown.
        try await terminal.wait(for: "Public, everyone", after: count)
        count = terminal.output.count
        terminal.type("frost at nine\u{4}")
        try await terminal.wait(for: "Posted", after: count)
        try await terminal.wait(for: "frost at nine", after: count)
        terminal.type("qy")
        #expect(try await spawned.waitForEnd() == .exit(0))

        try expectAsBefore(terminal)
        expectFits(terminal.output, setting)
      }
      let timeline = try await program.run("timeline", "home", "--limit", "1")
      #expect(timeline.text.contains("frost at nine"), "\(timeline.text) \(timeline.errors)")
    }
  }

  /// Expects the terminal to be in its initial state.
  private func expectAsBefore(_ terminal: PseudoTerminal) throws {
    #expect(try terminal.settings() == PseudoTerminal().settings())
    let state = terminal.state()
    #expect(state == TerminalState(rows: 24), "\(state)")
  }

  private func expectFits(_ output: [UInt8], _ setting: Setting) {
    let violations = TerminalBytes.violations(in: output, allowing: [.title, .questions])
    #expect(violations.isEmpty, "\(violations.prefix(5))")
    if setting.locale == "C" { #expect(output.allSatisfy { $0 < 0x80 }) }
    if !setting.hasColors { #expect(!output.hasColors) }
    if setting.kind == "dumb" { #expect(!output.contains(0x1B)) }
    // Nothing is queried before the first frame.
    let text = output.firstRange(of: Array("Public".utf8))?.lowerBound ?? 0
    if let question = output.firstQuestion { #expect(question > text) }
  }
}

extension [UInt8] {
  /// Whether any text is coloured.
  fileprivate var hasColors: Bool {
    TerminalSequence.all(in: self).contains { sequence in
      guard case .csi(let parameters, [], UInt8(ascii: "m")) = sequence.kind else { return false }
      return parameters.split(separator: UInt8(ascii: ";")).contains { part in
        let number = Int(String(decoding: part, as: UTF8.self)) ?? 0
        return (30...38).contains(number) || (40...48).contains(number) || (90...107).contains(number)
      }
    }
  }

  /// The offset of the first query to the terminal, if any.
  fileprivate var firstQuestion: Int? {
    TerminalSequence.all(in: self).first { sequence in
      switch sequence.kind {
      case .csi(_, _, UInt8(ascii: "c")), .csi(_, _, UInt8(ascii: "n")), .csi(_, _, UInt8(ascii: "p")):
        // The Linux console also sets the cursor's shape with a `c`.
        !TerminalBytes.violations(in: Swift.Array(self[sequence.range])).isEmpty
      default: false
      }
    }?.range.lowerBound
  }
}
