import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// A post contains every file that its entry shows.
@MainActor
@Suite(.bounded) struct AttachmentTests {
  private let folder = UploadFolder()
  private let server = ScriptedTimeline([1])
  private let uploads: SlowUploads
  private let text = "See the quay"

  init() { uploads = SlowUploads(on: server) }

  /// Returns a screen with an entry that contains ``text``.
  private func writing() async throws -> Screen {
    let screen = try await Screen.settled(server, columns: 120)
    screen.strike("c")
    screen.type(text)
    return screen
  }

  /// Types a path, without waiting for the result.
  private func add(_ path: String, to screen: Screen) {
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
  }

  @Test func `two files with the same name are both posted`() async throws {
    let screen = try await writing()
    for folder in ["a", "b"] {
      add(try self.folder.write("\(folder)/photo.png", mark: folder), to: screen)
      let count = folder == "a" ? 1 : 2
      try await screen.wait(for: "upload \(count)") { uploads.waitingCount == count }
    }
    #expect(screen.text.count(of: "+ photo.png  2 KB  \(EntryFileWords.uploading)") == 2, "\(screen.text)")
    screen.strike("Esc", "^D")
    uploads.letAllArrive()
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    await screen.settle()
    #expect(server.posted.map(\.media) == [["a", "b"]])
  }

  @Test(arguments: [["quay"], ["quay", "boats", "gulls"]], [2000, 4 << 20])
  func `^D right after adding files waits for all uploads`(names: [String], size: Int) async throws {
    let paths = try names.map { try folder.write("\($0).png", mark: $0, size: size) }
    let screen = try await writing()
    for path in paths { add(path, to: screen) }
    screen.strike("^D")
    #expect(screen.text.contains(EntryFileWords.sendsWhenReady(names.count)), "\(screen.text)")
    #expect(names.allSatisfy { screen.text.contains("+ \($0).png  \(EntryFileWords.reading)") }, "\(screen.text)")
    for count in (1...names.count).reversed() {
      try await screen.wait(for: "the uploads") { uploads.waitingCount == count }
      #expect(server.posted.isEmpty)
      uploads.letOneArrive()
    }
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    await screen.settle()
    #expect(server.posted.map(\.media) == [names])
  }

  /// A reason why a file isn't attached.
  enum Failure: CaseIterable {
    case missing, folder, empty, refused, cut, failed
  }

  @Test(arguments: Failure.allCases, [false, true])
  func `a failed file blocks the post until it is removed or attached again`(
    failure: Failure, isRemoved: Bool
  ) async throws {
    let path = "\(folder.path)/quay.png"
    switch failure {
    case .missing: break
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .empty:
      try folder.write("quay.png", mark: "quay")
      try Data().write(to: URL(filePath: path))
    case .refused, .cut, .failed: try folder.write("quay.png", mark: "quay")
    }
    let outcomes: [Failure: SlowUploads.Outcome] = [
      .refused: .isRefused, .cut: .connectionBreaks, .failed: .serverFails,
    ]
    uploads.set(outcomes[failure] ?? .isTaken, for: "quay")
    uploads.letAllArrive()
    let screen = try await writing()
    add(path, to: screen)
    screen.strike("^D")
    await screen.settle()
    #expect(server.posted.isEmpty && screen.text.contains("  \(EntryFileWords.failed)"), "\(screen.text)")
    // Typing clears the error, but not the failed file.
    screen.type("!")
    await screen.press("^D")
    #expect(server.posted.isEmpty && screen.unwrapped.contains("Not sent: "), "\(screen.text)")

    if failure == .folder { try FileManager.default.removeItem(atPath: path) }
    try folder.write("quay.png", mark: "quay")
    uploads.set(.isTaken, for: "quay")
    if isRemoved {
      await screen.press("^X", "d")
    } else {
      add(path, to: screen)
    }
    await screen.press("^D")
    try await screen.wait(for: "the post") { !server.posted.isEmpty }
    #expect(server.posted.map(\.text) == ["\(text)!"])
    #expect(server.posted.map(\.media) == [isRemoved ? [] : ["quay"]])
  }

  @Test(arguments: FileChange.allCases)
  func `a file that changes during its upload is an error and nothing is posted`(change: FileChange) async throws {
    let path = try folder.write("quay.png", mark: "quay")
    let screen = try await writing()
    add(path, to: screen)
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    screen.strike("Esc", "^D")
    try change.apply(to: path)
    uploads.letAllArrive()
    let error = AttachmentError.notSent("quay.png", .transport(TransportError(change.fault)))
    let sentence = EntryFileWords.notAttached(error)
    try await screen.wait(for: "the error") { screen.unwrapped.contains(sentence) }
    await screen.settle()
    #expect(server.posted.isEmpty && screen.text.contains(text))
    #expect(screen.account.connection.offlineSince == nil)
  }

