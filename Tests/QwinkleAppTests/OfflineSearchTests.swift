import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// `qwinkle search` when the server can't be reached.
@Suite(.bounded) struct OfflineSearchTests {
  /// Nothing listens at this address.
  private static let server = "http://127.0.0.1:9"

  /// Caches qwinks of the server, as the screen would.
  private func cache(_ texts: String..., for program: Program) {
    let folder = "\(program.home)/.cache/qwinkle/signed-out@127.0.0.1:9"
    guard let cache = try? TimelineCache(directory: folder, ledger: ActivityLedger()) else { return }
    let items = texts.enumerated().map { index, text in Qwink.sample(id: Qwink.ID("\(9 - index)"), text: text) }
    cache.merge(Page(items: items), at: .newest, in: .public)
    cache.close()
  }

  @Test func `cached results are printed with a note that they are local`() async throws {
    try await Program.inNewHome { program in
      cache("The heron left.", "First frost.", for: program)
      let found = try await program.run("search", "frost", "--server", Self.server)
      #expect(found.status == 0, "\(found.errors)")
      #expect(String(decoding: found.output, as: UTF8.self).contains("First frost."))
      #expect(found.errorLines.count == 1 && found.errors.contains("These results are from this machine."))
      let offline = try await program.run("search", "her", "--offline", "--json", "--server", Self.server)
      #expect(offline.status == 0 && offline.errors.isEmpty, "\(offline.errors)")
      #expect(String(decoding: offline.output, as: UTF8.self).contains("The heron left."))
    }
  }

  @Test func `a search without cached results prints the reason`() async throws {
    try await Program.inNewHome { program in
      let uncached = try await program.run("search", "frost", "--offline", "--server", Self.server)
      #expect(uncached.status == 1 && uncached.errors.contains("is cached on this machine"), "\(uncached.errors)")
      cache("The heron left.", for: program)
      let found = try await program.run("search", "frost", "--server", Self.server)
      #expect(found.status == 1 && found.output.isEmpty && found.errors.contains("cannot be reached"))
      let offline = try await program.run("search", "frost", "--offline", "--server", Self.server)
      #expect(offline.status == 0 && offline.errors.contains("Nothing found"), "\(offline.errors)")
    }
  }
}
