import Foundation
import TerminalTesting
import Testing

@testable import QwinkleApp

@Suite(.bounded) struct HelperProgramTests {
  init() {
    // As in the program: a helper need not read its input.
    signal(SIGPIPE, SIG_IGN)
  }

  private func run(
    _ script: String, input: String = "", mostBytes: Int = 100, limits: HelperProgram.Limits = HelperProgram.Limits()
  ) async throws -> HelperProgram.Outcome {
    try await HelperProgram.run(
      ["/bin/sh", "-c", script], in: .background(input: Array(input.utf8)), mostBytes: mostBytes, limits: limits)
  }

  @Test func `a helper reads its input and returns its output and status`() async throws {
    let outcome = try await run("read line; printf '%s!' \"$line\"; exit 3", input: "word\n")
    #expect(outcome.status == 3 && outcome.output == Array("word!".utf8) && !outcome.isTooLong)
    #expect(try await run("kill -KILL $$").status == 128 + SIGKILL)
  }

  @Test func `a helper has no controlling terminal`() async throws {
    let outcome = try await run("if (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi")
    #expect(outcome.output == Array("none\n".utf8))
  }

  @Test func `a helper that prints too much is ended by SIGPIPE`() async throws {
    let outcome = try await run("exec yes", mostBytes: 1000)
    #expect(outcome.isTooLong && outcome.output.count == 1000 && outcome.status == 128 + SIGPIPE)
  }

  @Test func `output of exactly the limit is not too long`() async throws {
    let outcome = try await run("printf 12345", mostBytes: 5)
    #expect(outcome.output == Array("12345".utf8) && !outcome.isTooLong)
  }

  @Test func `a program over the time limit receives SIGTERM first`() async throws {
    let limits = HelperProgram.Limits(time: .seconds(1))
    let outcome = try await run("trap 'echo asked; exit 7' TERM; sleep 1000 & wait", limits: limits)
    #expect(outcome.isLate && outcome.status == 7 && outcome.output == Array("asked\n".utf8))
    #expect(try await !run("exit 0").isLate)
  }

  @Test func `a program may close its output before it reads its input`() async throws {
    let input = String(repeating: "x", count: 200_000)
    let outcome = try await run("exec >&-; test $(wc -c) = 200000", input: input)
    #expect(outcome.status == 0)
  }

  @Test func `a missing program is an error`() async {
    await #expect(throws: AppError.self) {
      try await HelperProgram.run(["/nowhere/at-all"], in: .background(input: []), mostBytes: 1)
    }
  }

  @Test func `cancelling ends a program and its children`() async throws {
    let folder = NSTemporaryDirectory() + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(mkfifo("\(folder)/started", 0o600) == 0)
    let task = Task { try await run("(echo yes > \(folder)/started; exec sleep 1000) & wait") }
    // Returns once the child has written.
    let started = try #require(FileHandle(forReadingAtPath: "\(folder)/started"))
    #expect(try started.readToEnd() == Data("yes\n".utf8))
    task.cancel()
    #expect(try await task.value.status == 128 + SIGTERM)
  }
}