  @Test func `typing cancels the wait for uploads`() async throws {
    let screen = try await writing()
    add(try folder.write("quay.png", mark: "quay"), to: screen)
    screen.strike("^D")
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    screen.type("!")
    #expect(!screen.text.contains(EntryFileWords.sendsWhenReady(1)))
    uploads.letAllArrive()
    await screen.settle()
    #expect(server.posted.isEmpty && screen.text.contains("\(text)!"))
    await screen.press("^D")
    #expect(server.posted.map(\.text) == ["\(text)!"] && server.posted.map(\.media) == [["quay"]])
  }

  @Test func `a file is not attached twice`() async throws {
    let path = try folder.write("quay.png", mark: "quay")
    let screen = try await writing()
    add(path, to: screen)
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    screen.strike("Esc")
    add(path, to: screen)
    let sentence = EntryFileWords.attachedAlready("quay.png")
    try await screen.wait(for: "the refusal") { screen.unwrapped.contains(sentence) }
    #expect(screen.text.count(of: "+ quay.png") == 1)
    uploads.letAllArrive()
    await screen.press("^D")
    #expect(server.posted.map(\.media) == [["quay"]])
  }

  @Test func `an unfinished upload stays with its entry when another is begun`() async throws {
    let screen = try await writing()
    add(try folder.write("quay.png", mark: "quay"), to: screen)
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    screen.strike("Esc", "^X", "n")
    #expect(screen.text.contains(EntryFileWords.savedBeforeUpload(1)) && !screen.text.contains("+ quay.png"))
    screen.type("Another")
    await screen.press("^D")
    #expect(server.posted.map(\.text) == ["Another"] && server.posted.map(\.media) == [[]])
  }

  /// An event that ends an entry during an upload.
  enum Ending: CaseIterable {
    case kill, close, another, discardAndUndo
  }

  /// Causes `ending`, calls `meanwhile`, and opens the draft again.
  private func reopen(
    _ screen: Screen, after ending: Ending, in run: TemporaryFolder, meanwhile: () throws -> Void = {}
  ) async throws -> Screen {
    var screen = screen
    switch ending {
    case .kill: screen.kill()
    case .close: screen.strike("Esc")
    case .another: screen.strike("^X", "n", "Esc")
    case .discardAndUndo: screen.strike("^X", "k")
    }
    let closing = screen
    if ending != .kill { try await closing.wait(for: "the end of the entry") { closing.sheetTitle == nil } }
    try meanwhile()
    if ending == .kill {
      screen = try await Screen.settled(server, columns: 120, in: run)
    } else {
      await screen.settle()
    }
    screen.strike(ending == .discardAndUndo ? "u" : "c")
    return screen
  }

  @Test(arguments: Ending.allCases, [false, true])
  func `an unfinished upload restarts when its draft opens or reports a missing file`(
    ending: Ending, isMissing: Bool
  ) async throws {
    let run = TemporaryFolder()
    var screen = try await Screen.settled(server, columns: 120, in: run)
    let path = try folder.write("quay.png", mark: "quay")
    // A file without text is enough for a draft.
    screen.strike("c")
    add(path, to: screen)
    let prompt = EntryFileWords.altPlaceholder("quay.png")
    try await screen.wait(for: "the prompt") { uploads.waitingCount == 1 && screen.text.contains(prompt) }
    screen.type("Boats")
    screen.strike("Enter")
    // The draft is saved a second after the store has loaded, which a busy disk delays.
    try await screen.wait(for: "the draft") {
      screen.advance(by: .seconds(1))
      return screen.drafts.all.count == 1
    }
    screen = try await reopen(screen, after: ending, in: run) {
      if isMissing { try FileManager.default.removeItem(atPath: path) }
    }
    uploads.letAllArrive()
    try await screen.wait(for: "the file") { screen.text.contains("+ quay.png") }
    await screen.settle()
    if isMissing {
      let sentence = EntryFileWords.notAttached(.missing("quay.png"))
      #expect(screen.unwrapped.contains(sentence), "\(screen.text)")
    } else {
      #expect(screen.text.contains("“Boats”"), "\(screen.text)")
    }
    screen.type(text)
    await screen.press("^D")
    #expect(server.posted.map(\.media) == (isMissing ? [] : [["quay"]]), "\(screen.text)")
    if !isMissing {
      #expect(uploads.descriptions["quay"]?.contains("Boats") == true)
      #expect(screen.drafts.all.isEmpty)
    }
  }

