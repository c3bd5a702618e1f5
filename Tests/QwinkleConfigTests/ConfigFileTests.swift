import Foundation
import Testing
import QwinkleTesting
import TerminalTesting

@testable import QwinkleConfig

@Suite struct ConfigFileTests {
  private let folder = TemporaryFolder()
  private var file: ConfigFile { ConfigFile(path: "\(folder.path)/qwinkle/config.toml") }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `setting the first option creates the file with the current settings`() throws {
    #expect(try file.text() == nil)
    var kept = Config()
    kept.set(.density, to: .text("compact"))
    try file.set(.cache, to: .number(16), keeping: kept)
    let config = ConfigReader(try #require(try file.text())).config
    #expect(config[.cache].number == 16 && config[.density] == .text("compact"))
  }

  @Test func `an edit preserves the file's mode and a link to it`() throws {
    let real = "\(folder.path)/dotfiles.toml"
    try FileManager.default.createDirectory(atPath: "\(folder.path)/qwinkle", withIntermediateDirectories: true)
    try "density = \"compact\"\n".write(toFile: real, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "../dotfiles.toml")
    try file.set(.density, to: .text("comfortable"))
    #expect(try String(contentsOfFile: real, encoding: .utf8) == "density = \"comfortable\"\n")
    #expect(try mode(real) == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "../dotfiles.toml")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["dotfiles.toml", "qwinkle"])
  }

  @Test func `an invalid file or a full disk throws an error and changes nothing`() throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/qwinkle", withIntermediateDirectories: true)
    try "density = compact\n".write(toFile: file.path, atomically: true, encoding: .utf8)
    #expect(throws: ConfigFileError.self) { try file.set(.cache, to: .number(16)) }
    #expect(try file.text() == "density = compact\n")
    #expect(throws: ConfigFileError.self) { try ConfigFile(path: folder.path).text() }
    let full = ConfigFile(path: "/dev/full/config.toml")
    #expect(throws: ConfigFileError.self) { try full.set(.cache, to: .number(16)) }
  }
}
