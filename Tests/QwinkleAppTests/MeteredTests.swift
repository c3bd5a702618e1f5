#if os(Linux)
  import Foundation
  import QwinkleModel
  import QwinkleTesting
  import QwinkleWire
  import Synchronization
  import TerminalTesting
  import Testing

  /// Pictures over a connection that is paid for by the byte: a server counts what is asked for.
  @Suite(.timeLimit(.minutes(30))) struct MeteredTests {
    /// A timeline whose qwinks have pictures and avatars, and what was fetched of these.
    private final class Pictures: Sendable {
      private static let count = 40
      private let state = Mutex<[String]>([])
      private let file: [UInt8]

      init() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
          .appending(path: "Fixtures/pictures/gradient.png")
        file = Array(try Data(contentsOf: path))
      }

      /// The paths of pictures that were asked for, in their order.
      var asked: [String] { state.withLock { $0 } }

      func answer(_ request: ScriptedServer.Request) -> Script {
        if request.path.hasPrefix("/media/") || request.path.hasPrefix("/faces/") {
          state.withLock { $0.append(request.path) }
          return .answer(200, file, fields: [("Content-Type", "image/png")])
        }
        guard request.path.hasPrefix("/api/v1/timelines/public") else { return .answer(404) }
        return .json(Self.timeline("http://\(request.field("Host") ?? "")"))
      }

      private static func timeline(_ url: String) -> [UInt8] {
        WireEncoder.qwinks(
          (1...count).reversed().map { number in
            var qwink = Qwink.sample(id: Qwink.ID("\(number)"), text: "Qwink \(number)", author: .sample("u\(number)"))
            qwink.author.avatarURL = "\(url)/faces/own-\(number).png"
            qwink.attachments = [
              Attachment(
                id: .init("a\(number)"), kind: .image, url: "\(url)/media/large-\(number).png",
                previewURL: "\(url)/media/\(number).png", altText: "Leek \(number)", width: 96, height: 64)
            ]
            return qwink
          })
      }
    }

    /// Leafs through the timeline, and rests where pictures would come, and those of the next page.
    private func leaf(_ terminal: PseudoTerminal) async {
      for _ in 0..<3 {
        terminal.type("\u{06}")
        await Pace.rest(milliseconds: 900)
      }
    }

    private func wait(_ pictures: Pictures, until isSo: ([String]) -> Bool) async throws {
      while !isSo(pictures.asked) {
        try Task.checkCancellation()
        await Pace.rest(milliseconds: 20)
      }
    }

    @Test func `with --metered nothing is fetched but by key`() async throws {
      let pictures = try Pictures()
      try await withServer(pictures.answer) { server in
        try await Program.inNewHome { program in
          try await program.onPseudoTerminal("--metered", "--server", server.url) { terminal, _ in
            try await terminal.wait(for: "Leek 40")
            await leaf(terminal)
            #expect(pictures.asked.isEmpty)
            terminal.type("v")
            try await wait(pictures) { !$0.isEmpty }
            await Pace.rest(milliseconds: 500)
            #expect(pictures.asked.count == 1 && pictures.asked.allSatisfy { $0.hasPrefix("/media/large-") })
          }
        }
      }
    }

    @Test func `after :set metered on nothing more is fetched but by key`() async throws {
      let pictures = try Pictures()
      try await withServer(pictures.answer) { server in
        try await Program.inNewHome { program in
          try await program.onPseudoTerminal("--server", server.url) { terminal, _ in
            try await wait(pictures) { $0.contains("/media/40.png") && $0.contains("/faces/own-40.png") }
            terminal.type(":set metered on\r")
            try await terminal.wait(for: "Pictures load by key (v)")
            await Pace.rest(milliseconds: 900)
            let before = pictures.asked
            await leaf(terminal)
            #expect(pictures.asked == before)
            terminal.type("v")
            try await wait(pictures) { $0.count > before.count }
            await Pace.rest(milliseconds: 500)
            #expect(pictures.asked.dropFirst(before.count).count == 1)
            #expect(pictures.asked.last?.hasPrefix("/media/large-") == true)
          }
        }
      }
    }
  }
#endif
