import Foundation
import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Sending or closing an entry while one of its fields is focused.
@MainActor
@Suite(.bounded) struct EntryFieldTests {
  enum Field: CaseIterable {
    case warning, language, poll, time, path, altText

    /// The key after ^X. Nil for alt text, whose field opens when a file is attached.
    var key: String? {
      switch self {
      case .warning: "w"
      case .language: "l"
      case .poll: "p"
      case .time: "t"
      case .path: "a"
      case .altText: nil
      }
    }

    @MainActor var label: String {
      switch self {
      case .warning: EntryWords.warningLabel
      case .language: EntryWords.languageLabel
      case .poll: EntryWords.pollOption(1)
      case .time: EntryWords.timeLabel
      case .path: EntryFileWords.label
      case .altText: EntryFileWords.altLabel
      }
    }

    /// A text that the field accepts, and part of the request that results from it.
    var valid: (text: String, sent: String) {
      switch self {
      case .warning: ("Weather", #""spoiler_text":"Weather""#)
      case .language: ("de", #""language":"de""#)
      case .poll: ("red | green", #"["red","green"]"#)
      case .time: ("2h", "scheduled_at")
      case .path: ("quay.png", #""media_ids":["5"]"#)
      case .altText: ("Boats at noon", #"{"description":"Boats at noon"}"#)
      }
    }

    /// A text that the field rejects, with the reason. Nil if the field accepts every text.
    @MainActor var invalid: (text: String, reason: String)? {
      switch self {
      case .warning: nil
      case .language: ("german!", EntryProblem.noLanguage("german!").sentence)
      case .poll:
        ServerInfo.Limits().polls.refusal(of: EntryPoll(options: ["red"], seconds: 86_400)).map { ("red", $0) }
      case .time: ("yesterday", EntryWords.noTime("yesterday"))
      case .path: ("missing.png", AttachmentError.missing("missing.png").sentence)
      case .altText:
        ("Boats at noon, and a very long dog", AttachmentError.altTextTooLong("quay.png", by: 14).sentence)
      }
    }

    /// Returns the text of the field in a saved draft.
    func text(in draft: OutgoingEntry) -> String? {
      switch self {
      case .warning: draft.entry.contentWarning
      case .language: draft.entry.language
      case .poll: draft.entry.poll?.options.joined(separator: " | ")
      case .time: draft.fields?[EntryField.time.rawValue]
      case .path: draft.fields?[EntryField.path.rawValue]
      case .altText: draft.fields?[EntryField.altText.rawValue]
      }
    }
  }

  private let text = "See the quay"
  private let folder = NSTemporaryDirectory() + "qwinkle-fields-\(UUID().uuidString)"

  private func removeFiles() { try? FileManager.default.removeItem(atPath: folder) }

  /// A server that accepts files and schedules posts. It passes request bodies to `bodies`.
  private func server(recording bodies: @escaping @Sendable (String) -> Void) -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.limits.uploads = ServerInfo.Uploads(types: ["image/png"], bytes: 3000, pixels: 0, altTextCharacters: 20)
    let instance = WireEncoder.serverInfoV2(info)
    let attachment = WireEncoder.attachment(
      Attachment(id: "5", kind: .image, url: "https://\(ScriptedTimeline.host)/media/5.png"))
    server.handle(.get, "/api/v2/instance") { _ in .json(instance) }
    server.handle(.get, "/api/v1/scheduled_statuses") { _ in .json(Array("[]".utf8)) }
    server.handle(.post, "/api/v2/media") { _ in .json(attachment) }
    server.handle(.put, "/api/v1/media/5") { request in
      bodies(String(decoding: request.body, as: UTF8.self))
      return .json(attachment)
    }
    server.handle(.post, "/api/v1/statuses") { request in
      bodies(String(decoding: request.body, as: UTF8.self))
      return try await server.accept(request)
    }
    return server
  }

  /// Opens an entry with a text and focuses `field`.
  private func writing(
    in field: Field, on server: ScriptedTimeline, folder run: TemporaryFolder = TemporaryFolder()
  ) async throws -> Screen {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let start = Array("\u{89}PNG\r\n\u{1a}\n".unicodeScalars.map { UInt8($0.value) })
    try Data(start + [UInt8](repeating: 7, count: 900)).write(to: URL(filePath: "\(folder)/quay.png"))
    let screen = try await Screen.settled(server, columns: 160, in: run)
    screen.strike("c")
    screen.type(text)
    if let key = field.key {
      screen.strike("^X", key)
    } else {
      screen.strike("^X", "a")
      screen.type("\(folder)/quay.png")
      screen.strike("Enter")
      try await screen.wait(for: "the file") { screen.text.contains(EntryFileWords.altPlaceholder("quay.png")) }
      try await screen.wait(for: "the upload") { screen.text.contains(EntryFileWords.uploaded) }
    }
    return screen
  }

  private func typed(_ text: String, in field: Field) -> String { field == .path ? "\(folder)/\(text)" : text }

  @Test(arguments: Field.allCases)
  func `sending applies the focused field`(field: Field) async throws {
    defer { removeFiles() }
    let bodies = Mutex<[String]>([])
    let server = server { body in bodies.withLock { $0.append(body) } }
    let screen = try await writing(in: field, on: server)
    screen.type(typed(field.valid.text, in: field))
    screen.strike("^D")
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    await screen.settle()
    let sent = bodies.withLock { $0 }
    #expect(server.posted.map(\.text) == [text])
    #expect(sent.contains { $0.contains(field.valid.sent) }, "\(sent)")
    #expect(screen.sheetTitle == nil)
  }

  @Test(arguments: Field.allCases.filter { $0 != .warning })
  func `an invalid field keeps its text and nothing is sent`(field: Field) async throws {
    defer { removeFiles() }
    let invalid = try #require(field.invalid)
    let server = server { _ in }
    let screen = try await writing(in: field, on: server)
    screen.type(typed(invalid.text, in: field))
    screen.strike("^D")
    try await screen.wait(for: "the reason") { screen.unwrapped.contains(invalid.reason) }
    await screen.settle()
    #expect(server.posted.isEmpty && screen.sheetTitle == EntryWords.newQwink)
    guard field != .path else {
      // The file stays in the list of files.
      return #expect(screen.text.contains("+ missing.png"), "\(screen.text)")
    }
    screen.type("?")
    await screen.turn()
    // The missing option of a poll has the focus.
    let focused = field == .poll ? "\(EntryWords.pollOption(2))    ?" : "\(field.label)  \(invalid.text)?"
    #expect(screen.text.contains(invalid.text) && screen.text.contains(focused), "\(screen.text)")
  }

  @Test(arguments: Field.allCases, [true, false])
  func `closing or killing the entry saves the text of every field`(field: Field, isKilled: Bool) async throws {
    defer { removeFiles() }
    let run = TemporaryFolder()
    let server = server { _ in }
    let screen = try await writing(in: field, on: server, folder: run)
    // A valid description is saved with its file, so this one is too long.
    let text = field == .altText ? field.invalid?.text ?? "" : typed(field.valid.text, in: field)
    screen.type(text)
    if isKilled {
      // Changes are saved a moment after the search for an earlier draft.
      await screen.settle()
      await screen.pass(.seconds(1))
    } else {
      await screen.press("Esc", "Esc")
      #expect(screen.sheetTitle == nil)
    }
    let draft = try #require(screen.drafts.all.last)
    #expect(draft.entry.text == self.text && field.text(in: draft) == text)
    screen.kill()

    let second = try await Screen.settled(server, columns: 160, in: run)
    // A path that isn't attached appears in the path field.
    let shown = field == .path ? "quay.png" : field == .poll ? text : "\(field.label)  \(text)"
    if second.sheetTitle == nil { await second.press("c") }
    if field == .path, !second.text.contains(shown) { await second.press("^X", "a") }
    #expect(second.text.contains(shown), "\(second.text)")
  }
}
