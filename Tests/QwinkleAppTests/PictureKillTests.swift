import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// SIGKILL while pictures are fetched and stored: the index and the files agree at the next start.
@Suite(.bounded) struct PictureKillTests {
  private static let count = 120

  /// Returns the file of a picture: noise that differs for each number.
  private static func file(_ number: Int) -> [UInt8] {
    var random = SplitMix(seed: UInt64(number))
    return (0..<(2000 + number * 300)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private static func timeline(_ url: String) -> [UInt8] {
    let qwinks = (1...count).reversed().map { number in
      var qwink = Qwink.sample(id: Qwink.ID("\(number)"), text: "Qwink \(number)")
      qwink.attachments = [
        Attachment(
          id: .init("a\(number)"), kind: .image, url: "\(url)/media/\(number).png",
          previewURL: "\(url)/media/\(number).png", altText: "Leek \(number)", width: 96, height: 64)
      ]
      return qwink
    }
    return WireEncoder.qwinks(qwinks)
  }

  private static func answer(_ request: ScriptedServer.Request) -> Script {
    if let number = request.path.wholeMatch(of: #/\/media\/(\d+)\.png/#).flatMap({ Int($0.output.1) }) {
      return .answer(200, file(number), fields: [("Content-Type", "image/png"), ("ETag", "\"\(number)\"")])
    }
    guard request.path.hasPrefix("/api/v1/timelines/public") else { return .answer(404) }
    return .json(timeline("http://\(request.field("Host") ?? "")"))
  }

  /// A soak kills the program at 200 moments.
  @Test(arguments: [Soak.seed])
  func `the index and the files agree after a kill at any moment`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    var kept = 0
    try await withServer(Self.answer) { server in
      try await Program.inNewHome { program in
        for _ in 0..<Soak.runs(4, times: 50) {
          try await run(program, at: server.url, forMilliseconds: Int.random(in: 100...900, using: &random))
          kept = max(kept, try await check(program, server.url))
        }
        // A long run stores pictures even if no short run did.
        try await run(program, at: server.url, forMilliseconds: 3000)
        kept = max(kept, try await check(program, server.url))
      }
    }
    #expect(kept > 0)
  }

  private func run(_ program: Program, at url: String, forMilliseconds time: Int) async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let spawned = try terminal.start(
      [Program.path, "--server", url], environment: program.with(["TERM": "xterm-256color"]).environment,
      directory: program.home)
    try await terminal.waitForTimeline()
    for start in stride(from: 0, to: time, by: 200) {
      terminal.type("\u{06}")
      await Pace.rest(milliseconds: min(time - start, 200))
    }
    spawned.signal(SIGKILL)
    _ = try await spawned.waitForEnd()
  }

  /// Checks the stored files. Returns their number.
  private func check(_ program: Program, _ url: String) async throws -> Int {
    guard let index = program.files().map(\.path).first(where: { $0.hasSuffix("/resources.sqlite") }) else {
      return 0
    }
    let folder = "\(program.home)/\(index.dropLast("/resources.sqlite".count))"
    #expect(FileCheck(path: "\(folder)/resources.sqlite").problem == nil)
    let files = ResourceFiles(directory: folder)
    defer { files.close() }
    let kept = await files.all()
    for resource in kept {
      let number = try #require(Int(resource.address.split(separator: "/").last?.dropLast(4) ?? ""))
      #expect(await files.bytes(of: resource.address) == Self.file(number))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      !$0.hasPrefix("resources.sqlite")
    }
    var addresses = Set(kept.map(\.address))
    for number in 1...120 where await files.part(of: "\(url)/media/\(number).png") != nil {
      addresses.insert("\(url)/media/\(number).png")
    }
    #expect(names.count == addresses.count)
    return kept.count
  }
}
