import Foundation
import QwinkleConfig
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleReplay

/// The tapes in Tests/Tapes, played by the built program.
@Suite(.bounded) struct TapeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tapes").path

  private static let tapes: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".tape") }.sorted().map { "\(folder)/\($0)" }
  }()

  /// Number of tapes per process. A busy machine has to finish them before the time limit.
  private static let portion = 20

  /// Outside a soak, a random quarter of the tapes is replayed and compared with tmux.
  private static let sample: [String] = {
    var random = SplitMix(seed: Soak.seed)
    return tapes.filter { _ in Soak.isOn || Int.random(in: 0..<4, using: &random) == 0 }
  }()

  /// The first run plays every tape. It also records the steps of the sample, which are then compared with tmux.
  @Test(.needsTmux) func `every tape passes with reproducible output that tmux displays identically`()
    async throws
  {
    try await Program.inNewHome { program in
      let others = Self.tapes.filter { !Self.sample.contains($0) }
      try await play(others, program, ["--cast", "run-1"])
      try await play(Self.sample, program, ["--cast", "run-1", "--steps", "steps"])
      let first = files(of: program, in: "run-1")
      #expect(first.count == Self.tapes.count && !first.isEmpty)
      let runs = Soak.runs(2, times: 25)
      for run in 2...runs {
        // Every second run shuffles the background work.
        let shuffle = run.isMultiple(of: 2) ? ["--shuffle", "\(Soak.seed &+ UInt64(run))"] : []
        try await play(Self.sample, program, ["--cast", "run-\(run)"] + shuffle)
        // Casts contain all output and its times.
        let again = files(of: program, in: "run-\(run)")
        let differing = again.keys.filter { first[$0] != again[$0] }.sorted()
        #expect(
          differing.isEmpty && again.count == Self.sample.count,
          "seed \(Soak.seed), run \(run): \(differing.prefix(5))")
        try FileManager.default.removeItem(atPath: "\(program.home)/run-\(run)")
      }
      print("\(Self.tapes.count) tapes, \(runs) runs of \(Self.sample.count): the same bytes")
      try await compareWithTmux(files(of: program, in: "steps"))
    }
  }

  @Test func `each golden screen belongs to a tape`() throws {
    var taken: Set<String> = []
    for path in Self.tapes {
      for case .snapshot(let name, _) in try Self.steps(of: path) {
        taken.insert(SnapshotStore(tape: path).path(of: name))
      }
    }
    let kept = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".snapshot") }
    #expect(
      !kept.isEmpty && kept.allSatisfy { taken.contains("\(Self.folder)/\($0)") },
      "a tape was changed: delete what is left")
  }

  @Test func `each option, bundled keymap and theme appears in a tape`() throws {
    var (typed, written): ([String], [String]) = ([], [])
    for path in Self.tapes {
      for step in try Self.steps(of: path) {
        switch step {
        case .type(let text, _): typed.append(text)
        case .write("config.toml", let text): written.append(text)
        default: break
        }
      }
    }
    func isSet(_ key: ConfigKey, to value: String? = nil) -> Bool {
      typed.contains { text in
        let words = text.split(separator: " ")
        return words.count > 2 && [":set", ":set!", "set"].contains(words[0]) && words[1] == key.name
          && (value.map { words[2] == $0 } ?? true)
      } || written.contains { $0.hasPrefix("\(key.name) = \(value.map { "'\($0)'" } ?? "")") }
    }
    for key in ConfigKey.allCases { #expect(isSet(key), "\(key.name)") }
    for key in [ConfigKey.keymap, .theme] {
      for value in key.option.examples { #expect(isSet(key, to: value), "\(key.name) \(value)") }
    }
  }

  /// Texts on most screens, or on most screens of a kind. Tapes about something else omit their rows.
  @Test(arguments: [
    "? help", "2 Home", "^D post", "New post", "Public, everyone", "End of list", "? shows all keys",
  ])
  func `few tapes contain the same hint or label`(words: String) throws {
    let kept = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".snapshot") }
    let having = try kept.filter { try String(contentsOfFile: "\(Self.folder)/\($0)", encoding: .utf8).contains(words) }
    // A tape may show a screen at every size.
    func tapes(of snapshots: [String]) -> Set<Substring> {
      Set(snapshots.compactMap { $0.split(separator: "/").first })
    }
    let (changed, all) = (tapes(of: having), tapes(of: kept))
    #expect(!changed.isEmpty && changed.count * 10 <= all.count, "“\(words)” is in \(changed.sorted()) of \(all.count)")
  }

  /// `Train 2` also matches `Train 20`.
  @Test func `an expected number is not the beginning of another number`() throws {
    var checkedCount = 0
    for path in Self.tapes {
      let tape = try Self.tape(path)
      var texts: Set<String> = []
      for case .serve(let act) in tape.commands.map(\.step) {
        guard case .posts(let text, let count) = act.action else { continue }
        texts.formUnion(count > 1 ? (1...count).map { "\(text) \($0)" } : [text])
      }
      for command in tape.commands {
        guard case .expect(let pattern, _) = command.step else { continue }
        for text in texts where pattern.source.hasSuffix(text) {
          let longer = texts.filter { $0.hasPrefix(text) && $0.dropFirst(text.count).first?.isNumber == true }
          #expect(longer.isEmpty, "\(command.place): the pattern matches \(longer.sorted()), too")
          checkedCount += 1
        }
      }
    }
    #expect(checkedCount > 3)
  }

  private static func tape(_ path: String) throws -> Tape {
    try TapeParser.parse(String(contentsOfFile: path, encoding: .utf8), name: path) { _ in "" }
  }

  private static func steps(of path: String) throws -> [TapeStep] { try tape(path).commands.map(\.step) }

  /// Plays tapes and expects all of them to succeed.
  private func play(_ tapes: [String], _ program: Program, _ options: [String]) async throws {
    // Even portions: a single tape would write its cast to a file, not a folder.
    let portions = (tapes.count + Self.portion - 1) / Self.portion
    for index in 0..<portions {
      let some = Array(tapes[(index * tapes.count / portions)..<((index + 1) * tapes.count / portions)])
      let outcome = try await program.run(["replay"] + options + some, patience: .seconds(240))
      #expect(outcome.status == 0, "\(outcome.text)\n\(outcome.errors)")
      #expect(outcome.text.split(separator: "\n").count == some.count)
    }
  }

  private func files(of program: Program, in folder: String) -> [String: Data] {
    let files = program.files().filter { $0.path.hasPrefix("\(folder)/") }
    return Dictionary(uniqueKeysWithValues: files.map { (String($0.path.dropFirst(folder.count + 1)), $0.bytes) })
  }

  private func compareWithTmux(_ files: [String: Data]) async throws {
    let canvas = try await TmuxCanvas.start(rows: 24, columns: 80)
    do {
      try await compare(files, on: canvas)
      await canvas.stop()
    } catch {
      await canvas.stop()
      throw error
    }
  }

  private func compare(_ files: [String: Data], on canvas: TmuxCanvas) async throws {
    var count = (tapes: 0, steps: 0, cells: 0)
    for tape in Set(files.keys.map { $0.prefix { $0 != "/" } }).sorted() {
      let names = files.keys.filter { $0.hasPrefix("\(tape)/") && $0.hasSuffix(".snapshot") }.sorted()
      count.cells += try await compare(names, of: files, on: canvas)
      count.steps += names.count
      count.tapes += 1
    }
    print("\(count.tapes) of \(Self.tapes.count) tapes, \(count.steps) steps, \(count.cells) cells compared with tmux")
  }

  /// Sends each step's output to a tmux of the same size and compares the screens. Returns the number of cells.
  private func compare(_ names: [String], of files: [String: Data], on canvas: TmuxCanvas) async throws -> Int {
    var cells = 0
    var size: Size?
    for name in names {
      let snapshot = try Snapshot(parsing: String(decoding: files[name] ?? Data(), as: UTF8.self))
      // The output for a new size starts with an empty screen.
      if size != snapshot.size { try await canvas.begin(rows: snapshot.size.rows, columns: snapshot.size.columns) }
      size = snapshot.size
      try await canvas.show(Array(files[name.replacing(".snapshot", with: ".out")] ?? Data()))
      let shown = try await canvas.rows()
      for row in 0..<snapshot.size.rows {
        let believed = snapshot.text(ofRow: row)
        let isSame = row < shown.count && shown[row].utf8.elementsEqual(believed.utf8)
        #expect(isSame, "\(name), row \(row): tmux \(row < shown.count ? shown[row] : "") ncurses \(believed)")
      }
      cells += snapshot.size.rows * snapshot.size.columns
    }
    return cells
  }

  @Test(arguments: [
    ("Slep 1s", "1:1"), ("Type \"a\"\nExpect /(/", "2:8"), ("Resize 0x0", "1:8"), ("Net nonsense", "1:5"),
    ("Type \"open", "1:6"),
  ])
  func `an invalid tape is reported with its position and not played`(text: String, place: String) async throws {
    try await Program.inNewHome { program in
      try program.write(Array(text.utf8), to: "bad.tape")
      let outcome = try await program.run("replay", "bad.tape")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("bad.tape:\(place)"), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `the host's terminal descriptions don't affect a tape`() async throws {
    try await Program.inNewHome { program in
      let tapes = ["account-options", "avatar", "pictures-sixel"].map { "\(Self.folder)/\($0).tape" }
      try await play(tapes, program, ["--cast", "usual"])
      let usual = files(of: program, in: "usual")
      #expect(usual.count == tapes.count)
      let empty = "\(program.home)/empty"
      try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
      // A compiled description of xterm-direct that contains only the name.
      let bare = "hex:1a010d000000000000000000787465726d2d64697265637400"
      for (run, terminfo) in [empty, bare].enumerated() {
        let variables = ["TERMINFO": terminfo, "TERMINFO_DIRS": empty, "NCURSES_NO_UTF8_ACS": "1"]
        try await play(tapes, program.with(variables), ["--cast", "run-\(run)"])
        #expect(files(of: program, in: "run-\(run)") == usual, "TERMINFO=\(terminfo)")
      }
    }
  }

  @Test func `a tape fails if its terminal has no description`() async throws {
    try await Program.inNewHome { program in
      try program.write(Array("Set Welcome on\nHide Env TERM never-heard-of\nType \"j\"\n".utf8), to: "story.tape")
      try program.write(Array("Env TERM vt100\nType \"j\"\n".utf8), to: "other.tape")
      let outcome = try await program.run("replay", "story.tape", "other.tape")
      #expect(outcome.status == 1)
      let fault = "story.tape:2:6: “never-heard-of” has no usable description"
      #expect(outcome.errors.contains(fault), "\(outcome.errors)")
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.map { $0.prefix { $0 != " " } } == ["failed", "ok"], "\(outcome.text)")
    }
  }

  @Test func `output over a tape's limit is reported with its position`() async throws {
    try await Program.inNewHome { program in
      let text = "Set Welcome on\nType \"j\"\nCounters\nType \"k\"\n"
      try program.write(
        Array("\(text)Counters bytes<=4000 writes<=1 cells<=1920\nCounters bytes<=0".utf8), to: "story.tape")
      let within = try await program.run("replay", "story.tape")
      #expect(within.status == 0, "\(within.errors)")
      try program.write(Array("\(text)Counters bytes<=1 writes<=0 cells<=1920\n".utf8), to: "story.tape")
      let beyond = try await program.run("replay", "story.tape")
      #expect(beyond.status == 1)
      let words = try #require(beyond.errors.split(separator: "\n").first)
      #expect(words.contains("story.tape:5:1: Over the limit since line 3: "), "\(words)")
      #expect(words.hasSuffix(" bytes (at most 1), 1 writes (at most 0)."), "\(words)")
    }
  }

  @Test func `a snapshot contains the named rows or all between header and footer`() async throws {
    try await Program.inNewHome { program in
      let text = "Resize 60x9\nSnapshot content\nSnapshot head rows 1-2\nSnapshot foot rows 9\n"
      try program.write(Array(text.utf8), to: "story.tape")
      #expect(try await program.run("replay", "story.tape", "--update").status == 0)
      let kept = try ["content", "head", "foot"].map { name in
        let file = try #require(program.files().first { $0.path == "story/\(name).snapshot" })
        let snapshot = try Snapshot(parsing: String(decoding: file.bytes, as: UTF8.self))
        let text = (0..<snapshot.size.rows).map(snapshot.text(ofRow:)).joined(separator: "\n")
        return (rows: snapshot.size.rows, text: text)
      }
      #expect(kept.map(\.rows) == [5, 2, 1])
      #expect(!kept[0].text.contains("Public") && !kept[0].text.contains("? help"))
      #expect(kept[1].text.contains("Public") && kept[2].text.contains("? help"))
      for (tape, fault) in [
        ("Resize 60x9\nSnapshot low rows 8-10", "story.tape:2:1: No row 10: the screen has 9."),
        (
          "Resize 60x4\nSnapshot low",
          "story.tape:2:1: This screen is all header and footer. Name the rows to keep: Snapshot small rows 1-4."
        ),
      ] {
        try program.write(Array(tape.utf8), to: "story.tape")
        let outcome = try await program.run("replay", "story.tape", "--update")
        #expect(outcome.status == 1 && outcome.errors.contains(fault), "\(outcome.errors)")
      }
    }
  }

  @Test func `a snapshot names styles by the theme's roles`() async throws {
    try await Program.inNewHome { program in
      try program.write(Array("Set Welcome on\nType \"j\"\nSnapshot here\n".utf8), to: "story.tape")
      #expect(try await program.run("replay", "story.tape", "--update").status == 0)
      let file = try #require(program.files().first { $0.path == "story/here.snapshot" })
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(text.hasPrefix("qwinkle-snapshot 3 "))
      #expect(text.contains("\nroles\ntext: plain\n"))
      #expect(text.contains("\nselected-line: bg=236\n") && text.contains(" selected-line"), "\(text)")
    }
  }

  @Test func `a screen that differs from its snapshot fails the tape`() async throws {
    try await Program.inNewHome { program in
      try program.write(Array("Set Welcome on\nType \"j\"\nSnapshot here\n".utf8), to: "story.tape")
      let missing = try await program.run("replay", "story.tape")
      #expect(missing.status == 1 && missing.errors.contains("--update"), "\(missing.errors)")
      #expect(try await program.run("replay", "story.tape", "--update").status == 0)
      #expect(try await program.run("replay", "story.tape").status == 0)
      try program.write(Array("Set Welcome on\nType \"jj\"\nSnapshot here\n".utf8), to: "story.tape")
      let differing = try await program.run("replay", "story.tape", "--cast", "story.cast", "--svg", "story.svg")
      #expect(differing.status == 1 && differing.errors.contains("^"), "\(differing.errors)")
      let files = program.files()
      #expect(files.contains { $0.path == "story.svg" && $0.bytes.starts(with: Array("<".utf8)) })
      let cast = files.first { $0.path == "story.cast" }.map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(CastRecording(reading: cast ?? "")?.output.contains("Welcome") == true)
    }
  }
}
