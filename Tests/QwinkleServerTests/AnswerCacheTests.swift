import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Cached responses are never stale and never belong to another account.
@Suite(.bounded) struct AnswerCacheTests {
  private func key(_ path: String, token: String? = nil) -> AnswerCache.Key {
    AnswerCache.Key(
      authorization: token.map { "Bearer \($0)" }, target: path, origin: BaseURL(scheme: "http", authority: "a.test"),
      takesGzip: false)
  }

  private func answer(_ text: String, _ status: HTTPResponse.Status = .ok) -> AnswerCache.Answer {
    AnswerCache.Answer(head: HTTPResponse(status: status), body: Array(text.utf8))
  }

  private func withCache(_ body: @Sendable (AnswerCache, DatabaseQueue) throws -> Void) async throws {
    try await withDirectory { directory in
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let file = try DatabaseQueue(path: "\(directory)/a.sqlite")
      try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (i)") }
      let cache = AnswerCache(try DataVersion(path: "\(directory)/a.sqlite"))
      try body(cache, file)
      cache.close()
      try file.close()
    }
  }

  @Test func `a response is cached for a second or until the next write`() async throws {
    try await withCache { cache, file in
      let version = try #require(cache.currentVersion)
      #expect(cache.answer(to: key("/a"), at: version, now: .zero) == nil)
      cache.keep(answer("one"), for: key("/a"), at: version, now: .zero)
      #expect(cache.answer(to: key("/a"), at: version, now: .milliseconds(999))?.body == Array("one".utf8))
      #expect(cache.answer(to: key("/a"), at: version, now: .seconds(1)) == nil)
      for other in [key("/b"), key("/a?x=1"), key("/a", token: "t")] {
        #expect(cache.answer(to: other, at: version, now: .zero) == nil)
      }
      try file.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
      let later = try #require(cache.currentVersion)
      #expect(later != version)
      #expect(cache.answer(to: key("/a"), at: later, now: .zero) == nil)
      // A response computed before the write and stored after it.
      cache.keep(answer("one"), for: key("/a"), at: version, now: .zero)
      #expect(cache.answer(to: key("/a"), at: later, now: .zero) == nil)
      #expect(cache.count == 0)
    }
  }

  @Test func `errors and long responses aren't cached and the cache is bounded`() async throws {
    try await withCache { cache, _ in
      let version = try #require(cache.currentVersion)
      func keep(_ answer: AnswerCache.Answer, _ path: String) -> Bool {
        _ = cache.answer(to: key(path), at: version, now: .zero)
        cache.keep(answer, for: key(path), at: version, now: .zero)
        return cache.answer(to: key(path), at: version, now: .zero) != nil
      }
      #expect(!keep(answer("no", .notFound), "/a"))
      #expect(!keep(answer(String(repeating: "x", count: 300_000)), "/a"))
      let long = answer(String(repeating: "x", count: 100_000))
      for number in 0..<500 { #expect(keep(long, "/\(number)")) }
      #expect(cache.count < 180)
    }
  }

  @Test func `nothing is cached after the connection closes`() async throws {
    try await withCache { cache, _ in
      #expect(cache.currentVersion != nil)
      cache.close()
      #expect(cache.currentVersion == nil)
    }
  }

  @Test func `a read after an acknowledged write sees it for the right account`() async throws {
    try await withService(.http) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let first = try await harness.post("one", token: alice)
      for count in 1...40 {
        let text = "number \(count)"
        let new = try await harness.post(text, token: alice)
        // The second request is answered from the cache.
        for _ in 0..<2 {
          let page = try await harness.page("/api/v1/timelines/public?limit=1")
          #expect(page.items.map(\.id) == [new.id])
        }
        try await harness.react(count.isMultiple(of: 2) ? "unfavourite" : "favourite", first.id, token: bob)
        for _ in 0..<2 {
          let seen = try await harness.qwink("/api/v1/statuses/\(first.id)", token: bob)
          #expect(seen.isFavourite == !count.isMultiple(of: 2))
          #expect(try await !harness.qwink("/api/v1/statuses/\(first.id)", token: alice).isFavourite)
        }
      }
    }
  }

  @Test func `a thousand pipelined requests are answered in order`() async throws {
    let pace = Resource.Limit.pace(burst: 2000, interval: .seconds(1))
    try await withServedFront(budget: [.requestRate: pace]) { harness, _ in
      let token = try harness.service.addQwinker(named: "alice")
      let id = try await harness.post("kept", token: token).id
      let client = try RawClient(port: harness.port)
      // Alternates a cached response, an error and a response that is never cached.
      let paths = ["/api/v1/statuses/\(id)", "/api/v1/statuses/1", "/api/v1/statuses/\(id)", "/health"]
      let requests = (0..<1000).map { "GET \(paths[$0 % 4]) HTTP/1.1\r\nHost: \(harness.authority)\r\n\r\n" }
      let sending = Thread { try? client.send(requests.joined()) }
      sending.start()
      for number in 0..<1000 {
        let response = await client.readResponse()
        let status = number % 4 == 1 ? "404" : "200"
        try #require(response.hasPrefix("HTTP/1.1 \(status)"), "\(number): \(response.prefix(100))")
        if number.isMultiple(of: 2) { #expect(response.contains("kept") == (number % 4 != 3)) }
      }
    }
  }

  @Test func `compressed and plain responses are cached separately and a write drops both`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      for number in 0..<20 { try await harness.post("post \(number)", token: token) }
      let client = try RawClient(port: harness.port)
      func ask(_ field: String) async throws -> String {
        try client.send(
          "GET /api/v1/timelines/public HTTP/1.1\r\nHost: \(harness.authority)\r\n\(field)\r\n")
        return await client.readResponse()
      }
      func body(_ response: String) -> Substring { response.suffix(response.count - 600) }
      let gzip = "Accept-Encoding: gzip\r\n"
      let first = try await ask(gzip)
      for _ in 0..<3 {
        let packed = try await ask(gzip)
        #expect(packed.contains("\r\nContent-Encoding: gzip\r\n") && body(packed) == body(first))
        let plain = try await ask("")
        #expect(!plain.contains("Content-Encoding") && plain.contains("post 19"))
        #expect(plain.split(separator: "\r\n").count { $0.hasPrefix("Vary:") } == 1)
      }
      try await harness.post("one more", token: token)
      #expect(try await ask("").contains("one more"))
      #expect(try await body(ask(gzip)) != body(first))
    }
  }

  @Test func `a token revoked by another process is rejected at once`() async throws {
    try await withService(.http) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      for _ in 0..<2 { #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok) }
      // Another process on the same file.
      let other = try DatabaseQueue(path: "\(harness.directory)/service.sqlite")
      try await other.write { try $0.execute(sql: "DELETE FROM tokens") }
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .unauthorized)
    }
  }

  @Test func `the access log names the account of a cached response too`() async throws {
    try await withDirectory { directory in
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: VirtualClock(), passwordCost: .quick)
      try service.openForMany()
      let token = try service.addQwinker(named: "alice")
      var viewers: [Int64?] = []
      for _ in 0..<3 {
        let request = ServiceRequest(
          head: HTTPRequest(
            method: .get, scheme: "http", authority: "a.test", path: "/api/v1/timelines/home",
            headerFields: [.authorization: "Bearer \(token)"]), body: [])
        #expect(await service.respond(to: request).head.status == .ok)
        viewers.append(request.note.viewer)
      }
      #expect(viewers.count == 3 && Set(viewers).count == 1 && viewers[0] != nil)
      service.close()
    }
  }
}
