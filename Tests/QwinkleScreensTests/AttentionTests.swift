import Foundation
import QwinkleModel
import QwinkleService
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// Alerts for direct messages and mentions, which the reader can turn on.
@MainActor
@Suite(.bounded) struct AttentionTests {
  /// A program with two open accounts, after `:set` with each of `settings`.
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

  /// Another user posts on the server of the account at `index`, and the program polls a minute later.
  private func other(_ text: String, _ visibility: Visibility, on index: Int, _ program: SeveralAccounts) async throws {
    _ = try await program.servers.other(
      on: index, .post(Entry(text: text, visibility: visibility, idempotencyKey: "\(text)-\(index)")))
    await program.pass(.seconds(70))
  }

  /// Returns the message after `:set` with `words`.
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

  @Test func `alerts are off by default`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls.isEmpty)
  }

  @Test func `a message and a mention each ring once and other posts never`() async throws {
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

  @Test func `an alert names the author and the account but not the text`() async throws {
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

  @Test func `messages received together cause one alert`() async throws {
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

  @Test func `a visible conversation causes no alert unless the reader is idle`() async throws {
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

  @Test func `quiet hours suppress alerts and are saved`() async throws {
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

  @Test func `the window's title counts unread items of all accounts`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    try await other("@nils one", .direct, on: 1, program)
    #expect(program.driver.title.hasPrefix("(2) Qwinkle"))
  }
}
