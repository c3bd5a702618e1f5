import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

/// Commands that send a text, with failures of all kinds. The text is saved or posted once, and the exit status and the
/// message report which.
@MainActor
@Suite(.bounded) struct CommandFailureTests {
  /// A command and its effect if nothing fails.
  struct Command: Sendable {
    let arguments: [String]
    let done: String
    let written: WritingServer.Written
    var canQueue = true
  }

  nonisolated static let commands = [
    Command(arguments: ["post", "Words"], done: "Posted", written: .init("Words")),
    Command(
      arguments: ["post", "Words", "--visibility", "unlisted"], done: "Posted",
      written: .init("Words", visibility: "unlisted")),
    Command(
      arguments: ["post", "Words", "--at", "2h"], done: "Scheduled", written: .init("Words", kind: .scheduled),
      canQueue: false),
    Command(arguments: ["reply", "3", "Words"], done: "Posted", written: .init("@bob Words", inReplyTo: "3")),
    Command(
      arguments: ["message", "@bob", "Words"], done: "Sent", written: .init("@bob Words", visibility: "direct")),
    Command(
      arguments: ["message", "https://writing.example/@bob", "Words"], done: "Sent",
      written: .init("@bob Words", visibility: "direct")),
    Command(
      arguments: ["edit", "5", "Words"], done: "Edited", written: .init("Words", kind: .edit, visibility: nil)),
  ]

  /// A failure while a command runs.
  struct Fault: Sendable {
    var failure: WritingServer.Failure?
    var onlyWrites = false
    var outputError: Int32?
    var isDiskFull = false
    var hasNoToken = false
  }

  nonisolated private static let faults: [Fault] =
    [
      Fault(), Fault(isDiskFull: true), Fault(hasNoToken: true), Fault(outputError: ENOSPC), Fault(outputError: EBADF),
      Fault(outputError: EPIPE), Fault(failure: .resetBefore, onlyWrites: true),
      Fault(failure: .resetAfter, onlyWrites: true),
    ]
    + [WritingServer.Failure.down, .refused, .unauthorized, .limited, .broken].flatMap { failure in
      [false, true].map { Fault(failure: failure, onlyWrites: $0) }
    }

  struct Example: Sendable, CustomTestStringConvertible {
    let command: Command
    let fault: Fault
    let isQueued: Bool

    var testDescription: String {
      let failure = fault.failure.map { fault.onlyWrites ? "\($0) for writes" : "\($0)" }
      let output = fault.outputError.map { "output error \($0)" }
      let words = [failure, output, fault.isDiskFull ? "disk full" : nil, fault.hasNoToken ? "no token" : nil]
        .compactMap(\.self)
      return "\((command.arguments + (isQueued ? ["--queue"] : [])).joined(separator: " ")): "
        + (words.isEmpty ? "nothing fails" : words.joined(separator: ", "))
    }
  }

  nonisolated static let examples: [Example] = commands.flatMap { command in
    faults.flatMap { fault in
      (command.canQueue ? [false, true] : [false]).map { Example(command: command, fault: fault, isQueued: $0) }
    }
  }

  @Test(arguments: examples)
  func `a text is saved or posted once and the exit status and message report which`(example: Example) async throws {
    let harness = CommandHarness()
    let (command, fault) = (example.command, example.fault)
    harness.server.fail(fault.failure, onlyWrites: fault.onlyWrites)
    if fault.hasNoToken { harness.tokenFailure = "The token command failed with status 1." }
    let arguments = command.arguments + (example.isQueued ? ["--queue"] : [])
    let outcome = try await run(arguments, on: harness, fault)
    if example.isQueued {
      try expectQueued(outcome, fault, of: command, on: harness)
    } else if fault.failure == nil, !fault.hasNoToken {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(harness.server.written == [command.written])
      #expect(try harness.drafts().isEmpty && harness.items().isEmpty)
      expectDone(command.done, outcome, fault)
    } else {
      try expectDraft(outcome, fault, of: command, on: harness)
      // Running the same command again completes it.
      harness.server.fail(nil)
      harness.tokenFailure = nil
      let second = try await harness.run(command.arguments)
      #expect(second.status == 0, "\(second.errors)")
      #expect(harness.server.written == [command.written])
      #expect(try harness.drafts().isEmpty && harness.items().isEmpty)
    }
  }

  private func run(
    _ arguments: [String], on harness: CommandHarness, _ fault: Fault
  ) async throws -> CommandHarness.Outcome {
    guard fault.isDiskFull else { return try await harness.run(arguments, outputError: fault.outputError) }
    var outcome: CommandHarness.Outcome?
    try await DiskFaults.full(after: 0, in: harness.home) { outcome = try await harness.run(arguments) }
    return try #require(outcome)
  }

