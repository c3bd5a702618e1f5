import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing

/// SIGKILL at any moment: files stay intact, almost no typed text is lost, and nothing is sent twice.
@Suite(.bounded) struct KillTests {
  /// Maximum number of typed letters that may be lost.
  private static let mayBeLost = 20
  /// Letters that occur nowhere else on the screen. No visible timeline contains the posted text.
  private static let letters = Array("αβγδεζηθικλμνξοπρστυφχψω")
  /// Kills in one home. Each start reuses the files of the killed program.
  private static let killsOfLife = 10

  /// A home in which the program is killed repeatedly.
  struct Life: Sendable, CustomTestStringConvertible {
    let seed: UInt64
    var testDescription: String { "seed \(seed)" }
  }

  private static let lives = Soak.seeds(2).map(Life.init)

  @Test(arguments: lives) func `a kill at any moment loses little and sends nothing twice`(
    life: Life
  ) async throws {
    let server = CountingServer(
      seed: life.seed, honoursKeys: life.seed.isMultiple(of: 2), showsPosts: false)
    try await withServer(server.answer) { front in
      try await Program.inNewHome { program in
        let token = server.accounts.makeToken(for: "mara")
        let outcome = try await program.run("login", front.url, "--token-stdin", input: token + "\n")
        try #require(outcome.status == 0, "\(outcome.errors)")
        // Every other seed delays sending by a second. A kill within that second leaves the entry as a draft.
        try program.write("hold = \(life.seed % 2)\n".utf8, to: ".config/qwinkle/config.toml")
        var killing = Killing(program: program.with(["TERM": "xterm-256color"]), server: server, seed: life.seed)
        while killing.kills < Self.killsOfLife { try await killing.writeOne() }
        print("seed \(life.seed): \(killing.kills) kills, \(killing.entries) entries, \(killing.lost) letters lost")
      }
    }
  }

  private struct Killing {
    let program: Program
    let server: CountingServer
    var random: SplitMix
    private(set) var kills = 0
    private(set) var entries = 0
    private(set) var lost = 0

    init(program: Program, server: CountingServer, seed: UInt64) {
      self.program = program
      self.server = server
      random = SplitMix(seed: seed)
    }

    /// Writes and sends an entry, with kills in between.
    mutating func writeOne() async throws {
      entries += 1
      let name = String([KillTests.letters[entries / 24 % 24], KillTests.letters[entries % 24]])
      let text = name + String((0..<Int.random(in: 20...58, using: &random)).map { _ in letter() })
      var typed = 0
      while typed < text.count {
        let isKilled = Int.random(in: 0..<3, using: &random) > 0
        let count = isKilled ? Int.random(in: 1...(text.count - typed), using: &random) : text.count - typed
        typed = try await type(text, from: typed, count: count, isKilled: isKilled)
      }
      for _ in 0..<40 {
        guard try await send(text) else { break }
      }
      let arrived = server.texts(beginningWith: name)
      #expect(arrived == [text], "\(name)")
    }

    private mutating func letter() -> Character {
      // The first two letters identify the entry.
      KillTests.letters.randomElement(using: &random) ?? "ω"
    }

