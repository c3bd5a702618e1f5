import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Files, polls and publication times in an entry, on servers with and without support for them.
@MainActor
@Suite(.bounded) struct EntryFileTests {
  private let folder = NSTemporaryDirectory() + "qwinkle-files-\(UUID().uuidString)"
  private let text = "See the quay"
  private let describing = EntryFileWords.altPlaceholder("quay.png")
  /// Upload limits of ``server(_:)``.
  nonisolated private static let uploads = ServerInfo.Uploads(
    types: ["image/png"], bytes: 3000, pixels: 0, altTextCharacters: 20)

  /// Creates a file of `size` bytes. A name that ends in ".png" adds the PNG signature.
  private func file(_ name: String, size: Int = 2000) throws -> String {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let start = name.hasSuffix(".png") ? Array("\u{89}PNG\r\n\u{1a}\n".unicodeScalars.map { UInt8($0.value) }) : []
    let path = "\(folder)/\(name)"
    try Data(start + [UInt8](repeating: 7, count: size - start.count)).write(to: URL(filePath: path))
    return path
  }

  private func removeFiles() { try? FileManager.default.removeItem(atPath: folder) }

  private nonisolated static func attachment(isReady: Bool) -> TransportResponse {
    let url = isReady ? "https://\(ScriptedTimeline.host)/media/5.png" : nil
    return .json(
      WireEncoder.attachment(Attachment(id: "5", kind: .image, url: url)), status: isReady ? 200 : 202)
  }

