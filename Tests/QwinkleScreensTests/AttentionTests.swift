import Foundation
import QwinkleModel
import QwinkleService
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// Direct messages and mentions call, if the reader has asked for that.
@MainActor
@Suite(.bounded) struct AttentionTests {
  /// A program whose accounts are both open, after `:set` with each of `settings`.
  private func settled(_ settings: String...) async throws -> SeveralAccounts {
    let program = try SeveralAccounts()
    await program.settle()
    await program.pass(.seconds(10))
    for setting in settings {
      program.driver.type(":set \(setting)")
      await program.press("Enter")
    }
    return program
  }

  /// Somebody on the server of the account at `index` posts, and the program asks a minute later.
  private func other(_ text: String, _ visibility: Visibility, on index: Int, _ program: SeveralAccounts) async throws {
    _ = try await program.servers.other(
      on: index, .post(Entry(text: text, visibility: visibility, idempotencyKey: "\(text)-\(index)")))
    await program.pass(.seconds(70))
  }

  /// The message after `:set` with `words`.
  private func applied(_ words: String) throws -> String {
    let setting = try #require(ScreenSetting(words))
    return PromptWords.applied(setting.key, setting.value)
  }

  /// A mention by the other user.
  private func mention(_ visibility: Visibility) -> AccountNotification {
    var qwink = Qwink.sample(author: .sample("other"))
    qwink.visibility = visibility
    return AccountNotification(
      id: "1", kind: .mention, createdAt: ScriptedTimeline.start, qwinker: qwink.author, qwink: qwink)
  }

  @Test func `nothing calls before somebody asks for it`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls.isEmpty)
  }

  @Test func `a message and a mention ring once each, a favourite and a post never`() async throws {
    let program = try await settled("attention bell")
    defer { program.close() }
    let message = try applied("attention bell")
    #expect(program.driver.text.contains(message))
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell"])
    await program.pass(.seconds(300))
    await program.press("R")
    #expect(program.driver.attentionCalls == ["bell"])
    try await other("@mara two", .public, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell", "bell"])
    try await other("three", .public, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell", "bell"])
  }

  @Test func `a notification says who, and for which account, but not what`() async throws {
    let program = try await settled("attention notify")
    defer { program.close() }
    try await other("@mara secret", .direct, on: 0, program)
    try await other("@nils secret", .public, on: 1, program)
    #expect(
      program.driver.attentionCalls == [
        AttentionWords.news([mention(.direct)], account: nil),
        AttentionWords.news([mention(.public)], account: "nils@second.example"),
      ])
  }

  @Test func `several that come together call once`() async throws {
    let program = try await settled("attention notify")
    defer { program.close() }
    for number in 1...3 {
      _ = try await program.servers.other(
        on: 0, .post(Entry(text: "@mara \(number)", visibility: .direct, idempotencyKey: "\(number)")))
    }
    await program.pass(.seconds(70))
    let news = Array(repeating: mention(.direct), count: 3)
    #expect(program.driver.attentionCalls == [AttentionWords.news(news, account: nil)])
  }

  @Test func `what is being read does not call, until the reader rests`() async throws {
    let program = try await settled("attention bell")
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell"])
    await program.press("3", "Enter")
    #expect(program.driver.text.contains("one"))
    try await other("@mara two", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell"])
    await program.pass(.seconds(200))
    try await other("@mara three", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell", "bell"])
  }

  @Test func `quiet hours keep it quiet, and are kept`() async throws {
    let program = try await settled("attention bell")
    defer { program.close() }
    let hour = program.clock.timeZone.localTime(of: program.clock.now).hour
    let setting = "quiet \(hour)-\((hour + 2) % 24)"
    program.driver.type(":set \(setting)")
    await program.press("Enter")
    let message = try applied(setting)
    #expect(program.driver.text.contains(message))
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls.isEmpty)
    let kept = try String(contentsOfFile: "\(program.servers.paths.state)/settings", encoding: .utf8)
    #expect(kept.contains(setting) && kept.contains("attention bell"))
    await program.pass(.seconds(2 * 3600))
    #expect(program.driver.attentionCalls.isEmpty)
    try await other("@mara two", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell"])
    program.driver.type(":set quiet 25-7")
    await program.press("Enter")
    #expect(program.driver.text.contains(ScreenSetting.refusal(of: "quiet 25-7")))
  }

  @Test func `the window's title counts what is unread in all accounts`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    try await other("@nils one", .direct, on: 1, program)
    #expect(program.driver.title.hasPrefix("(2) Qwinkle"))
  }
}
