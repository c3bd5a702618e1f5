import Foundation
import QwinkleModel
import QwinkleScreens
import QwinkleService
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Direct messages and mentions call, if the reader has asked for that.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct AttentionTests {
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

  @Test func `nothing calls before somebody asks for it`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls.isEmpty)
  }

  @Test func `a message and a mention ring once each, a favourite and a post never`() async throws {
    let program = try await settled("attention bell")
    defer { program.close() }
    #expect(program.driver.text.contains("Messages and mentions ring the bell"))
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
        "@other sent you a message", "@other mentioned you (nils@second.example)",
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
    #expect(program.driver.attentionCalls == ["3 new messages and mentions"])
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
    program.driver.type(":set quiet \(hour)-\((hour + 2) % 24)")
    await program.press("Enter")
    #expect(program.driver.text.contains("Quiet from \(hour):00"))
    try await other("@mara one", .direct, on: 0, program)
    #expect(program.driver.attentionCalls.isEmpty)
    let kept = try String(contentsOfFile: "\(program.servers.paths.state)/settings", encoding: .utf8)
    #expect(kept.contains("quiet \(hour)-\((hour + 2) % 24)") && kept.contains("attention bell"))
    await program.pass(.seconds(2 * 3600))
    #expect(program.driver.attentionCalls.isEmpty)
    try await other("@mara two", .direct, on: 0, program)
    #expect(program.driver.attentionCalls == ["bell"])
    program.driver.type(":set quiet 25-7")
    await program.press("Enter")
    #expect(program.driver.text.contains("quiet needs a value: off or 22-7."))
  }

  @Test func `the window's title counts what is unread in all accounts`() async throws {
    let program = try await settled()
    defer { program.close() }
    try await other("@mara one", .direct, on: 0, program)
    try await other("@nils one", .direct, on: 1, program)
    #expect(program.driver.title.hasPrefix("(2) Qwinkle"))
  }
}
