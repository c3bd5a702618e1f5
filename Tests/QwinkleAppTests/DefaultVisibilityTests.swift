import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp

/// A post without `--visibility` requests the account. If that fails, the message gives the reason.
@MainActor
@Suite(.bounded) struct DefaultVisibilityTests {
  nonisolated private static let host = "writing.example"

  @Test(arguments: [["post", "Words"], ["reply", "3", "Words"]], [400, 401, 403, 404, 422, 429, 500, 503, nil])
  func `a failed request for the account is reported with its reason`(arguments: [String], status: Int?) async throws {
    let harness = CommandHarness(transport: {
      ScriptedTransport { request in
        if request.head.path?.hasPrefix("/api/v1/statuses/3") == true {
          return .json(WireEncoder.qwink(.sample(id: "3", author: .sample("bob"))))
        }
        guard let status else { throw TransportError.refused(host: Self.host) }
        return .text("<h1>No</h1>", status: status)
      }
    })
    let outcome = try await harness.run(arguments)
    let host = Self.host
    let error: DownloadError =
      switch status {
      case nil: .transport(.refused(host: host))
      case 400, 401, 422: .signInExpired(host: host, server: "https://\(host)")
      case 403: .forbidden(host: host, message: "")
      case 404: .notFound(host: host, message: "")
      case 429: .rateLimited(host: host, retryAfter: nil)
      case let status?: .serverFailed(host: host, status: status)
      }
    #expect(outcome.status == 1 && outcome.errors.contains("Not posted. \(error.summary)"), "\(outcome)")
    // Suggested only if a chosen visibility would avoid the failure.
    #expect(outcome.errors.contains("--visibility") == [403, 404].contains(status), "\(outcome)")
    #expect(try harness.drafts().count == 1)
  }
}
