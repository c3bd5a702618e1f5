import Foundation
import TerminalTesting
import Testing

@testable import QwinkleApp

@Suite(.bounded) struct HelperProgramTests {
  private func run(_ script: String, input: String = "", mostBytes: Int = 100) async throws -> HelperProgram.Outcome {
    try await HelperProgram.run(
      ["/bin/sh", "-c", script], in: .background(input: Array(input.utf8)), mostBytes: mostBytes)
  }

  @Test func `it gets its input, and what it prints comes with its status`() async throws {
    let outcome = try await run("read line; printf '%s!' \"$line\"; exit 3", input: "word\n")
    #expect(outcome.status == 3 && outcome.output == Array("word!".utf8) && !outcome.isTooLong)
    #expect(try await run("kill -KILL $$").status == 128 + SIGKILL)
  }

  @Test func `it has no terminal to ask on`() async throws {
    let outcome = try await run("if (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi")
    #expect(outcome.output == Array("none\n".utf8))
  }

  @Test func `it does not ignore SIGPIPE, and is ended where it prints too much`() async throws {
    let outcome = try await run("exec yes", mostBytes: 1000)
    #expect(outcome.isTooLong && outcome.output.count == 1000 && outcome.status == 128 + SIGPIPE)
  }

  @Test func `what does not exist is an error`() async {
    await #expect(throws: AppError.self) {
      try await HelperProgram.run(["/nowhere/at-all"], in: .background(input: []), mostBytes: 1)
    }
  }

  @Test func `a cancelled one ends, with what it has started`() async throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(mkfifo("\(folder)/started", 0o600) == 0)
    let task = Task { try await run("(echo yes > \(folder)/started; exec sleep 1000) & wait") }
    // Returns once it has written.
    let started = try #require(FileHandle(forReadingAtPath: "\(folder)/started"))
    #expect(try started.readToEnd() == Data("yes\n".utf8))
    task.cancel()
    #expect(try await task.value.status == 128 + SIGTERM)
  }
}
