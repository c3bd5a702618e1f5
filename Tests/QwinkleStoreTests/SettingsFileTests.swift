import Foundation
import QwinkleStore
import Testing

@Suite struct SettingsFileTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  @Test func `a setting is saved and unknown settings are preserved`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = SettingsFile(directory: directory)
    #expect(file.load().isEmpty)
    file.set("density", to: "compact")
    let path = "\(directory)/settings"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "density compact\n")
    try "density compact\nfrom-later one two\n".write(toFile: path, atomically: true, encoding: .utf8)
    file.set("density", to: "comfortable")
    #expect(file.load() == ["density": "comfortable", "from-later": "one two"])
  }

  @Test(arguments: ["", "\n\n", "density\n", "density \n", "\u{0}\u{1B}[2J", "key value\nkey other"])
  func `malformed lines of a file are ignored`(text: String) throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "\(text)\nmouse off\n".write(toFile: "\(directory)/settings", atomically: true, encoding: .utf8)
    let values = SettingsFile(directory: directory).load()
    #expect(values["density"] == nil && values["mouse"] == "off", "\(values)")
  }
}
