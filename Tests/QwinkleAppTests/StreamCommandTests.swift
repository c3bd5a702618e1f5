import Foundation
import TerminalTesting
import Testing

/// `qwinkle stream`.
@Suite(.bounded) struct StreamCommandTests {
  @Test func `a name that is no stream is refused with the names that are`() async throws {
    try await Program.inNewHome { program in
      let refused = try await program.run("stream", "bookmarks")
      #expect(refused.status == 2 && refused.text == "" && refused.errors.contains("notifications"))
    }
  }

  @Test func `without an account it says how to sign in`() async throws {
    try await Program.inNewHome { program in
      try await program.serving { url in
        let refused = try await program.run("stream", "home", "--server", url)
        #expect(refused.status == 1 && refused.errors.contains("qwinkle login"))
      }
    }
  }
}
