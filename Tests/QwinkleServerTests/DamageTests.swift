import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Database corruption while the server runs.
@Suite(.bounded) struct DamageTests {
  /// An intact file and a server's responses from it.
  private struct Sound {
    let bytes: Data
    let token: String
    let answers: [String: [String]]
  }

  private static let targets = [
    "/api/v1/timelines/public?limit=40", "/api/v1/timelines/home?limit=40", "/api/v1/timelines/tag/garden?limit=40",
    "/api/v2/search?q=rain&type=statuses&limit=40", "/api/v1/accounts/relationships?id[]=1",
    "/api/v1/notifications?limit=40", "/api/v1/bookmarks?limit=40",
  ]

  private func sound() async throws -> Sound {
    try await withFolder { directory in
      let harness = try Harness.served(directory)
      let token = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      try harness.follow("ben", by: "anna")
      try harness.service.write { session in
        let ids = try session.accountIDs(named: ["anna", "ben"])
        for number in 0..<200 {
          let text = "\(number) @anna rain and #garden " + String(repeating: "word\(number) ", count: 50)
          let author = try #require(ids[number.isMultiple(of: 3) ? "anna" : "ben"])
          _ = try session.addStatus(NewStatus(account: author, source: text))
        }
      }
      for post in try await harness.page("/api/v1/timelines/public?limit=40", token: ben).items {
        try await harness.react("bookmark", post.id, token: token)
      }
      var answers: [String: [String]] = [:]
      for target in Self.targets { answers[target] = try await self.answers(harness, target, token).flatMap(\.ids) }
      harness.service.close()
      let bytes = try Data(contentsOf: URL(filePath: "\(directory)/service.sqlite"))
      return Sound(bytes: bytes, token: token, answers: answers)
    }
  }

  private struct Answer {
    let status: Int
    let ids: [String]
    let text: String
  }

  /// The responses to `target` and to all its next pages.
  private func answers(_ harness: Harness, _ target: String, _ token: String) async throws -> [Answer] {
    var answers: [Answer] = []
    var next: String? = target
    while let target = next {
      let answer = try await harness.get(target, token: token)
      let ids = answer.text.matches(of: #/"id":"([0-9]+)"/#).map { String($0.output.1) }
      answers.append(Answer(status: answer.head.status.code, ids: ids, text: answer.text))
      next = answer.link?.firstMatch(of: #/<([^>]*)>; rel="next"/#).map { String($0.output.1) }
    }
    return answers
  }

  enum Kind: CaseIterable { case zeros, ones, noise }

  @Test(arguments: [Soak.seed])
  func `corruption is reported and logged and never yields an empty timeline`(seed: UInt64)
    async throws
  {
    let sound = try await sound()
    #expect(sound.answers.values.filter { $0.count > 39 }.count >= 4)
    var random = SplitMix(seed: seed)
    let places = Soak.isOn ? 100 : 12
    let pages = sound.bytes.count / 4096
    // Half the places are in pages with posts, which every timeline reads. The others are in any page.
    let text = Data("rain and #garden word".utf8)
    let posts = (0..<pages).filter { sound.bytes[$0 * 4096..<($0 + 1) * 4096].range(of: text) != nil }
    try #require(posts.count > 10)
    var told = 0
    for place in 0..<places {
      let kind = Kind.allCases[place % 3]
      let anywhere = Int.random(in: 0..<pages, using: &random)
      let page = place.isMultiple(of: 2) ? posts[anywhere % posts.count] : anywhere
      var damage = Data(repeating: kind == .zeros ? 0 : 0xFF, count: 4096)
      var offset = page * 4096
      if kind == .noise {
        damage = Data((0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        offset += Int.random(in: 0..<4032, using: &random)
      }
      told += try await meet(damage, at: offset, isWhole: kind != .noise, in: sound, name: "\(kind) \(page)")
    }
    print("damage: told in \(told) of \(places) places")
    // About one in three places is detected. A small sample may miss all of them.
    #expect(!Soak.isOn || told >= places / 8, "\(told) of \(places) places")
  }

  /// Corrupts the file of a running service and checks its responses. Returns 1 if the service reported the corruption,
  /// otherwise 0.
  private func meet(_ damage: Data, at offset: Int, isWhole: Bool, in sound: Sound, name: String) async throws -> Int {
    try await withFolder { directory in
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let path = "\(directory)/service.sqlite"
      try sound.bytes.write(to: URL(filePath: path))
      let log = RecordedLog()
      let harness = try Harness.served(directory, log: log)
      try harness.service.open()
      let inode = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: damage)
      try file.close()
      var isTold = false
      for target in Self.targets {
        let answers = try await answers(harness, target, sound.token)
        for answer in answers where answer.status != 200 {
          // Noise may change the type of a value, which SQLite doesn't detect (see MalformedRowTests).
          if !isWhole, [401, 404, 500].contains(answer.status) { continue }
          #expect(answer.status == 503, "\(name), \(target): \(answer.text)")
          #expect(answer.text.contains("damaged") && !answer.text.contains(directory), "\(answer.text)")
          isTold = true
        }
        guard answers.allSatisfy({ $0.status == 200 }) else { continue }
        let ids = answers.flatMap(\.ids)
        if isWhole { #expect(ids == sound.answers[target], "\(name), \(target)") }
        #expect(ids.isEmpty == sound.answers[target]?.isEmpty, "\(name), \(target): \(answers.map(\.text))")
      }
      if isTold {
        #expect(log.lines.contains { $0.hasPrefix("error GET /api/v") && $0.contains("503") && $0.contains(path) })
        // The server doesn't write to a file known to be corrupt.
        let entry = try await harness.submit("/api/v1/statuses", [("status", "more")], token: sound.token)
        #expect(entry.head.status.code == 503)
      }
      harness.service.close()
      let files = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(Set(files).isSubset(of: ["service.sqlite", "service.sqlite-wal", "service.sqlite-shm"]), "\(files)")
      let after = try FileManager.default.attributesOfItem(atPath: path)
      #expect(after[.systemFileNumber] as? Int == inode && after[.size] as? Int == sound.bytes.count)
      return isTold ? 1 : 0
    }
  }

  @Test(arguments: ["not a database at all", ""])
  func `a corrupt file stays in place at startup and the error explains restoring it`(_ text: String)
    async throws
  {
    try await withDirectory { directory in
      let harness = try Harness.served(directory)
      try harness.service.open()
      harness.service.close()
      let path = "\(directory)/service.sqlite"
      try Data(String(repeating: text, count: 300).utf8).write(to: URL(filePath: path))
      let again = try Harness.served(directory)
      let error = #expect(throws: ServiceError.self) { try again.service.open() }
      #expect(error?.sentence.contains("qwinkle serve restore FILE") == true, "\(String(describing: error))")
      let data = ServedData(directory: directory, clock: VirtualClock())
      #expect(throws: ServiceError.self) { try data.checkBeforeServing() }
      #expect(throws: ServiceError.self) { try ServedData.check(path) }
      let answer = await again.service.respond(
        to: ServiceRequest(
          head: .init(method: .get, scheme: "http", authority: "x", path: "/api/v1/timelines/public"), body: []))
      #expect(answer.head.status == .serviceUnavailable)
      #expect(!String(decoding: answer.body, as: UTF8.self).contains(directory))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["service.sqlite"])
    }
  }
}

/// Like ``withDirectory(_:)``, but returns the result of the body.
private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let directory = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory.path(percentEncoded: false))
}