  /// A server that accepts PNGs of up to 3,000 bytes and answers uploads with `answer`.
  private func server(_ answer: @escaping ScriptedTimeline.Handler) -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.limits.uploads = Self.uploads
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    server.handle(.post, "/api/v2/media", by: answer)
    return server
  }

  /// Writes an entry and attaches the file at `path`.
  private func attach(
    _ path: String, on server: ScriptedTimeline, in folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    let screen = try await Screen.settled(server, columns: 120, in: folder)
    screen.strike("c")
    screen.type(text)
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
    return screen
  }

  /// The error shown for a post that was not scheduled.
  private func notScheduled(_ error: DownloadError, isDoubtful: Bool = false) -> String {
    SchedulingError(error, isDoubtful: isDoubtful).sentence(listedBy: EntryWords.scheduledList)
  }

  @Test func `a file is uploaded, described and posted`() async throws {
    defer { removeFiles() }
    let server = server { _ in Self.attachment(isReady: true) }
    let described = Mutex<[String]>([])
    server.handle(.put, "/api/v1/media/5") { request in
      described.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      return Self.attachment(isReady: true)
    }
    let screen = try await attach(file("quay.png"), on: server)
    try await screen.wait(for: "the file") { screen.text.contains(describing) }
    screen.type("Boats at noon, and a very long dog")
    screen.strike("Enter")
    let tooLong = AttachmentError.altTextTooLong("quay.png", by: 14).sentence
    #expect(screen.unwrapped.contains(tooLong))
    screen.strike("^U")
    screen.type("Boats at noon")
    screen.strike("Enter")
    let line = "+ quay.png  2 KB  \(EntryFileWords.uploaded)  “Boats at noon”"
    try await screen.wait(for: "the upload") { screen.text.contains(line) }
    await screen.settle()
    #expect(described.withLock { $0.last } == #"{"description":"Boats at noon"}"#)
    await screen.press("^D")
    #expect(server.posted.map(\.text) == [text] && server.posted.map(\.media) == [["5"]])
  }

  @Test(arguments: ["", "Boats at noon"])
  func `a draft keeps the name, size and description of its file after a restart`(description: String) async throws {
    defer { removeFiles() }
    let run = TemporaryFolder()
    let server = server { _ in Self.attachment(isReady: true) }
    server.handle(.put, "/api/v1/media/5") { _ in Self.attachment(isReady: true) }
    let altText = description.isEmpty ? EntryFileWords.noAltText : "“\(description)”"
    let words = "+ quay.png  2 KB  \(EntryFileWords.uploaded)  \(altText)"
    let first = try await attach(file("quay.png"), on: server, in: run)
    try await first.wait(for: "the file") { first.text.contains(describing) }
    first.type(description)
    first.strike("Enter")
    try await first.wait(for: "the upload") { first.text.contains(words) }
    await first.press("Esc")
    first.kill()

    let second = try await Screen.settled(server, columns: 120, in: run)
    await second.press("g", "d")
    #expect(second.lines.contains { $0.contains(EntryWords.newQwink) && $0.contains("1 file  ") }, "\(second.text)")
    await second.press("q", "c")
    #expect(second.text.contains(words), "\(second.text)")
    await second.press("^D")
    #expect(server.posted.map(\.media) == [["5"]])
  }

  @Test func `an upload shows its progress`() async throws {
    defer { removeFiles() }
    let gates = [Gate(), Gate()]
    let server = server { request in
      request.didSend?((request.body.count + 1) / 2)
      await gates[0].whenOpen()
      request.didSend?(request.body.count)
      await gates[1].whenOpen()
      return Self.attachment(isReady: true)
    }
    let screen = try await attach(file("quay.png"), on: server)
    let (half, most) = (EntryFileWords.uploading(percent: 50), EntryFileWords.uploading(percent: 99))
    try await screen.wait(for: "a half") { screen.text.contains("+ quay.png  2 KB  \(half)") }
    gates[0].open()
    // The upload is complete only when the server has confirmed it.
    try await screen.wait(for: "the rest") { screen.text.contains("+ quay.png  2 KB  \(most)") }
    gates[1].open()
    try await screen.wait(for: "the end") { screen.text.contains("+ quay.png  2 KB  \(EntryFileWords.uploaded)") }
    #expect(!screen.text.contains(EntryFileWords.uploading))
  }

  @Test func `a post sent during an upload waits for the upload`() async throws {
    defer { removeFiles() }
    let gate = Gate()
    let server = server { _ in
      await gate.whenOpen()
      return Self.attachment(isReady: true)
    }
    let screen = try await attach(file("quay.png"), on: server)
    try await screen.wait(for: "the file") { screen.text.contains(describing) }
    screen.strike("Esc", "^D")
    #expect(screen.text.contains(EntryFileWords.sendsWhenReady(1)))
    #expect(server.posted.isEmpty)
    gate.open()
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    await screen.settle()
    #expect(server.posted.map(\.media) == [["5"]])
  }

  @Test func `a description that failed to save is saved again before the post`() async throws {
    defer { removeFiles() }
    let server = server { _ in Self.attachment(isReady: true) }
    let gate = Gate()
    let tries = Mutex(0)
    server.handle(.put, "/api/v1/media/5") { _ in
      let isFirst = tries.withLock { tries in
        tries += 1
        return tries == 1
      }
      if isFirst { return .json(WireEncoder.error("Not now"), status: 503) }
      await gate.whenOpen()
      return Self.attachment(isReady: true)
    }
    let screen = try await attach(file("quay.png"), on: server)
    try await screen.wait(for: "the file") { screen.text.contains(describing) }
    screen.type("Boats at noon")
    screen.strike("Enter")
    let notSaved = "“Boats at noon”  \(EntryFileWords.notDescribed)"
    try await screen.wait(for: "the failure") { screen.text.contains(notSaved) }
    let error = DownloadError.serverFailed(host: ScriptedTimeline.host, status: 503)
    #expect(screen.unwrapped.contains(EntryFileWords.notDescribed("quay.png", error)))
    screen.strike("^D")
    try await screen.wait(for: "the second try") { tries.withLock { $0 == 2 } }
    #expect(screen.text.contains(EntryFileWords.sendsWhenReady(1)) && !screen.text.contains(notSaved))
    #expect(server.posted.isEmpty)
    gate.open()
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    #expect(server.posted.map(\.media) == [["5"]])
  }

  @Test func `a key or closing the entry cancels an upload`() async throws {
    defer { removeFiles() }
    let path = try file("quay.png")
    for closes in [false, true] {
      let server = server { throw await $0.untilCancelled() }
      let screen = try await attach(path, on: server)
      try await screen.wait(for: "the file") { screen.text.contains(describing) }
      screen.strike("Esc")
      if closes {
        screen.strike("Esc")
        await screen.settle()
        #expect(screen.status.contains(EntryFileWords.savedBeforeUpload(1)))
      } else {
        screen.strike("^X", "d")
        #expect(screen.text.contains(EntryFileWords.cancelled("quay.png")) && screen.text.contains(text))
      }
      #expect(!screen.text.contains("+ quay.png"))
      await screen.settle()
      #expect(server.posted.isEmpty)
    }
  }

  @Test(arguments: [
    ("clip.mp4", 2000, AttachmentError.refused("clip.mp4", uploads.refusal(ofType: "video/mp4", bytes: 2000) ?? "")),
    ("large.png", 4000, .refused("large.png", uploads.refusal(ofType: "image/png", bytes: 4000) ?? "")),
    ("missing.png", 0, .missing("missing.png")), ("", 0, .isFolder("")),
  ])
  func `an unreadable or unsupported file is reported before any upload`(
    name: String, size: Int, error: AttachmentError
  ) async throws {
    defer { removeFiles() }
    _ = try file("other.png")
    let server = server { _ in Self.attachment(isReady: true) }
    let screen = try await attach(size > 0 ? file(name, size: size) : "\(folder)/\(name)", on: server)
    try await screen.wait(for: "the reason") { screen.unwrapped.contains(error.sentence) }
    #expect(screen.text.contains(text))
    #expect(!server.paths.contains("/api/v2/media"))
    await screen.press("^D")
    #expect(server.posted.isEmpty && screen.unwrapped.contains(error.sentence))
    await screen.press("^X", "d", "^D")
    #expect(server.posted.map(\.text) == [text] && server.posted.map(\.media) == [[]])
  }

  @Test(arguments: [
    (TransportError.interrupted(host: ScriptedTimeline.host) as TransportError?, 0), (nil, 422), (nil, 413), (nil, 500),
  ])
  func `a failed or rejected upload is reported and the text stays`(fault: TransportError?, status: Int) async throws {
    defer { removeFiles() }
    let server = server { _ in
      if let fault { throw fault }
      return .json(WireEncoder.error("Not this one"), status: status)
    }
    let screen = try await attach(file("quay.png"), on: server)
    let host = ScriptedTimeline.host
    let error: DownloadError =
      switch status {
      case 413: .tooLargeToSend(host: host)
      case 422: .rejected(host: host, message: "Not this one")
      case 500: .serverFailed(host: host, status: status)
      default: .transport(.interrupted(host: host))
      }
    let reason = EntryFileWords.notAttached(.notSent("quay.png", error))
    try await screen.wait(for: "the reason") { screen.unwrapped.contains(reason) }
    screen.strike("Esc")
    #expect(screen.text.contains(text) && screen.text.contains("+ quay.png  2 KB  \(EntryFileWords.failed)"))
    await screen.press("^D")
    #expect(server.posted.isEmpty && screen.unwrapped.contains(EntryFileWords.notPosted(.notSent("quay.png", error))))
    await screen.press("^X", "d", "^D")
    #expect(server.posted.map(\.text) == [text])
  }

  @Test(arguments: [
    ("device.png", EntryFileWords.notAttached(.unreadable("device.png"))),
    ("huge.png", EntryFileWords.notAttached(.tooLargeForAny("huge.png"))),
    ("link.png", EntryFileWords.altPlaceholder("link.png")),
  ])
  func `devices and huge files are refused and links are followed`(name: String, words: String) async throws {
    defer { removeFiles() }
    let other = try file("other.png")
    let path = "\(folder)/\(name)"
    let target = name == "device.png" ? "/dev/zero" : other
    if name == "huge.png" {
      _ = try file(name)
      truncate(path, 513 << 20)
    } else {
      symlink(target, path)
    }
    let screen = try await attach(path, on: server { _ in Self.attachment(isReady: true) })
    try await screen.wait(for: "what is said of it") { screen.unwrapped.contains(words) }
    #expect(screen.text.contains(text))
  }

  @Test func `a file that changes while it is read has a separate error`() {
    let error = AttachmentError(DiskFile.Fault.changed, "quay.png")
    #expect(error.sentence == "quay.png changed while it was being read." && error != .unreadable("quay.png"))
  }

  @Test func `a server that never finishes processing a file is reported`() async throws {
    defer { removeFiles() }
    let server = server { _ in Self.attachment(isReady: false) }
    server.handle(.get, "/api/v1/media/5") { _ in Self.attachment(isReady: false) }
    let screen = try await attach(file("quay.png"), on: server)
    try await screen.wait(for: "the file") { screen.text.contains(EntryFileWords.processing) }
    for _ in 0..<95 { await screen.pass(.seconds(1)) }
    #expect(screen.unwrapped.contains(EntryFileWords.notAttached(.neverProcessed("quay.png"))))
    screen.strike("Esc")
    #expect(screen.text.contains(text))
  }

  @Test func `a poll is typed on one line and posted`() async throws {
    let server = ScriptedTimeline([1])
    let screen = try await Screen.settled(server, columns: 120)
    screen.strike("c")
    screen.type("Which?")
    screen.strike("^X", "p")
    screen.type("Tea | Coffee | 3d | several")
    screen.strike("Enter")
    await screen.press("^D")
    #expect(server.posted.map(\.options) == [["Tea", "Coffee"]])
  }

  @Test func `an entry with a time is scheduled by the server`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    server.handle(.post, "/api/v1/statuses") { request in
      #expect(String(decoding: request.body, as: UTF8.self).contains("scheduled_at"))
      return .json(
        Array(
          #"{"id":"9","scheduled_at":"2026-01-01T02:00:00.000Z","params":{"text":"Later"},"media_attachments":[]}"#.utf8
        )
      )
    }
    let screen = try await Screen.settled(server, columns: 120)
    screen.strike("c")
    screen.type("Later")
    screen.strike("^X", "t")
    screen.type("yesterday")
    screen.strike("Enter", "^D")
    #expect(screen.unwrapped.contains(EntryWords.noTime("yesterday")))
    screen.strike("^X", "t", "^U")
    screen.type("2h")
    screen.strike("Enter")
    await screen.press("^D")
    let time = RelativeTime.full(ScriptedTimeline.start.addingTimeInterval(7200), in: screen.account.timeZone)
    #expect(screen.status.contains(EntryWords.scheduled(time)), "\(screen.status)")
    #expect(!screen.text.contains(EntryWords.newQwink))
  }
  /// Writes and sends an entry scheduled for two hours from now.
  private func scheduled(_ text: String, on server: ScriptedTimeline) async throws -> Screen {
    let screen = try await Screen.settled(server, columns: 120)
    screen.strike("c")
    screen.type(text)
    screen.strike("^X", "t")
    screen.type("2h")
    screen.strike("Enter")
    await screen.press("^D")
    return screen
  }

  @Test(arguments: [404, 405, 501])
  func `a server that can't schedule is detected before anything is sent`(status: Int) async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .text("", status: status) }
    let screen = try await scheduled("The boat leaves at nine", on: server)
    let lack = DownloadError.unsupported(host: ScriptedTimeline.host, .scheduledPosts)
    #expect(screen.unwrapped.contains(notScheduled(lack)), "\(screen.text)")
    #expect(server.posted.isEmpty && screen.text.contains("The boat leaves at nine"))
    // The time can still be removed.
    await screen.press("^X", "t", "^U", "Enter", "^D")
    #expect(server.posted.map(\.text) == ["The boat leaves at nine"])
    await screen.press("c", "^X", "t")
    #expect(screen.text.contains(lack.sentence), "\(screen.text)")
    #expect(!screen.unwrapped.contains(notScheduled(lack)))
  }

  @Test func `a server that rejects the time is reported and the text stays`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    server.handle(.post, "/api/v1/statuses") { _ in .json(WireEncoder.error("Not implemented"), status: 501) }
    let screen = try await scheduled("The boat leaves at nine", on: server)
    let lack = DownloadError.unsupported(host: ScriptedTimeline.host, .scheduledPosts)
    #expect(screen.unwrapped.contains(notScheduled(lack)), "\(screen.text)")
    #expect(screen.text.contains("The boat leaves at nine"))
  }

  @Test func `a lost scheduling response leaves a doubt and the retry reuses the key`()
    async throws
  {
    let server = ScriptedTimeline([1])
    let keys = Mutex<[String?]>([])
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .text("", status: 503) }
    let screen = try await scheduled("The boat leaves at nine", on: server)
    let busy = DownloadError.serverFailed(host: ScriptedTimeline.host, status: 503)
    #expect(screen.unwrapped.contains(notScheduled(busy)), "\(screen.text)")
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    server.handle(.post, "/api/v1/statuses") { request in
      keys.withLock { $0.append(request.field("Idempotency-Key")) }
      return .text("", status: 504)
    }
    await screen.press("^D")
    let lost = DownloadError.serverFailed(host: ScriptedTimeline.host, status: 504)
    #expect(screen.unwrapped.contains(notScheduled(lost, isDoubtful: true)), "\(screen.text)")
    await screen.press("^D")
    let sent = keys.withLock { $0 }
    #expect(sent.count == 2 && Set(sent).count == 1 && sent[0] != nil, "\(sent)")
    #expect(screen.text.contains("The boat leaves at nine"))
  }

  @Test(arguments: [true, false])
  func `a qwink in the response counts as scheduled if it has the right time`(isDated: Bool) async throws {
    let server = ScriptedTimeline([1])
    let time = ScriptedTimeline.start.addingTimeInterval(isDated ? 7200 : 0)
    let qwink = Qwink.sample(id: "9", text: "The boat leaves at nine", author: .sample("mara"), at: time)
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    server.handle(.post, "/api/v1/statuses") { _ in .json(WireEncoder.qwink(qwink)) }
    server.handle(.get, "/api/v1/statuses/9") { _ in .json(WireEncoder.error("Down"), status: 500) }
    let screen = try await scheduled("The boat leaves at nine", on: server)
    let words = isDated ? EntryWords.scheduledUnlisted : EntryWords.scheduledOrPublished
    #expect(screen.status.contains(words), "\(screen.status)")
    #expect(server.paths.contains("/api/v1/statuses/9") != isDated)
    #expect(!screen.text.contains(EntryWords.newQwink), "\(screen.text)")
  }

  @Test func `a server that ignores the time and publishes at once is reported`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    let screen = try await scheduled("The boat leaves at nine", on: server)
    let published = EntryWords.publishedAtOnce(ScriptedTimeline.lack(of: .scheduledPosts))
    #expect(screen.status.contains(published), "\(screen.status)")
    // The entry was posted and left no draft.
    #expect(server.posted.map(\.text) == ["The boat leaves at nine"])
    #expect(screen.text.contains("The boat leaves at nine"), "\(screen.text)")
    #expect(!screen.text.contains(EntryWords.newQwink), "\(screen.text)")
    await screen.press("g", "d")
    #expect(!screen.text.contains("The boat leaves at nine"), "\(screen.text)")
  }
}