  @Test(arguments: Ending.allCases)
  func `a description typed during an upload is restored with the draft`(ending: Ending) async throws {
    let run = TemporaryFolder()
    var screen = try await Screen.settled(server, columns: 120, in: run)
    let words = "Boats at noon"
    screen.strike("c")
    screen.type(text)
    add(try folder.write("quay.png", mark: "quay"), to: screen)
    let prompt = EntryFileWords.altPlaceholder("quay.png")
    try await screen.wait(for: "the prompt") { uploads.waitingCount == 1 && screen.text.contains(prompt) }
    screen.type(words)
    try await screen.wait(for: "the draft") {
      screen.advance(by: .seconds(1))
      return screen.drafts.all.first?.fields?[EntryField.altText.rawValue] == words
    }
    // The first Esc leaves the field.
    if ending == .close { screen.strike("Esc") }
    screen = try await reopen(screen, after: ending, in: run)
    try await screen.wait(for: "the description") { screen.text.contains(words) }
    uploads.letAllArrive()
    await screen.settle()
    #expect(screen.text.contains(words) && screen.text.contains("+ quay.png"), "\(screen.text)")
    await screen.press("^D")
    #expect(server.posted.map(\.text) == [text] && server.posted.map(\.media) == [["quay"]], "\(screen.text)")
    #expect(uploads.descriptions["quay"]?.contains(words) == true)
  }

  @Test(arguments: Ending.allCases)
  func `a draft restores the order of its files even if only the last was uploaded`(ending: Ending) async throws {
    let run = TemporaryFolder()
    var screen = try await Screen.settled(server, columns: 120, in: run)
    uploads.letAllArrive()
    screen.strike("c")
    screen.type(text)
    let outcomes: [(String, SlowUploads.Outcome)] = [
      ("quay", .serverFails), ("boats", .serverFails), ("gulls", .isTaken),
    ]
    for (name, outcome) in outcomes {
      uploads.set(outcome, for: name)
      add(try folder.write("\(name).png", mark: name), to: screen)
      let prompt = EntryFileWords.altPlaceholder("\(name).png")
      try await screen.wait(for: "the prompt") { screen.text.contains(prompt) }
      await screen.settle()
      screen.strike("Esc")
    }
    await screen.pass(.seconds(1))
    #expect(screen.drafts.load()?.attachmentIDs == ["gulls"])
    screen = try await reopen(screen, after: ending, in: run) {
      for name in ["quay", "boats"] { uploads.set(.isTaken, for: name) }
    }
    try await screen.wait(for: "the files") { screen.text.contains("+ quay.png") }
    await screen.settle()
    // Leave the prompt for the file's description.
    screen.strike("Esc")
    if screen.sheetTitle == nil { screen.strike("c") }
    await screen.settle()
    await screen.press("^D")
    #expect(server.posted.map(\.media) == [["quay", "boats", "gulls"]], "\(screen.text)")
  }

  @Test func `a poll is refused during an upload and a draft with both loses neither`() async throws {
    let run = TemporaryFolder()
    let first = try await Screen.settled(server, columns: 120, in: run)
    first.strike("c")
    first.type(text)
    add(try folder.write("quay.png", mark: "quay"), to: first)
    let prompt = EntryFileWords.altPlaceholder("quay.png")
    try await first.wait(for: "the prompt") { uploads.waitingCount == 1 && first.text.contains(prompt) }
    first.strike("Esc", "^X", "p")
    first.type("red | green")
    first.strike("Enter")
    #expect(first.unwrapped.contains(EntryFileWords.pollOrFiles), "\(first.text)")
    try await first.wait(for: "the draft") {
      first.advance(by: .seconds(1))
      return first.drafts.load()?.poll != nil
    }
    first.kill()

    let second = try await Screen.settled(server, columns: 120, in: run)
    if second.sheetTitle == nil { second.strike("c") }
    try await second.wait(for: "the file") { second.text.contains("+ quay.png") }
    uploads.letAllArrive()
    await second.settle()
    await second.press("Esc", "^D")
    #expect(server.posted.isEmpty && second.unwrapped.contains(EntryFileWords.pollOrFiles), "\(second.text)")
    // The first option of the poll has the focus.
    await second.press("^U", "Down", "^U", "Esc", "^D")
    #expect(server.posted.map(\.media) == [["quay"]] && server.posted.map(\.options) == [[]], "\(second.text)")
  }

  @Test func `an unsaved description is restored after a restart`() async throws {
    let run = TemporaryFolder()
    uploads.letAllArrive()
    let first = try await Screen.settled(server, columns: 120, in: run)
    first.strike("c")
    first.type(text)
    add(try folder.write("quay.png", mark: "quay"), to: first)
    let prompt = EntryFileWords.altPlaceholder("quay.png")
    try await first.wait(for: "the prompt") { first.text.contains(prompt) }
    await first.settle()
    uploads.failDescription()
    first.type("Boats at noon")
    await first.press("Enter", "Esc")
    first.kill()

    let second = try await Screen.settled(server, columns: 120, in: run)
    await second.press("c")
    #expect(second.text.contains("“Boats at noon”  \(EntryFileWords.notDescribed)"), "\(second.text)")
    await second.press("^D")
    #expect(server.posted.map(\.media) == [["quay"]])
    #expect(uploads.descriptions["quay"]?.contains("Boats at noon") == true)
  }
}