    /// Types a part of `text` into its entry. Returns the number of saved letters.
    private mutating func type(_ text: String, from first: Int, count: Int, isKilled: Bool) async throws -> Int {
      let part = Array(text)[first..<(first + count)]
      let (terminal, spawned) = try await open(text.prefix(first))
      defer { terminal.close() }
      let before = greek(terminal.output).count
      let start = ContinuousClock.now
      for letter in part { terminal.type(String(letter)) }
      if isKilled {
        await Pace.rest(milliseconds: Int.random(in: 0...700, using: &random))
      } else {
        // The entry is saved a second after its last change.
        try await terminal.wait(for: "what is typed") {
          Self.shown(part, in: greek($0).dropFirst(before)) == part.count
        }
        await Pace.rest(milliseconds: 1000)
      }
      let shown = Self.shown(part, in: greek(terminal.output).dropFirst(before))
      try await kill(spawned)
      let kept = try saved(String(text.prefix(2)))?.text.count ?? 0
      let seen = first + shown
      // In the first two seconds, nothing may be saved yet: saving takes a second, and longer on a busy machine.
      let mayBeLost = start.duration(to: .now) < .seconds(2) ? part.count : KillTests.mayBeLost
      if kept < seen { lost += seen - kept }
      #expect(seen - kept <= (isKilled ? mayBeLost : 0), "\(seen) letters were shown, \(kept) are kept")
      if !isKilled { #expect(kept == first + count) }
      return kept
    }

    /// Returns the length of the longest beginning of `part` that occurs in `output`.
    private static func shown(_ part: ArraySlice<Character>, in output: Substring) -> Int {
      (0...part.count).last { output.contains(String(part.prefix($0))) } ?? 0
    }

    /// Sends the entry, or lets the outbox send it, and kills the program before or after the server receives it.
    /// Returns whether the entry was still saved here.
    private mutating func send(_ text: String) async throws -> Bool {
      let name = String(text.prefix(2))
      guard let saved = try saved(name) else { return false }
      let (terminal, spawned) = try await saved.isDraft ? open(text[...]) : start()
      defer { terminal.close() }
      if saved.isDraft {
        // ^D asks for the visibility until the account's default is loaded.
        try await terminal.wait(for: "the visibility") { Self.contains("Public, everyone", $0) }
        terminal.type("\u{04}")
      }
      if Bool.random(using: &random) {
        await Pace.rest(milliseconds: Int.random(in: 0...300, using: &random))
      } else {
        // A retry may be scheduled for later.
        for _ in 0..<150 where server.texts(beginningWith: name).isEmpty { await Pace.rest(milliseconds: 100) }
        await Pace.rest(milliseconds: 700)
      }
      try await kill(spawned)
      return true
    }

    private mutating func kill(_ spawned: SpawnedProgram) async throws {
      spawned.signal(SIGKILL)
      _ = try await spawned.waitForEnd()
      kills += 1
      for file in program.files() where file.path.hasSuffix(".sqlite") {
        let check = FileCheck(database: "\(program.home)/\(file.path)")
        #expect(check.problem == nil, "\(file.path): \(check.problem ?? "")")
      }
      #expect(!program.files().contains { $0.path.contains("damaged") })
    }

    private func start() async throws -> (PseudoTerminal, SpawnedProgram) {
      let terminal = try PseudoTerminal()
      let spawned = try terminal.start(
        [Program.path], environment: program.environment, directory: program.home)
      try await terminal.wait(for: "a screen") { Self.isOpen($0) || Self.contains("help", $0) }
      return (terminal, spawned)
    }

    /// Starts the program and opens the entry with `text`.
    private func open(_ text: Substring) async throws -> (PseudoTerminal, SpawnedProgram) {
      let (terminal, spawned) = try await start()
      if !Self.isOpen(terminal.output) { terminal.type("c") }
      try await terminal.wait(for: "the entry") { Self.isOpen($0) }
      try await terminal.wait(for: "what was written, \(text)") { greek($0).hasSuffix(text) }
      return (terminal, spawned)
    }

    private static func isOpen(_ output: [UInt8]) -> Bool { contains("New post", output) }

    private static func contains(_ words: String, _ output: [UInt8]) -> Bool {
      output.firstRange(of: Array(words.utf8)) != nil
    }

    /// Returns the saved entry that begins with `name` or has only the beginning of `name`.
    private func saved(_ name: String) throws -> (text: String, isDraft: Bool)? {
      let folder = "\(program.home)/.local/share/qwinkle"
      for account in try FileManager.default.contentsOfDirectory(atPath: folder) where account.hasPrefix("mara@") {
        let directory = "\(folder)/\(account)"
        let found = try OutgoingStore.entries(in: directory).first {
          $0.entry.text.hasPrefix(name) || (!$0.entry.text.isEmpty && name.hasPrefix($0.entry.text))
        }
        guard let found else { continue }
        let isDraft = try !OutgoingStore.items(in: directory).contains { $0.id == found.id }
        return (found.entry.text, isDraft)
      }
      return nil
    }
  }
}

/// Returns the Greek letters in a terminal's output, in order. Only entries contain them.
private func greek(_ output: [UInt8]) -> String {
  String(
    String(decoding: output, as: UTF8.self).unicodeScalars.filter { (0x3B1...0x3C9).contains($0.value) }
      .map(Character.init))
}
