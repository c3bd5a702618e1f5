import Foundation
import TerminalTesting
import Testing

@testable import QwinkleApp

@Suite(.bounded) struct HelperProgramTests {
  init() {
    // As the program does: a program need not read what it is given.
    signal(SIGPIPE, SIG_IGN)
  }

  private func run(
    _ script: String, input: String = "", mostBytes: Int = 100, limits: HelperProgram.Limits = HelperProgram.Limits()
  ) async throws -> HelperProgram.Outcome {
    try await HelperProgram.run(
      ["/bin/sh", "-c", script], in: .background(input: Array(input.utf8)), mostBytes: mostBytes, limits: limits)
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

  @Test func `output of just the limit is not too long`() async throws {
    let outcome = try await run("printf 12345", mostBytes: 5)
    #expect(outcome.output == Array("12345".utf8) && !outcome.isTooLong)
  }

  @Test func `a program that takes too long is asked to end before it is killed`() async throws {
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
