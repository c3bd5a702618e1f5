import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// Drafts and queued posts of commands that can't send a text.
@Suite(.bounded) struct CommandOutboxTests {
  private func post(_ text: String, on url: String, by program: Program, _ more: String...) async throws
    -> (status: Int32?, text: String, errors: String)
  {
    let outcome = try await program.run(
      ["post", text, "--visibility", "public", "--server", url, "--token-stdin"] + more, input: "secret\n")
    return (outcome.status, outcome.text, outcome.errors)
  }

  @Test func `a text that may have been posted is a draft and a second run checks first`() async throws {
    let posted = Mutex<[Qwink]>([])
    let server = try await ScriptedServer.start { request in
      switch (request.method, request.path.prefix { $0 != "?" }) {
      case ("POST", "/api/v1/statuses"):
        let entry = try? RequestParameters(body: request.body, contentType: request.field("Content-Type")).entry()
        posted.withLock {
          $0.append(.sample(id: "7", text: entry?.text ?? "", author: .sample("mara"), at: Date()))
        }
        return .close
      case ("GET", "/api/v1/accounts/verify_credentials"):
        return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
      case ("GET", let path) where path.hasSuffix("/statuses"):
        return .json(WireEncoder.qwinks(posted.withLock { $0 }))
      default: return .json(WireEncoder.error("Record not found"), status: 404)
      }
    }
    try await Program.inNewHome { program in
      let first = try await post("Only once", on: server.url, by: program)
      #expect(first.status == 1 && first.text.isEmpty)
      #expect(first.errors.contains("It may have been posted. The text is a draft: in qwinkle, :drafts opens it."))
      let second = try await post("Only once", on: server.url, by: program)
      #expect(second.status == 0 && second.text.contains("Posted: "), "\(second.errors)")
      #expect(posted.withLock { $0.count } == 1)
      // Another run posts the text again.
      let third = try await post("Only once", on: server.url, by: program)
      #expect(third.status == 1 && posted.withLock { $0.count } == 2)
    }
    await server.stop()
  }

  @Test func `a text that was not posted is one draft after several attempts`() async throws {
    try await Program.inNewHome { program in
      for _ in 1...2 {
        let outcome = try await post("Half a thought", on: "http://127.0.0.1:9", by: program)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Not posted. 127.0.0.1:9 cannot be reached."))
        #expect(
          outcome.errors.contains("The text is a draft: in qwinkle, :drafts opens it. The same command tries again."))
      }
      let folders = program.files().map(\.path).filter { $0.hasSuffix("outgoing.sqlite") }
      let folder = try #require(folders.first).dropLast("/outgoing.sqlite".count)
      #expect(try OutgoingStore.entries(in: "\(program.home)/\(folder)").map(\.entry.text) == ["Half a thought"])
      #expect(try OutgoingStore.items(in: "\(program.home)/\(folder)").isEmpty)
    }
  }

  @Test func `a command posts at once despite the undo delay`() async throws {
    try await Program.inNewHome { program in
      try program.write(Array("hold = 30\n".utf8), to: ".config/qwinkle/config.toml")
      let posted = try await program.run("post", "At once", "--visibility", "public")
      #expect(posted.status == 0 && posted.text.hasPrefix("Posted: "), "\(posted.errors)")
      #expect(try await program.run("timeline", "public").text.contains("At once"))
      #expect(try OutgoingStore.items(in: "\(program.home)/.local/share/qwinkle/local").isEmpty)
    }
  }

  @Test func `a queued post is sent when Qwinkle starts`() async throws {
    try await Program.inNewHome { program in
      let queued = try await program.run("post", "From the tunnel", "--visibility", "public", "--queue")
      #expect(queued.status == 0 && queued.text.hasPrefix("Queued: "), "\(queued.errors)")
      #expect(try OutgoingStore.items(in: "\(program.home)/.local/share/qwinkle/local").map(\.state) == [.queued])
      #expect(try await program.run("timeline", "public").text.contains("From the tunnel") == false)
      _ = try await program.onTerminal { terminal in
        try await terminal.wait(for: "the post") { $0.contains("From the tunnel") }
      }
      #expect(try OutgoingStore.items(in: "\(program.home)/.local/share/qwinkle/local").isEmpty)
    }
  }
}
