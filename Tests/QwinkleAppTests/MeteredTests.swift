import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// Pictures over a metered connection. The server records the requests.
@Suite(.bounded) struct MeteredTests {
  /// A timeline with pictures and avatars, and the requests for them.
  private final class Pictures: Sendable {
    private static let count = 40
    private let state = Mutex<[String]>([])
    private let file: [UInt8]

    init() throws {
      let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/pictures/gradient.png")
      file = Array(try Data(contentsOf: path))
    }

    /// Paths of the requested pictures, in order.
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

  private static func selected(_ screen: TmuxHarness.Screen) -> Int? {
    for row in screen.rows where row.hasPrefix("▌") {
      if let match = row.firstMatch(of: #/Qwink (\d+)/#) { return Int(match.output.1) }
    }
    return nil
  }

  /// Whether the selected qwink shows its picture, or a hint that a key would load it. Both appear after the pause
  /// that precedes a fetch.
  private static func isLookedAt(_ screen: TmuxHarness.Screen) -> Bool {
    screen.rows.contains { $0.hasPrefix("▌") && ($0.contains("not loaded") || $0.contains("▀▀▀▀")) }
  }

  /// Pages through the timeline, views the selected picture and quits. Returns the qwink's number.
  private func leaf(_ terminal: TmuxHarness, pages: Int, _ pictures: Pictures) async throws -> Int {
    for _ in 0..<pages {
      let before = Self.selected(try await terminal.screen())
      try await terminal.press("C-f")
      try await terminal.wait(for: "the next page") {
        Self.selected($0).map { $0 != before } == true && Self.isLookedAt($0)
      }
    }
    let screen = try await terminal.screen()
    let number = try #require(Self.selected(screen))
    #expect(screen.contains("not loaded") && !pictures.asked.contains { Self.number(in: $0) <= number }, "\(screen)")
    try await terminal.press("v")
    try await terminal.wait(for: "the picture") { $0.contains("› Picture") && $0.contains("▀▀▀▀") }
    try await terminal.press("q", "q", "y")
    #expect(try await terminal.waitForEnd().status == 0)
    return number
  }

  /// Returns the number of the qwink whose picture or avatar is at `path`.
  private static func number(in path: String) -> Int {
    path.firstMatch(of: #/(\d+)\.png/#).flatMap { Int($0.output.1) } ?? 0
  }

  @Test(.needsTmux) func `with --metered a picture loads only by key`() async throws {
    let pictures = try Pictures()
    try await withServer(pictures.answer) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--metered", "--server", server.url) { terminal in
          try await terminal.wait(for: "Leek 40")
          let number = try await leaf(terminal, pages: 3, pictures)
          #expect(pictures.asked == ["/media/large-\(number).png"])
        }
      }
    }
  }

  @Test(.needsTmux) func `after :set metered on a picture loads only by key`() async throws {
    let pictures = try Pictures()
    try await withServer(pictures.answer) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--server", server.url) { terminal in
          try await TerminalTesting.wait(
            for: "the requests of a row", showing: { pictures.asked.joined(separator: "\n") }
          ) {
            pictures.asked.contains("/media/40.png") && pictures.asked.contains("/faces/own-40.png")
          }
          try await terminal.type(":set metered on\r")
          try await terminal.wait(for: "Pictures load only with v")
          // Beyond the prefetched page.
          let number = try await leaf(terminal, pages: 6, pictures)
          let later = pictures.asked.filter { Self.number(in: $0) <= number }
          #expect(later == ["/media/large-\(number).png"])
        }
      }
    }
  }
}
