import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// A token that stops working while the program runs.
@MainActor
@Suite(.bounded) struct ExpiredSignInTests {
  private static let error = DownloadError.signInExpired(
    host: ScriptedTimeline.host, server: "https://\(ScriptedTimeline.host)")

  private static let calls: [(HTTPRequest.Method, String)] = [
    (.get, "/api/v1/timelines/public"), (.get, "/api/v1/timelines/home"), (.get, "/api/v1/conversations"),
    (.get, "/api/v1/notifications"), (.get, "/api/v1/markers"), (.get, "/api/v1/accounts/verify_credentials"),
    (.post, "/api/v1/statuses"),
  ]

  private func expire(_ server: ScriptedTimeline, _ status: Int = 401) {
    for (method, path) in Self.calls {
      server.handle(method, path) { _ in .json(WireEncoder.error("The access token was revoked"), status: status) }
    }
  }

  private func expired(_ status: Int = 401) async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), columns: 140)
    expire(screen.server, status)
    await screen.pass(.seconds(61))
    return screen
  }

  /// Takahe answers 400 to a revoked token, snac 422.
  @Test(arguments: [401, 400, 422])
  func `an expired sign-in shows the key to sign in and keeps loaded rows`(status: Int) async throws {
    let screen = try await expired(status)
    #expect(screen.status.contains("\(Self.error.summary) \(StatusWords.signsIn("S"))"))
    #expect(screen.unwrapped.components(separatedBy: Self.error.summary).count == 2)
    #expect(screen.visible == [3, 2, 1])
    #expect(screen.text.contains("○ \(StatusWords.signInAgain)"))
  }

  @Test func `an expired token is not used again until the user refreshes`() async throws {
    let screen = try await expired()
    let count = screen.server.paths.count
    await screen.pass(.seconds(3600))
    await screen.pass(.seconds(3600))
    #expect(screen.server.paths.count == count, "\(screen.server.paths.dropFirst(count))")
    await screen.press("R")
    #expect(screen.server.paths.count > count)
  }

  @Test func `a server that requires a sign-in is not polled while signed out`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    expire(server)
    let screen = try await Screen.settled(server, isSignedIn: false)
    let count = server.paths.count
    await screen.pass(.seconds(3600))
    #expect(server.paths.count == count)
  }

  @Test func `an entry keeps its text when the sign-in expires`() async throws {
    let screen = try await expired()
    await screen.press("c")
    screen.type("Not lost")
    await screen.press("^D")
    #expect(screen.text.contains("Not lost") && screen.unwrapped.contains(Self.error.advice))
    await screen.press("Esc")
    await screen.press("c")
    #expect(screen.text.contains("Not lost"))
  }
}
