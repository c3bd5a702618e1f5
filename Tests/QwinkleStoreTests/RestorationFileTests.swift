import Foundation
import QwinkleStore
import TerminalTesting
import Testing

@Suite(.bounded) struct RestorationFileTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  @Test func `the saved state of an account is not loaded for another account`() {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let state = ["main": ["section": "home", "place home": "1\u{1F}2"], "other": ["empty": ""]]
    RestorationFile(directory: directory, account: "local").save(state)
    #expect(RestorationFile(directory: directory, account: "local").load() == .state(state))
    #expect(RestorationFile(directory: directory, account: "mara@tilde.example").load() == .none)
  }

  @Test func `malformed lines of a file are ignored`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let bytes = Array("main\tsection\thome\nrubbish\n\n\t\t\t\t\n".utf8) + [0xFF, 0xFE, 0x0A]
    try Data(bytes).write(to: URL(fileURLWithPath: directory + "/screen-local"))
    #expect(RestorationFile(directory: directory, account: "local").load() == .state(["main": ["section": "home"]]))
  }

  @Test func `a state that can't be saved is ignored`() {
    let file = RestorationFile(directory: "/dev/null/x", account: "local")
    file.save(["main": ["section": "home", "bad": "a\tb"]])
    #expect(file.load() == .none)
  }

  @Test func `the state of another version is neither read nor overwritten`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = RestorationFile(directory: directory, account: "local")
    file.save(["main": ["section": "home"]])
    let path = directory + "/screen-local"
    let written = try String(contentsOfFile: path, encoding: .utf8)
    let later = written.replacingOccurrences(of: "version\t2\n", with: "version\t3\n")
    #expect(later != written)
    try later.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(file.load() == .otherVersion)
    file.save(["main": ["section": "public"]])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == later)
    // The first version wrote no version number.
    try "main\tsection\thome\n".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(file.load() == .state(["main": ["section": "home"]]))
    file.save(["main": ["section": "public"]])
    #expect(file.load() == .state(["main": ["section": "public"]]))
  }

  @Test func `a read during concurrent writes finds one whole state`() async throws {
    let directory = directory
    defer { try? FileManager.default.removeItem(atPath: directory) }
    func state(_ number: Int) -> [String: [String: String]] {
      Dictionary(uniqueKeysWithValues: (0..<200).map { ("path \($0)", ["value": "\(number)"]) })
    }
    let states = (1...2).map(state)
    RestorationFile(directory: directory, account: "local").save(states[0])
    await withTaskGroup { group in
      for writer in states {
        group.addTask {
          for _ in 0..<60 { RestorationFile(directory: directory, account: "local").save(writer) }
        }
      }
      group.addTask {
        for _ in 0..<120 {
          let found = RestorationFile(directory: directory, account: "local").load()
          #expect(states.contains { found == .state($0) })
        }
      }
    }
  }

  // MARK: Attempts

  @MainActor
  @Test func `an interrupted start is reported to the next start once`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    func attempt() -> RestorationAttempt { RestorationAttempt(directory: directory, account: "local") }
    var first: RestorationAttempt? = attempt()
    #expect(first?.begin() == true)
    // A start in progress doesn't prevent the start of another program.
    #expect(attempt().begin())
    first = nil
    let second = attempt()
    #expect(!second.begin())
    second.end()
    let third = attempt()
    #expect(third.begin())
    third.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
  }
}
