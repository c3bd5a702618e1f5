import FoundationEssentials
import HTTPTypes
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Browser clients on other sites.
@Suite(.bounded) struct CrossOriginTests {
  private static func ask(
    _ path: String, _ method: String, headers: String? = nil, at harness: Harness
  ) async throws -> TransportResponse {
    var fields: HTTPFields = [.origin: "https://client.example", .accessControlRequestMethod: method]
    fields[.accessControlRequestHeaders] = headers
    return try await harness.send(.options, path, headers: fields)
  }

  @Test(arguments: Front.allCases)
  func `a preflight allows the methods and headers of the API`(front: Front) async throws {
    try await withService(front) { harness in
      let answer = try await Self.ask("/api/v1/statuses/1", "DELETE", headers: "authorization, x-own", at: harness)
      let fields = answer.head.headerFields
      #expect(answer.head.status.code == 204 && answer.body.isEmpty)
      #expect(fields[.accessControlAllowOrigin] == "*")
      #expect(fields[.accessControlAllowMethods] == "DELETE, GET, PUT")
      #expect(fields[.accessControlAllowHeaders] == "authorization, content-type, idempotency-key, x-own")
      #expect(fields[.accessControlMaxAge] == "7200")
      #expect(try await Self.ask("/oauth/token", "POST", at: harness).head.status.code == 204)
      #expect(try await Self.ask("/api/v1/nothing", "GET", at: harness).head.status == .notFound)
    }
  }

  @Test func `API responses and errors are readable by all sites`() async throws {
    try await withService { harness in
      for path in ["/api/v1/timelines/public", "/api/v1/timelines/home", "/api/v1/nothing"] {
        let fields = try await harness.get(path).head.headerFields
        #expect(fields[.accessControlAllowOrigin] == "*", "\(path)")
        #expect(fields[.accessControlExposeHeaders]?.contains("Link") == true, "\(path)")
        #expect(fields[.accessControlAllowCredentials] == nil)
      }
    }
  }

  @Test func `pages outside the API aren't readable by other sites`() async throws {
    try await withService { harness in
      for path in ["/oauth/authorize", "/", "/@anna"] {
        #expect(try await harness.get(path).head.headerFields[.accessControlAllowOrigin] == nil, "\(path)")
        let asked = try await Self.ask(path, "POST", at: harness)
        #expect(asked.head.status == .methodNotAllowed, "\(path)")
        #expect(asked.head.headerFields[.accessControlAllowOrigin] == nil, "\(path)")
      }
    }
  }
}