  private func expectDone(
    _ done: String, _ outcome: CommandHarness.Outcome, _ fault: Fault, reason: String? = nil
  ) {
    if fault.outputError == nil {
      #expect(outcome.output.hasPrefix("\(done):"), "\(outcome)")
      #expect(reason.map { outcome.errors.contains($0) } ?? outcome.errors.isEmpty, "\(outcome)")
    } else {
      #expect(outcome.errors.contains("\(done), but cannot write the output: "), "\(outcome)")
    }
  }

  private func expectQueued(
    _ outcome: CommandHarness.Outcome, _ fault: Fault, of command: Command, on harness: CommandHarness
  ) throws {
    #expect(harness.server.written.isEmpty)
    if fault.isDiskFull {
      #expect(outcome.status == 1 && outcome.errors.contains("Not queued."), "\(outcome)")
      return
    }
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try harness.drafts().isEmpty)
    let items = try harness.items()
    #expect(items.count == 1 && items.first?.entry?.entry.text.contains("Words") == true, "\(items)")
    expectDone("Queued", outcome, fault, reason: reasonToSignIn(fault, of: command))
  }

  /// Returns the message about the sign-in that a queued text needs, if the command can know.
  private func reasonToSignIn(_ fault: Fault, of command: Command) -> String? {
    if fault.hasNoToken { return "The token command failed with status 1." }
    // With `--visibility`, the command makes no request before the post.
    guard fault.failure == .unauthorized, !fault.onlyWrites, !command.arguments.contains("--visibility") else {
      return nil
    }
    return "writing.example no longer accepts your sign-in. Sign in again: "
  }

  private func expectDraft(
    _ outcome: CommandHarness.Outcome, _ fault: Fault, of command: Command, on harness: CommandHarness
  ) throws {
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("The text is a draft: in qwinkle, "), "\(outcome.errors)")
    let mayHaveArrived =
      switch fault.failure {
      case .resetBefore, .resetAfter: true
      // With `--visibility`, the command makes no request before the post.
      case .broken: fault.onlyWrites || command.arguments.contains("--visibility")
      default: false
      }
    #expect(outcome.errors.contains(mayHaveArrived ? "It may " : "Not "), "\(outcome.errors)")
    #expect(harness.server.written.count == (fault.failure == .resetAfter ? 1 : 0))
    let drafts = try harness.drafts()
    #expect(drafts.count == 1 && drafts.first?.entry.text.contains("Words") == true, "\(drafts)")
    if command.arguments.first == "message" {
      #expect(drafts.first?.entry.text.contains("@bob") == true, "\(drafts)")
    }
    #expect(try harness.items().isEmpty)
  }

  @Test(arguments: commands)
  func `a command reports a lost text if the disk is full and the server unreachable`(command: Command) async throws {
    let harness = CommandHarness()
    harness.server.fail(.refused)
    let outcome = try await run(command.arguments, on: harness, Fault(isDiskFull: true))
    #expect(outcome.status == 1 && outcome.errors.contains("could not be saved as a draft"), "\(outcome)")
  }

  @Test(arguments: commands.filter(\.canQueue), [WritingServer.Failure.down, .unauthorized])
  func `a text queued without a network or sign-in is sent complete and once`(
    command: Command, failure: WritingServer.Failure
  ) async throws {
    let harness = CommandHarness()
    harness.server.fail(failure)
    let outcome = try await harness.run(command.arguments + ["--queue"])
    #expect(outcome.status == 0, "\(outcome)")
    harness.server.fail(nil)
    await harness.sendOutbox()
    #expect(harness.server.written == [command.written])
    #expect(try harness.items().isEmpty && harness.drafts().isEmpty)
  }

  @Test(arguments: [["post"], ["reply", "3"]])
  func `a thread queued without a network is split and sent in order`(command: [String]) async throws {
    let harness = CommandHarness()
    harness.server.fail(.down)
    let text = (1...60).map { "This is sentence number \($0)." }.joined(separator: " ")
    let outcome = try await harness.run(command + [text, "--thread", "--queue"])
    #expect(outcome.status == 0, "\(outcome)")
    // The number of parts depends on the mentions, which only the server knows.
    #expect(try harness.items().count == 1)
    harness.server.fail(nil)
    await harness.sendOutbox()
    let written = harness.server.written
    let isReply = command.first == "reply"
    let whole = written.map(\.text).joined(separator: " ")
    #expect(written.count > 1 && whole == (isReply ? "@bob \(text)" : text), "\(written)")
    #expect(written.allSatisfy { $0.visibility == "public" && $0.text.count <= 500 })
    #expect(written.dropFirst().allSatisfy { $0.inReplyTo != nil && $0.inReplyTo != "3" })
    #expect(written.first?.inReplyTo == (isReply ? "3" : nil))
    #expect(try harness.items().isEmpty)
  }

  @Test func `a text that may have been posted is not reported as unposted if the check fails`() async throws {
    let host = "writing.example"
    let transport = ScriptedTransport { request in
      let path = String(request.url.prefix { $0 != "?" })
      if path.hasSuffix("/api/v1/statuses") { throw TransportError.interrupted(host: host) }
      guard path.hasSuffix("/accounts/verify_credentials") else { throw TransportError.refused(host: host) }
      return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
    }
    let harness = CommandHarness(transport: { transport })
    _ = try await harness.run(["post", "Words", "--visibility", "public"])
    let outcome = try await harness.run(["post", "Words", "--visibility", "public"])
    #expect(outcome.status == 1 && outcome.errors.contains(EntryProblem.unchecked), "\(outcome)")
    #expect(!outcome.errors.contains("Not posted"), "\(outcome)")
    #expect(transport.requests.count { $0.url.hasSuffix("/api/v1/statuses") } == 1)
  }

  @Test func `a direct text without mentions is saved as a draft`() async throws {
    let harness = CommandHarness()
    for _ in 1...2 {
      let outcome = try await harness.run(["post", "Words", "--visibility", "direct"])
      #expect(outcome.status == 2 && outcome.errors.contains(EntryProblem.namesNobody.sentence), "\(outcome)")
    }
    #expect(try harness.drafts().map(\.entry.text) == ["Words"])
    #expect(harness.server.written.isEmpty)
  }

  @Test(arguments: commands)
  func `a text is sent only from the account that has its draft`(command: Command) async throws {
    let harness = CommandHarness()
    harness.sessionFolder = "ben@writing.example"
    let outcome = try await harness.run(command.arguments)
    #expect(outcome.status == 1 && outcome.errors.contains("The text is a draft: in qwinkle, "), "\(outcome)")
    #expect(harness.server.written.isEmpty)
    #expect(try harness.drafts().count == 1)
  }

  @Test func `a scheduled time in the past is an error and the text becomes a draft`() async throws {
    let harness = CommandHarness()
    // Arguments are checked against the system's clock, as in the program.
    let time = max(Date(), harness.clock.now).addingTimeInterval(3600)
    harness.clock.advance(by: .seconds(time.timeIntervalSince(harness.clock.now) + 60))
    let outcome = try await harness.run(["post", "Words", "--at", time.ISO8601Format()])
    #expect(outcome.status == 2 && outcome.errors.contains("--at must be in the future."), "\(outcome)")
    #expect(outcome.errors.contains("The text is a draft: in qwinkle, :drafts opens it."), "\(outcome)")
    #expect(harness.server.written.isEmpty)
    #expect(try harness.drafts().count == 1)
  }

  // MARK: Files

  @Test(arguments: FileChange.allCases)
  func `a file that changes during its upload is an error and nothing is posted`(change: FileChange) async throws {
    let folder = UploadFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try folder.write("quay.png", mark: "quay", size: 500_000)
    let server = WritingServer { Date(timeIntervalSince1970: 0) }
    let harness = CommandHarness(transport: {
      ScriptedTransport(sendsFiles: true) { request in
        guard let body = request.file else { return try await server.transport.send(request) }
        do {
          var reader = FileBody.Reader(body)
          // Read the bytes before the file, and a part of it.
          for _ in 0..<2 { _ = try reader.next(most: 1000) }
          try change.apply(to: path)
          while try !reader.next(most: 1000).isEmpty {}
        } catch let fault as DiskFile.Fault {
          throw TransportError(fault)
        }
        return .json(Array(#"{"id":"1","type":"image"}"#.utf8))
      }
    })
    let outcome = try await harness.run(["post", "Words", "--attach", path])
    #expect(outcome.status == 1 && outcome.errors.contains("Not posted: quay.png could not be uploaded."), "\(outcome)")
    #expect(outcome.errors.contains("before it was uploaded."), "\(outcome)")
    #expect(server.written.isEmpty)
    #expect(try harness.drafts().count == 1)
  }

  // MARK: Retrying

  struct Outage: Sendable {
    let failure: WritingServer.Failure
    let times: Int
    var onlyWrites = true
  }

  nonisolated static let outages = [
    Outage(failure: .resetBefore, times: 2), Outage(failure: .resetAfter, times: 1), Outage(failure: .broken, times: 2),
    Outage(failure: .limited, times: 2), Outage(failure: .refused, times: 3, onlyWrites: false),
  ]

  @Test(arguments: commands.filter(\.canQueue), outages)
  func `a command with --retry checks and sends again until it is certain`(
    command: Command, outage: Outage
  ) async throws {
    let harness = CommandHarness()
    harness.server.fail(outage.failure, onlyWrites: outage.onlyWrites, times: outage.times)
    let outcome = try await harness.runWithTime(command.arguments + ["--retry", "60"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("\(command.done):"), "\(outcome)")
    #expect(harness.server.written == [command.written])
    #expect(Set(harness.server.keys).count <= 1, "each attempt has the same key")
    #expect(try harness.drafts().isEmpty)
  }

  @Test(arguments: commands.filter(\.canQueue))
  func `a command with --retry saves a draft when the time is over`(command: Command) async throws {
    let harness = CommandHarness()
    harness.server.fail(.refused)
    let outcome = try await harness.runWithTime(command.arguments + ["--retry", "10"])
    #expect(outcome.status == 1 && outcome.errors.contains("The text is a draft"), "\(outcome)")
    #expect(harness.server.requestCount > 2 && harness.clock.uptime >= .seconds(10))
    #expect(try harness.drafts().count == 1)
  }

  @Test func `a rejected token ends a command with --retry at once`() async throws {
    let harness = CommandHarness()
    harness.server.fail(.unauthorized)
    let outcome = try await harness.runWithTime(["post", "Words", "--retry", "60"])
    #expect(outcome.status == 1 && harness.server.requestCount == 1 && harness.clock.uptime == .zero, "\(outcome)")
    #expect(try harness.drafts().count == 1)
  }

  // MARK: Other changes

  @Test(arguments: [["boost", "3"], ["favourite", "3"], ["bookmark", "3", "--undo"], ["delete", "5"]])
  func `a change succeeds even if its result cannot be printed`(arguments: [String]) async throws {
    let harness = CommandHarness()
    let outcome = try await harness.run(arguments, outputError: ENOSPC)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("Done, but cannot write the output: No space left on device."), "\(outcome)")
  }

  // MARK: The program itself

  @Test func `drafts and outbox are listed even if the token command fails`() async throws {
    try await Program.inNewHome { program in
      let account = SavedAccount(
        name: "mara@writing.example", serverURL: WritingServer.url, tokenOrigin: .command("exit 1"))
      _ = try AccountsFile(directory: "\(program.home)/.local/share/qwinkle").change { $0.put(account) }
      let failed = try await program.run("post", "Words")
      #expect(failed.status == 1 && failed.errors.contains("The text is a draft"), "\(failed.errors)")
      let drafts = try await program.run("drafts")
      #expect(drafts.status == 0 && drafts.text.contains("Words"), "\(drafts.errors)")
      #expect(try await program.run("outbox").status == 0)
    }
  }

  @Test(.enabled(if: Soak.isOn), arguments: commands)
  func `the program saves a text without a server and survives output errors`(command: Command) async throws {
    let port = try #require(DeafPort())
    try await Program.inNewHome { program in
      try program.write("token\n".utf8, to: "token")
      let program = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/token"])
      let server = ["--server", "http://\(port.host)"]
      let failed = try await program.run(command.arguments + server)
      #expect(failed.status == 1 && failed.errors.contains("The text is a draft"), "\(failed.errors)")
      let path = try #require(program.files().map(\.path).first { $0.hasSuffix("outgoing.sqlite") })
      let folder = "\(program.home)/\(path.dropLast("/outgoing.sqlite".count))"
      #expect(try OutgoingStore.saved(in: folder).count == 1)
      guard command.canQueue else { return }
      // The draft becomes a queued item.
      for output in ["/dev/full", "&-"] {
        let script = #""$0" "$@" --queue >"# + output
        let queued = try await ChildProcess.run(
          ["/bin/sh", "-c", script, Program.path] + command.arguments + server, environment: program.environment,
          directory: program.home)
        #expect(queued.status == 0 && queued.errors.contains("Queued, but cannot write the output"), "\(queued.errors)")
      }
      #expect(try OutgoingStore.saved(in: folder).isEmpty)
      #expect(try OutgoingStore.items(in: folder).count == 2)
    }
  }
}
