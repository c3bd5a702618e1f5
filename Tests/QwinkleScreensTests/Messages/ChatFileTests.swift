import PaneKit
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Files in chats: a message is sent with all its files.
@MainActor
@Suite(.bounded) struct ChatFileTests {
  private let folder = UploadFolder()
  private let server = ScriptedTimeline()
  private let uploads: SlowUploads
  private let text = "See the quay"

  init() { uploads = SlowUploads(on: server) }

  /// Returns the chat with bob, in which ``text`` is typed.
  private func writing(rows: Int = 24, columns: Int = 80) async throws -> Screen {
    Talk.begin(on: server)
    let screen = try await Screen.settled(server, rows: rows, columns: columns)
    screen.account.pendingActions.seconds = 6
    await screen.press("3", "Enter")
    screen.type(text)
    return screen
  }

  private func add(_ name: String, to screen: Screen) async throws {
    let path = try folder.write("\(name).png", mark: name)
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    if screen.application.window.topSheet != nil { screen.strike("Esc") }
  }

  private var media: [[String]] { server.messages.posted.map(\.media) }

  @Test(arguments: [(12, 40), (24, 80), (50, 200)])
  func `a file is shown below the text and sent with it`(rows: Int, columns: Int) async throws {
    let screen = try await writing(rows: rows, columns: columns)
    try await add("quay", to: screen)
    #expect(screen.text.contains("+ quay.png"), "\(screen.text)")
    uploads.letAllArrive()
    try await screen.wait(for: "the end of the upload") {
      screen.text.contains(EntryFileWords.uploaded) || columns < 80
    }
    await screen.settle()
    await screen.press("^D")
    #expect(screen.text.contains("▣ quay.png") && !screen.text.contains("+ quay.png"), "\(screen.text)")
    await screen.pass(.seconds(6))
    #expect(media == [["quay"]] && server.messages.posted.map(\.text) == ["@bob \(text)"])
  }

  @Test func `a message waits for its file`() async throws {
    let screen = try await writing()
    try await add("quay", to: screen)
    screen.strike("^D")
    #expect(screen.text.contains(EntryFileWords.sendsWhenReady(1)), "\(screen.text)")
    #expect(server.messages.posted.isEmpty)
    uploads.letAllArrive()
    try await screen.wait(for: "the message") { screen.text.contains("▣ quay.png") }
    await screen.pass(.seconds(6))
    #expect(media == [["quay"]])
  }

  @Test func `a message with a refused file isn't sent`() async throws {
    uploads.set(.isRefused, for: "quay")
    let screen = try await writing()
    try await add("quay", to: screen)
    uploads.letAllArrive()
    try await screen.wait(for: "the failure") { screen.text.contains(EntryFileWords.failed) }
    await screen.press("^D")
    await screen.pass(.seconds(6))
    #expect(server.messages.posted.isEmpty && screen.text.contains("+ quay.png"), "\(screen.text)")
    await screen.press("^X", "d")
    #expect(!screen.text.contains("+ quay.png"))
  }

  @Test func `a message that is being sent shows the descriptions of its files`() async throws {
    let screen = try await writing()
    let path = try folder.write("quay.png", mark: "quay")
    screen.strike("^X", "a")
    screen.type(path)
    screen.strike("Enter")
    try await screen.wait(for: "the upload") { uploads.waitingCount == 1 }
    try await screen.wait(for: "the prompt") { screen.application.window.topSheet != nil }
    screen.type("Boats at noon")
    screen.strike("Enter")
    uploads.letAllArrive()
    await screen.settle()
    await screen.press("^D")
    #expect(screen.text.contains("▣ quay.png: Boats at noon"), "\(screen.text)")
  }

  @Test func `u restores a message with its file`() async throws {
    let screen = try await writing()
    try await add("quay", to: screen)
    uploads.letAllArrive()
    await screen.settle()
    await screen.press("^D", "Esc", "u")
    #expect(screen.text.contains("+ quay.png") && screen.text.contains("› \(text)"), "\(screen.text)")
    await screen.pass(.seconds(10))
    #expect(server.messages.posted.isEmpty)
    await screen.press("^D")
    await screen.pass(.seconds(6))
    #expect(media == [["quay"]])
  }

  @Test func `a discarded draft is restored with its file`() async throws {
    let screen = try await writing()
    try await add("quay", to: screen)
    uploads.letAllArrive()
    await screen.settle()
    await screen.press("^X", "k")
    #expect(!screen.text.contains("+ quay.png"))
    await screen.press("u")
    #expect(screen.text.contains("+ quay.png") && screen.text.contains("› \(text)"), "\(screen.text)")
  }

  @Test(arguments: [true, false]) func `the draft of a closed chat keeps its file`(isUploaded: Bool) async throws {
    let screen = try await writing()
    try await add("quay", to: screen)
    if isUploaded {
      uploads.letAllArrive()
      await screen.settle()
    }
    screen.strike("Esc", "q")
    if !isUploaded { uploads.letAllArrive() }
    await screen.settle()
    #expect(!screen.text.contains("+ quay.png"))
    screen.strike("Enter")
    try await screen.wait(for: "the file") { screen.text.contains("+ quay.png") }
    uploads.letAllArrive()
    await screen.settle()
    await screen.press("^D")
    await screen.pass(.seconds(6))
    #expect(media == [["quay"]] && server.messages.posted.map(\.text) == ["@bob \(text)"])
  }
}
