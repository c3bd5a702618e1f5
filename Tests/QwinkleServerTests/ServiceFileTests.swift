import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

@Suite(.bounded) struct ServiceFileTests {
  private let welcome = "\nFirst *words*.\n\nPress c.\n---\nSecond. #help\n---\n  \n"

  private func service(_ directory: String, owner: String = "") throws -> Service {
    try Service(directory: directory, welcome: welcome, owner: owner, clock: VirtualClock())
  }

  private func titles(_ service: Service, _ timeline: String = "public") async throws -> [String] {
    let harness = Harness(
      service: service, transport: service.transport(), authority: "localhost", directory: "", clock: VirtualClock())
    return try await harness.page("/api/v1/timelines/\(timeline)", token: timeline == "home" ? service.ownerToken : nil)
      .items.map(\.text.plainText)
  }

  @Test func `the first start creates welcome posts once and the owner follows their author`() async throws {
    try await withDirectory { directory in
      let expected = ["Second. #help", "First *words*.\n\nPress c."]
      let first = try service(directory, owner: "Jörg.Müller")
      #expect(try await titles(first) == expected)
      #expect(try await titles(first, "home") == expected)
      let answer = try await first.transport().send(
        TransportRequest(
          head: .init(
            method: .get, scheme: "http", authority: "localhost", path: "/api/v1/accounts/verify_credentials",
            headerFields: [.authorization: "Bearer \(first.ownerToken)"])))
      let owner = try WireDecoder.qwinker(from: answer.body)
      #expect(owner.userName == "jrgmller")
      #expect(owner.followingCount == 1)

      let second = try service(directory, owner: "Jörg.Müller")
      #expect(try await titles(second) == expected)
      #expect(second.ownerToken != first.ownerToken)
      let third = try service(directory)
      #expect(try await titles(third) == expected)
      #expect(third.setAsidePath == nil)
    }
  }

  @Test(arguments: [false, true]) func `an owner can have the same name as the welcome account`(isServedBefore: Bool)
    async throws
  {
    try await withDirectory { directory in
      if isServedBefore {
        let served = try service(directory)
        try served.open()
        served.close()
      }
      for _ in 0..<2 {
        let service = try service(directory, owner: "qwinkle")
        let harness = Harness(
          service: service, transport: service.transport(), authority: "localhost", directory: directory,
          clock: VirtualClock())
        let answer = try await harness.get("/api/v1/accounts/verify_credentials", token: service.ownerToken)
        let owner = try WireDecoder.qwinker(from: answer.body)
        #expect(owner.userName == "qwinkle" && !owner.isBot && owner.qwinksCount == 0 && owner.followingCount == 1)
        let welcome = try await harness.page("/api/v1/timelines/home", token: service.ownerToken).items
        #expect(welcome.map(\.author.userName) == ["welcome", "welcome"])
        service.close()
      }
    }
  }

  @Test func `requests wait while the file is opened and closing doesn't`() async throws {
    try await withDirectory { directory in
      let service = try service(directory, owner: "alice")
      let asked = (0..<8).map { _ in Task { try await service.becomeReady() } }
      service.close()
      for task in asked { try await task.value }
      #expect(try await titles(service).count == 2)

      let blocked = try self.service("\(directory)/service.sqlite")
      await #expect(throws: ServiceError.self) { try await blocked.becomeReady() }
    }
  }

