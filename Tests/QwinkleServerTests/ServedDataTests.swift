import Foundation
import GRDB
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Backups, integrity checks and restores.
@Suite(.bounded) struct ServedDataTests {
  private func data(_ directory: String) -> ServedData {
    ServedData(directory: directory, clock: VirtualClock())
  }

  private func check(_ directory: String) throws -> DatabaseContent {
    try ServedData.check("\(directory)/service.sqlite")
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a backup during writes is consistent and can be served elsewhere`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "anna")
      let (acknowledged, isOver) = (Tally(), Flag())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
          group.addTask { @concurrent in
            var number = 0
            while !isOver.isSet {
              number += 1
              try await harness.post("\(writer) wrote \(number) #load", token: token)
              acknowledged.count()
            }
          }
        }
        defer { isOver.set() }
        for round in 0..<(Soak.isOn ? 20 : 3) {
          let least = 40 * (round + 1)
          try await wait(for: "\(least) posts", showing: { "\(acknowledged.value) posts" }) {
            acknowledged.value >= least
          }
          let before = acknowledged.value
          let backup = "\(harness.directory)/backup-\(round).sqlite"
          let content = try data(harness.directory).backUp(to: backup)
          // Each writer may have one saved post that it hasn't counted yet.
          let after = acknowledged.value + 3
          #expect((before...after).contains(content.posts), "\(before)...\(after): \(content.words)")
          #expect(content.accounts == 1 && content.schema == Schema.version)
          #expect(try mode(backup).map { $0 & 0o077 } == 0)
          print("backup during load: \(before) posts before, \(content.posts) in it, \(after - 3) after")

          let elsewhere = "\(harness.directory)/elsewhere-\(round)"
          let restored = try data(elsewhere).restore(from: backup)
          #expect(restored.content == content && restored.aside == nil)
          #expect(try check(elsewhere) == content)
          #expect(try mode("\(elsewhere)/service.sqlite") == 0o600)
          let second = try Service(
            directory: elsewhere, welcome: "", owner: "", clock: harness.clock, use: .served)
          let page = try await Harness(
            service: second, transport: second.transport(), authority: "localhost", directory: elsewhere,
            clock: harness.clock
          ).page("/api/v1/timelines/home", token: token)
          #expect(page.items.count == 20)
          second.close()
        }
        isOver.set()
        try await group.waitForAll()
      }
    }
  }

  @Test func `restoring keeps the previous database and its write-ahead log`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "anna")
      try await harness.post("in the backup", token: token)
      let backup = "\(harness.directory)/backup"
      let content = try data(harness.directory).backUp(to: backup)
      #expect(content.posts == 1)
      try await harness.post("after it", token: token)
      harness.service.close()
      let (restored, aside) = try data(harness.directory).restore(from: backup)
      #expect(restored == content)
      let former = try #require(aside)
      #expect(former.hasPrefix("\(harness.directory)/service.sqlite.replaced-"))
      #expect(try ServedData.check(former).posts == 2)
      #expect(try check(harness.directory).posts == 1)
      let page = try await harness.page("/api/v1/timelines/home", token: token)
      #expect(page.items.map(\.text.plainText) == ["in the backup"])
      try await harness.post("goes on", token: token)
      harness.service.close()
      #expect(try check(harness.directory).posts == 2)
    }
  }

  @Test(arguments: [nil, 20]) func `a restore is logged in the log of the backup`(_ older: Int?) async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "anna")
      let backup = "\(harness.directory)/backup"
      if let older {
        // A backup by a version that had no log.
        let old = "\(harness.directory)/old"
        try OldFile.make(in: old, steps: older) { try $0.execute(sql: "PRAGMA user_version = \(older)") }
        try FileManager.default.moveItem(atPath: "\(old)/service.sqlite", toPath: backup)
      } else {
        _ = try data(harness.directory).backUp(to: backup)
      }
      _ = try harness.service.addQwinker(named: "ben")
      harness.service.close()
      let actor = AuditActor(name: "root", uid: 0)
      _ = try data(harness.directory).restore(from: backup, by: actor)
      let log = try harness.service.auditLog()
      #expect(log.map(\.action) == (older == nil ? ["restore", "add-user"] : ["restore"]))
      #expect(log.first?.actor == actor && log.first?.object == backup)
      harness.service.close()
      #expect(try check(harness.directory).schema == Schema.version)
    }
  }

  @Test func `backups include pictures and checks verify them`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "anna")
      let pictures = [
        try await harness.upload(token: token), try await harness.upload(SamplePictures.gif(), token: token),
      ]
      _ = try await harness.post("two", media: pictures, token: token)
      let backup = "\(harness.directory)/backup"
      let content = try data(harness.directory).backUp(to: backup)
      #expect(content.media == 2 && content.faultyMedia == 0 && content.words.contains("2 pictures, schema"))
      #expect(throws: ServiceError.fileExists(path: backup)) { try data(harness.directory).backUp(to: backup) }
      #expect(try mode("\(backup).media") == 0o700)
      let elsewhere = "\(harness.directory)/elsewhere"
      #expect(try data(elsewhere).restore(from: backup).content == content)
      let second = try Service(directory: elsewhere, welcome: "", owner: "", clock: harness.clock)
      let reader = Harness(
        service: second, transport: second.transport(), authority: harness.authority, directory: elsewhere,
        clock: harness.clock)
      for picture in pictures {
        let url = try #require(picture.url)
        #expect(try await reader.get(url).body == (try await harness.get(url).body))
      }
      second.close()
      let files = reader.mediaFiles
      try FileManager.default.removeItem(atPath: "\(elsewhere)/media/\(files[0])")
      #expect(try check(elsewhere).faultyMedia == 1)
      try Data([1]).write(to: URL(filePath: "\(elsewhere)/media/\(files[1])"))
      #expect(try check(elsewhere).words.contains("2 pictures (2 missing or damaged)"))
      // Restoring again adds the missing pictures. A backup contains the available pictures.
      try FileManager.default.removeItem(atPath: "\(elsewhere)/media/\(files[1])")
      #expect(try data(elsewhere).backUp(to: "\(backup)-2").faultyMedia == 2)
      #expect(try data(elsewhere).restore(from: backup).content.faultyMedia == 0)
      #expect(try ServedData.check("\(backup)-2").faultyMedia == 2)
    }
  }

  @Test func `a corrupt database isn't backed up and isn't lost by a restore`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "anna")
      for number in 0..<40 {
        try await harness.post("post \(number) " + String(repeating: "x", count: 400), token: token)
      }
      let (path, backup) = ("\(harness.directory)/service.sqlite", "\(harness.directory)/backup")
      _ = try data(harness.directory).backUp(to: backup)
      harness.service.close()
      var bytes = try Data(contentsOf: URL(filePath: path))
      for page in stride(from: 4096 * 2, to: bytes.count, by: 4096 * 3) {
        bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xFF, count: 4096))
      }
      try bytes.write(to: URL(filePath: path))
      let second = "\(harness.directory)/second"
      let error = #expect(throws: ServiceError.self) { try data(harness.directory).backUp(to: second) }
      guard case .storedDataCorrupt(path, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!FileManager.default.fileExists(atPath: second))
      let files = try FileManager.default.contentsOfDirectory(atPath: harness.directory)
      #expect(files.allSatisfy { !$0.contains("partial") })
      let aside = try #require(try data(harness.directory).restore(from: backup).aside)
      #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
      #expect(try check(harness.directory).posts == 40)
    }
  }

  @Test func `restoring from an invalid backup changes nothing`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "anna")
      harness.service.close()
      let directory = harness.directory
      let before = try Data(contentsOf: URL(filePath: "\(directory)/service.sqlite"))
      let (other, newer, text) = ("\(directory)/other", "\(directory)/newer", "\(directory)/text")
      try Data("no database".utf8).write(to: URL(filePath: text))
      _ = try data(directory).backUp(to: newer)
      _ = try data(directory).backUp(to: other)
      try change(newer, "PRAGMA user_version = 99")
      try change(other, "DROP TABLE statuses; DROP TABLE grdb_migrations; PRAGMA user_version = 0")
      for (path, expected) in [
        (newer, "newer Qwinkle"), (other, "not a database of qwinkle serve"), (text, "damaged"),
        ("\(directory)/missing", "No such file"), (directory, "not a file"),
      ] {
        let error = #expect(throws: ServiceError.self) { try data(directory).restore(from: path) }
        #expect(error?.sentence.contains(expected) == true, "\(path): \(error?.sentence ?? "")")
      }
      #expect(try Data(contentsOf: URL(filePath: "\(directory)/service.sqlite")) == before)
      #expect(throws: ServiceError.fileExists(path: other)) { try data(directory).backUp(to: other) }
    }
  }

  private func change(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `only one process can serve a folder and errors name its process id`() async throws {
    try await withService { harness in
      try harness.service.open()
      let first = try data(harness.directory).claim()
      let pid = Int(ProcessInfo.processInfo.processIdentifier)
      let error = #expect(throws: ServiceError.self) { try data(harness.directory).claim() }
      #expect(error == .served(directory: harness.directory, pid: pid))
      #expect(error?.sentence.contains("process \(pid)") == true)
      let backup = "\(harness.directory)/backup"
      _ = try data(harness.directory).backUp(to: backup)
      #expect(throws: ServiceError.served(directory: harness.directory, pid: pid)) {
        try data(harness.directory).restore(from: backup)
      }
      // Even the embedded service doesn't set aside a file that a server uses.
      harness.service.close()
      let path = "\(harness.directory)/service.sqlite"
      try Data("no database".utf8).write(to: URL(filePath: path))
      #expect(throws: ServiceError.served(directory: harness.directory, pid: pid)) { try harness.service.open() }
      first.end()
      try harness.service.open()
      #expect(harness.service.setAsidePath != nil)
      try data(harness.directory).claim().end()
    }
  }

  @Test func `permissions for other users are rejected with a chmod command`() async throws {
    try await withService { harness in
      try harness.service.open()
      let path = "\(harness.directory)/service.sqlite"
      for (path, loose, tight) in [(harness.directory, 0o750, 0o700), (path, 0o644, 0o600)] {
        try FileManager.default.setAttributes([.posixPermissions: loose], ofItemAtPath: path)
        let error = #expect(throws: ServiceError.self) { try data(harness.directory).claim() }
        #expect(error?.sentence.contains("Run: chmod \(String(tight, radix: 8)) \(path)") == true)
        try FileManager.default.setAttributes([.posixPermissions: tight], ofItemAtPath: path)
      }
      try data(harness.directory).claim().end()
    }
  }
}

/// A counter shared by tasks.
final class Tally: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func count() {
    number.withLock { $0 += 1 }
  }

  func set(_ value: Int) {
    number.withLock { $0 = value }
  }
}

/// A one-time signal shared by tasks.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() {
    state.store(true, ordering: .relaxed)
  }
}
