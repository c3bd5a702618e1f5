import Foundation
import QwinkleStore
import Testing

@Suite struct RestorationFileTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  @Test func `the state of one account comes back, and not another's`() {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let state = ["main": ["section": "home", "place home": "1\u{1F}2"], "other": ["empty": ""]]
    RestorationFile(directory: directory, account: "local").save(state)
    #expect(RestorationFile(directory: directory, account: "local").load() == state)
    #expect(RestorationFile(directory: directory, account: "mara@tilde.example").load() == nil)
  }

  @Test func `a damaged file costs what is damaged`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let bytes = Array("main\tsection\thome\nrubbish\n\n\t\t\t\t\n".utf8) + [0xFF, 0xFE, 0x0A]
    try Data(bytes).write(to: URL(fileURLWithPath: directory + "/screen-local"))
    #expect(RestorationFile(directory: directory, account: "local").load() == ["main": ["section": "home"]])
  }

  @Test func `what cannot be kept is passed over`() {
    let file = RestorationFile(directory: "/dev/null/x", account: "local")
    file.save(["main": ["section": "home", "bad": "a\tb"]])
    #expect(file.load() == nil)
  }
}
