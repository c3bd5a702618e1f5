import QwinkleModel
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Welcome posts of a new timeline.
@Suite(.bounded) struct WelcomeTests {
  private static let welcome = "# Not in a served timeline\nOn this machine.\n---\nFor everybody.\n"

  private func harness(_ directory: String, _ use: Service.Use) throws -> Harness {
    let clock = VirtualClock()
    let service = try Service(
      directory: directory, welcome: Self.welcome, owner: use == .embedded ? "anna" : "", clock: clock,
      passwordCost: .quick, use: use)
    return Harness(
      service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
  }

  private func texts(_ harness: Harness) async throws -> [String] {
    try await harness.page("/api/v1/timelines/public").items.map(\.text.plainText)
  }

  @Test(arguments: [Service.Use.embedded, .served])
  func `a welcome post about this machine appears only in an embedded timeline`(_ use: Service.Use) async throws {
    try await withDirectory { directory in
      let shown = try await texts(harness(directory, use))
      #expect(shown == (use == .embedded ? ["For everybody.", "On this machine."] : ["For everybody."]))
    }
  }

  @Test func `serving an embedded timeline deletes only the welcome post about this machine`() async throws {
    try await withDirectory { directory in
      let own = try harness(directory, .embedded)
      try await own.post("On this machine.", token: own.service.ownerToken)
      #expect(try await texts(own) == ["On this machine.", "For everybody.", "On this machine."])
      own.service.close()
      let served = try harness(directory, .served)
      // Commands such as `serve users` open the service without serving it.
      #expect(try await texts(served).count == 3)
      served.service.close()
      try served.service.openForMany()
      #expect(try await texts(served) == ["On this machine.", "For everybody."])
      #expect(try await served.page("/api/v1/timelines/public").items.first?.author.userName == "anna")
    }
  }
}
