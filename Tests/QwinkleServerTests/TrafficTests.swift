import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The admin's logs, and shutdown.
@Suite(.bounded) struct TrafficTests {
  @Test func `the access log has one line per request without text, token or query`() async throws {
    let lines = Lines()
    try await withServedFront(lines: lines) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      let post = try await harness.post("canary text", token: token)
      _ = try await harness.get("/api/v1/statuses/\(post.id)?canary=1", token: token)
      _ = try await harness.get("/api/v2/search?q=canary")
      _ = try await harness.get("/canary/path", token: token)
      let account = try harness.service.write { try $0.accountID(named: "anna") }
      let mine = " account=\(try #require(account))"
      #expect(
        lines.all.map { $0.replacing(#/[0-9]+ms/#, with: "0ms") } == [
          "2026-01-01T00:00:00Z POST /api/v1/statuses 200 0ms\(mine)",
          "2026-01-01T00:00:00Z GET /api/v1/statuses/:id 200 0ms\(mine)",
          "2026-01-01T00:00:00Z GET /api/v2/search 200 0ms", "2026-01-01T00:00:00Z GET - 404 0ms",
        ])
      #expect(lines.all.allSatisfy { !$0.contains("canary") && !$0.contains(token) })
    }
  }

  @Test func `a server error shows a reference and the log has the details`() async throws {
    let log = RecordedLog()
    try await withServedFront(log: log) { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      try harness.service.write { try $0.run("ALTER TABLE bookmarks RENAME TO canary") }
      let answer = try await harness.get("/api/v1/bookmarks?limit=1", token: token)
      #expect(answer.head.status == .internalServerError)
      let message = try #require(answer.errorMessage)
      let reference = try #require(message.firstMatch(of: #/Reference: ([0-9a-f]{8})/#)).output.1
      for word in ["bookmarks", "SELECT", "no such", harness.directory] { #expect(!message.contains(word)) }
      let line = try #require(log.lines.first { $0.contains(reference) })
      #expect(line.hasPrefix("error GET /api/v1/bookmarks 500 ") && line.contains("no such table"))
    }
  }

  @Test func `post URLs use the configured origin`() async throws {
    try await withServedFront(origin: "https://qwinkle.example") { harness, _ in
      let token = try harness.service.addQwinker(named: "anna")
      let post = try await harness.post("hello", token: token)
      #expect(post.url?.hasPrefix("https://qwinkle.example/@anna/") == true, "\(post.url ?? "")")
    }
    for bad in ["qwinkle.example", "ftp://x", "https://", "https://a/b", "https://a\"b"] {
      #expect(BaseURL(url: bad) == nil)
    }
  }

  @Test func `a stopping server finishes pending requests and rejects new ones`() async throws {
    let lines = Lines()
    try await withServedFront(lines: lines) { harness, front in
      let token = try harness.service.addQwinker(named: "anna")
      let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let service = harness.service
      Thread.detachNewThread {
        try? service.write { _ in
          held.signal()
          release.waitUntilDeadline()
        }
      }
      try await held.signalled("the write")
      let posted = Task { try await harness.post("under way", token: token) }
      try await wait(for: "a request in progress") { front.inProgress > 0 }
      let idle = Lines()
      front.drain { idle.add("idle") }
      front.drain { idle.add("again") }
      let refused = try await harness.get("/api/v1/timelines/public")
      #expect(refused.head.status == .serviceUnavailable && refused.errorMessage?.contains("stopped") == true)
      #expect(refused.head.headerFields[.retryAfter] == "5" && idle.all.isEmpty)
      release.signal()
      #expect(try await posted.value.text.plainText == "under way")
      try await wait(for: "the end of all requests", showing: { lines.all.joined(separator: "\n") }) {
        !idle.all.isEmpty
      }
      #expect(idle.all == ["idle"])
      #expect(lines.all.count == 2 && lines.all[0].contains(" GET - 503 "), "\(lines.all)")
    }
  }
}