  @Test func `posts are still there after a restart`() async throws {
    try await withDirectory { directory in
      let first = try service(directory, owner: "alice")
      let harness = Harness(
        service: first, transport: first.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      try await harness.post("still here", token: first.ownerToken)
      #expect(try await titles(try service(directory, owner: "alice")).first == "still here")
    }
  }

  @Test(arguments: ["not a database at all", "SQLite format 3\u{0}rubbish", ""])
  func `a corrupt database is set aside unchanged`(_ start: String) async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = "\(directory)/service.sqlite"
      let damaged = Data((start + String(repeating: "x", count: 5000)).utf8)
      try damaged.write(to: URL(filePath: path))
      try Data("wal".utf8).write(to: URL(filePath: path + "-wal"))
      let service = try service(directory)
      try service.open()
      let aside = try #require(service.setAsidePath)
      #expect(aside == "\(path).damaged-20260101-000000")
      #expect(try Data(contentsOf: URL(filePath: aside)) == damaged)
      #expect(try await titles(service).count == 2)

      // A second file within the same second gets a different name.
      for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
      try damaged.write(to: URL(filePath: path))
      let again = try self.service(directory)
      try again.open()
      #expect(again.setAsidePath == "\(aside)-2")
    }
  }

  @Test func `an empty file counts as corrupt and is reported as empty`() async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = "\(directory)/service.sqlite"
      try Data().write(to: URL(filePath: path))
      try Data("wal".utf8).write(to: URL(filePath: path + "-wal"))
      let service = try service(directory)
      #expect(try await titles(service).count == 2)
      let aside = "\(path).damaged-20260101-000000"
      #expect(service.setAsidePath == aside)
      #expect(FileManager.default.contents(atPath: "\(aside)-wal") == Data("wal".utf8))
      #expect(
        service.damageSentence == "The database was empty. It was renamed to \(aside), and a new one was created.")
    }
  }

  @Test func `a file with unknown migrations is left unchanged`() async throws {
    try await withDirectory { directory in
      let path = "\(directory)/service.sqlite"
      let first = try service(directory)
      try first.write { session in try session.run("INSERT INTO grdb_migrations VALUES ('a later step')") }
      first.close()
      let before = try Data(contentsOf: URL(filePath: path))
      let second = try service(directory)
      let error = #expect(throws: ServiceError.self) { try second.open() }
      #expect(error == .fileTooNew(path: path) && second.setAsidePath == nil)
      #expect(error?.sentence.contains("newer Qwinkle") == true)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a truncated database is set aside`() async throws {
    try await withDirectory { directory in
      let path = "\(directory)/service.sqlite"
      do {
        let service = try service(directory)
        try service.open()
        for number in 0..<50 { _ = try service.addQwinker(named: "name\(number)") }
        service.close()
      }
      let whole = try Data(contentsOf: URL(filePath: path))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      let service = try service(directory)
      #expect(try await titles(service).count == 2)
      #expect(service.setAsidePath != nil)
    }
  }

  @Test func `corruption found while reading fails one request but not the service`() async throws {
    try await withDirectory { directory in
      let path = "\(directory)/service.sqlite"
      do {
        let first = try service(directory)
        let token = try first.addQwinker(named: "alice")
        let harness = Harness(
          service: first, transport: first.transport(), authority: "localhost", directory: directory,
          clock: VirtualClock())
        for number in 0..<100 {
          try await harness.post("\(number) " + String(repeating: "long ", count: 90), token: token)
        }
        first.close()
      }
      // Overwrites every page that contains qwink text. Opening reads other pages.
      var bytes = try Data(contentsOf: URL(filePath: path))
      let text = Data("long long long".utf8)
      for start in stride(from: 0, to: bytes.count, by: 4096) {
        let page = start..<min(start + 4096, bytes.count)
        if bytes[page].range(of: text) != nil {
          bytes.replaceSubrange(page, with: Data(repeating: 0xFF, count: page.count))
        }
      }
      try bytes.write(to: URL(filePath: path))

      let second = try service(directory)
      try second.open()
      #expect(second.setAsidePath == nil)
      let harness = Harness(
        service: second, transport: second.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      let answer = try await harness.get("/api/v1/timelines/public")
      #expect(answer.head.status == .internalServerError)
      let aside = try #require(second.setAsidePath)
      #expect(answer.errorMessage?.contains(aside) == true)
      #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
      #expect(try await titles(second).count == 2)
    }
  }

  @Test func `a full disk is reported and posting works once there is space`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      try harness.service.write { session in try session.run("PRAGMA max_page_count = 1") }
      let entry = Entry(text: String(repeating: "word ", count: 99), idempotencyKey: "")
      var answer = try await harness.send(entry, token: token)
      for _ in 0..<100 where answer.head.status == .ok { answer = try await harness.send(entry, token: token) }
      #expect(answer.head.status.code == 507)
      #expect(answer.errorMessage?.contains("Disk full") == true)
      #expect(try await harness.get("/api/v1/timelines/public").head.status == .ok)
      try harness.service.write { session in try session.run("PRAGMA max_page_count = 1000000") }
      #expect(try await harness.send(entry, token: token).head.status == .ok)
    }
  }

  @Test func `an unusable directory is reported with the reason`() async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let file = "\(directory)/file"
      try Data("x".utf8).write(to: URL(filePath: file))
      for bad in ["\(file)/below", "/proc/qwinkle", file] {
        let service = try service(bad)
        let error = #expect(throws: ServiceError.self) { try service.open() }
        guard case .directoryNotWritable(bad, _) = error else {
          Issue.record("\(bad): \(String(describing: error))")
          continue
        }
        #expect(error?.sentence.contains(bad) == true)
        await #expect(throws: TransportError.self) {
          try await service.transport().send(
            TransportRequest(head: .init(method: .get, scheme: "http", authority: "localhost", path: "/health")))
        }
      }
    }
    #expect(throws: ServiceError.self) { try service("") }
  }

  @Test func `a directory in place of the file is left unchanged`() async throws {
    try await withDirectory { directory in
      let path = "\(directory)/service.sqlite"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let service = try service(directory)
      let error = #expect(throws: ServiceError.self) { try service.open() }
      #expect(error == .fileNotAccessible(path: path, reason: "it is a directory"))
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a file of a newer version is left unchanged`() async throws {
    try await withDirectory { directory in
      let first = try service(directory)
      try first.write { session in try session.run("PRAGMA user_version = 99") }
      let second = try service(directory)
      let error = #expect(throws: ServiceError.self) { try second.open() }
      #expect(error == .fileTooNew(path: "\(directory)/service.sqlite"))
      #expect(second.setAsidePath == nil)
    }
  }

  @Test func `only the owner can read the file`() async throws {
    try await withDirectory { directory in
      try service(directory).open()
      for path in [directory, "\(directory)/service.sqlite"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let permissions = try #require(attributes[.posixPermissions] as? Int)
        #expect(permissions & 0o077 == 0, "\(path)")
      }
    }
  }

  @Test(arguments: [nil, 0, 5000])
  func `services that start at once share one file`(_ damagedBytes: Int?) async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let path = "\(directory)/service.sqlite"
      if let damagedBytes { try Data(repeating: 0x78, count: damagedBytes).write(to: URL(filePath: path)) }
      let asides = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<8 {
          group.addTask { @concurrent in
            let service = try service(directory, owner: "alice")
            try service.open()
            #expect(try await titles(service).count == 2)
            return service.setAsidePath
          }
        }
        return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
      }
      #expect(asides.count == (damagedBytes == nil ? 0 : 1))
    }
  }

  @Test func `a new qwinker's token works but isn't stored in plain text`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      #expect(token.count >= 64)
      #expect(try await harness.get("/api/v1/accounts/verify_credentials", token: token).head.status == .ok)
      let path = "\(harness.directory)/service.sqlite"
      let files = [path, "\(path)-wal"].compactMap { FileManager.default.contents(atPath: $0) }
      #expect(files.contains { $0.range(of: Data("alice".utf8)) != nil })
      for data in files {
        #expect(data.range(of: Data(token.utf8)) == nil)
        #expect(data.range(of: Data(harness.service.ownerToken.utf8)) == nil)
      }
      #expect(throws: ServiceError.nameTaken("alice")) { try harness.service.addQwinker(named: "ALICE") }
      for bad in ["", "a b", "jörg", "a@b", String(repeating: "a", count: 31)] {
        #expect(throws: ServiceError.badName(bad)) { try harness.service.addQwinker(named: bad) }
      }
    }
  }

  @Test func `an owner token without an owner is rejected`() async throws {
    try await withService { harness in
      let answer = try await harness.get("/api/v1/timelines/home", token: harness.service.ownerToken)
      #expect(answer.head.status == .unauthorized)
    }
  }

  @Test func `ids grow even when the clock is set back`() async throws {
    try await withDirectory { directory in
      var ids: [Int64] = []
      for seconds in [1_767_225_600.0, 1_767_225_599, 1_000_000_000, 1_767_225_601] {
        let clock = VirtualClock(at: Date(timeIntervalSince1970: seconds))
        let service = try Service(directory: directory, welcome: "", owner: "alice", clock: clock)
        let harness = Harness(
          service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
        for _ in 0..<3 {
          let qwink = try await harness.post("tick", token: service.ownerToken)
          ids.append(try #require(Int64(qwink.id.rawValue)))
        }
        // The id of a deleted qwink isn't reused.
        _ = try await harness.send(.delete, "/api/v1/statuses/\(ids[ids.count - 1])", token: service.ownerToken)
      }
      #expect(ids == ids.sorted())
      #expect(Set(ids).count == ids.count)
      #expect(ids[0] >> 16 == 1_767_225_600_000)
    }
  }

  @Test func `a port in use is reported`() async throws {
    try await withService { harness in
      try await withHTTPFront(of: harness.service) { port in
        let second = HTTPFront(service: harness.service, host: "127.0.0.1", port: port)
        await #expect(throws: ServiceError.portInUse(host: "127.0.0.1", port: port)) {
          try await second.run { _ in Issue.record("it runs") }
        }
      }
      let nowhere = HTTPFront(service: harness.service, host: "host.invalid", port: 0)
      await #expect(throws: ServiceError.self) { try await nowhere.run { _ in } }
    }
  }
}
