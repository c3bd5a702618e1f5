import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing

/// Downloaded files on disk.
@Suite(.bounded) struct ResourceFilesTests {
  /// A folder that is deleted after the test.
  private final class Folder {
    let path = "/tmp/qw-resources-\(UUID().uuidString.prefix(13))"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Files other than the index.
    var files: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix("resources.sqlite") }
    }
  }

  private static func resource(_ address: String, tags: Set<String> = ["t"], usedAt: Double = 1000) -> CachedResource {
    CachedResource(address: address, byteCount: 0, tags: tags, usedAt: Date(timeIntervalSince1970: usedAt))
  }

  private func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test func `the folder is not created before the first use`() async {
    let folder = Folder()
    _ = ResourceFiles(directory: folder.path)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a saved file is loaded with its details even after a restart`() async throws {
    let folder = Folder()
    let bytes = noise(5000, 1)
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(bytes, as: Self.resource("https://a/1", tags: ["avatar @bob", "qwink 5"]))
    #expect(await files.bytes(of: "https://a/1") == bytes)
    #expect(await files.bytes(of: "https://a/2") == nil)
    files.close()
    let again = ResourceFiles(directory: folder.path)
    let kept = await again.all()
    #expect(kept.map(\.address) == ["https://a/1"])
    #expect(kept.first?.tags == ["avatar @bob", "qwink 5"])
    #expect(kept.first?.byteCount == 5000)
    #expect(kept.first?.usedAt == Date(timeIntervalSince1970: 1000))
    #expect(await again.bytes(of: "https://a/1") == bytes)
  }

  @Test func `priorities of tags are stored until they are removed`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    #expect(!files.exists)
    await files.setPriority(0.9, of: "avatar @bob")
    await files.setPriority(0.2, of: "qwink 5")
    await files.setPriority(nil, of: "qwink 5")
    files.close()
    let again = ResourceFiles(directory: folder.path)
    #expect(await again.priorities() == ["avatar @bob": 0.9])
    #expect(again.exists)
  }

  @Test func `partial downloads are deleted together, with their files`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    #expect(await files.removeParts() == 0)
    try await files.keep(noise(50, 1), as: Self.resource("https://a/1"))
    for number in 2...3 {
      let part = PartialResource(bytes: noise(100 * number, UInt64(number)), validator: "1")
      try await files.keep(part, of: "https://a/\(number)")
    }
    #expect(folder.files.count == 3)
    #expect(await files.removeParts() == 500)
    #expect(folder.files.count == 1)
    #expect(await files.part(of: "https://a/2") == nil)
    #expect(await files.bytes(of: "https://a/1")?.count == 50)
  }

  @Test func `the free space is returned before the folder exists`() async throws {
    let folder = Folder()
    let free = try #require(await ResourceFiles(directory: folder.path + "/a/b").freeSpace())
    let facts = try FileManager.default.attributesOfFileSystem(forPath: "/tmp")
    let known = try #require(facts[.systemFreeSize] as? Int)
    // Other programs write to the disk at the same time.
    #expect(free > 0 && abs(free - known) < max(known / 2, 1 << 30))
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `the index of an earlier version stores partial downloads`() async throws {
    let folder = Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let index = try DatabaseQueue(path: folder.path + "/resources.sqlite")
    try await index.write { database in
      try database.execute(
        sql: """
          CREATE TABLE resource (
            address TEXT PRIMARY KEY, hash TEXT NOT NULL, size INTEGER NOT NULL, tags TEXT NOT NULL, used REAL NOT NULL
          ) WITHOUT ROWID;
          CREATE TABLE part (
            address TEXT PRIMARY KEY, hash TEXT NOT NULL, validator TEXT NOT NULL, total INTEGER,
            size INTEGER NOT NULL, kept INTEGER NOT NULL
          ) WITHOUT ROWID;
          PRAGMA user_version = 2;
          """)
    }
    try index.close()
    let files = ResourceFiles(directory: folder.path)
    let part = PartialResource(bytes: noise(50, 1), validator: "\"v1\"", total: 100)
    try await files.keep(part, of: "https://a/1")
    #expect(await files.part(of: "https://a/1") == part)
  }

  @Test func `equal content is stored once until no address has it`() async throws {
    let folder = Folder()
    let bytes = noise(100, 1)
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(bytes, as: Self.resource("https://a/1"))
    try await files.keep(bytes, as: Self.resource("https://b/1"))
    #expect(folder.files.count == 1)
    await files.remove(["https://a/1"])
    #expect(await files.bytes(of: "https://b/1") == bytes)
    await files.remove(["https://b/1"])
    #expect(folder.files.isEmpty)
  }

  @Test func `new content replaces old content`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(noise(100, 1), as: Self.resource("https://a/1"))
    try await files.keep(noise(200, 2), as: Self.resource("https://a/1"))
    #expect(await files.bytes(of: "https://a/1") == noise(200, 2))
    #expect(folder.files.count == 1)
  }

  @Test(arguments: [0, 50, 99]) func `a changed file is detected and removed`(place: Int) async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(noise(100, 1), as: Self.resource("https://a/1"))
    let path = "\(folder.path)/\(try #require(folder.files.first))"
    var bytes = noise(100, 1)
    bytes[place] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(await files.bytes(of: "https://a/1") == nil)
    #expect(await files.all().isEmpty)
    #expect(folder.files.isEmpty)
  }

  @Test func `a partial file is returned until the whole file is saved`() async throws {
    let folder = Folder()
    let part = PartialResource(bytes: noise(50, 1), validator: "\"v1\"", total: 100)
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(part, of: "https://a/1")
    #expect(await files.part(of: "https://a/1") == part)
    #expect(await files.all().isEmpty)
    files.close()
    let again = ResourceFiles(directory: folder.path)
    #expect(await again.part(of: "https://a/1") == part)
    try await again.keep(noise(100, 1), as: Self.resource("https://a/1"))
    #expect(await again.part(of: "https://a/1") == nil)
    #expect(folder.files.count == 1)
  }

  @Test func `the oldest partial files are deleted beyond 64`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    for number in 0..<70 {
      let part = PartialResource(bytes: noise(50, UInt64(number)), validator: nil, total: 100)
      try await files.keep(part, of: "https://a/\(number)")
    }
    #expect(folder.files.count == 64)
    #expect(await files.part(of: "https://a/5") == nil)
    #expect(await files.part(of: "https://a/6") != nil)
    #expect(await files.part(of: "https://a/69") != nil)
  }

  @Test func `the oldest partial files are deleted beyond 32 MB`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    for number: UInt8 in 0..<5 {
      let part = PartialResource(bytes: Array(repeating: number, count: 10 << 20), validator: nil, total: nil)
      try await files.keep(part, of: "https://a/\(number)")
    }
    #expect(folder.files.count == 3)
    #expect(await files.part(of: "https://a/1") == nil)
    #expect(await files.part(of: "https://a/4")?.bytes.count == 10 << 20)
    let large = PartialResource(bytes: Array(repeating: 9, count: 40 << 20), validator: nil, total: nil)
    try await files.keep(large, of: "https://a/9")
    #expect(folder.files.count == 1)
    #expect(await files.part(of: "https://a/9") != nil)
  }

  @Test func `use and tags are recorded`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(noise(10, 1), as: Self.resource("https://a/1"))
    await files.note([Self.resource("https://a/1", tags: ["x"], usedAt: 2000)])
    #expect(await files.all().first?.usedAt == Date(timeIntervalSince1970: 2000))
    #expect(await files.all().first?.tags == ["x"])
  }

  @Test func `files and index agree after a start even if either lacks an item`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    for number in 1...3 { try await files.keep(noise(10 * number, 1), as: Self.resource("https://a/\(number)")) }
    files.close()
    let names = folder.files.sorted()
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(names[0])")
    try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/new"))
    try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/stray"))
    let again = ResourceFiles(directory: folder.path)
    #expect(await again.all().count == 2)
    #expect(folder.files.sorted() == Array(names.dropFirst()))
  }

  @Test func `an invalid index is replaced`() async throws {
    let folder = Folder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data(noise(8192, 3)).write(to: URL(fileURLWithPath: "\(folder.path)/resources.sqlite"))
    let files = ResourceFiles(directory: folder.path)
    #expect(await files.all().isEmpty)
    try await files.keep(noise(10, 1), as: Self.resource("https://a/1"))
    #expect(await files.bytes(of: "https://a/1") == noise(10, 1))
  }

  @Test func `only the owner can read the files`() async throws {
    let folder = Folder()
    let files = ResourceFiles(directory: folder.path)
    try await files.keep(noise(10, 1), as: Self.resource("https://a/1"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 1, "\(names)")
    for name in names {
      #expect(FileCheck(path: "\(folder.path)/\(name)").problem == nil)
    }
    #expect(FileCheck(path: folder.path).problem == nil)
  }
}
