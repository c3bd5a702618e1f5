import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Commands print plain text for hostile responses, whether to a pipe, a file or a terminal.
@Suite(.bounded) struct PlainFuzzTests {
  /// Generates hostile texts and responses that contain them.
  private final class Maker {
    private var text: HostileText
    lazy var answers = FilledAnswers { [unowned self] in text.json() }

    init(seed: UInt64) {
      text = HostileText(seed: seed)
    }

    var count: Int { text.count }
  }

  private func expectPlain(
    _ text: some Collection<UInt8>, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let violations = TerminalBytes.violations(inPlainText: Array(text))
    #expect(violations.isEmpty, "\(comment): \(violations.prefix(5))", sourceLocation: sourceLocation)
  }

  @Test(arguments: [Soak.seed])
  func `hostile text is plain even before the output filter`(seed: UInt64) throws {
    let maker = Maker(seed: seed)
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    let style = PlainStyle(now: now, zone: .gmt, reveals: true)
    for _ in 0..<Soak.runs(6, times: 100) {
      let qwinks = try WireDecoder.qwinks(from: maker.answers.statuses(20), link: nil).items
      #expect(qwinks.count == 20)
      for qwink in qwinks { expectPlain(PlainQwink.text(qwink, in: .home, style).utf8) }
      expectPlain(WireEncoder.qwinks(qwinks))
      let thread = try WireDecoder.thread(from: maker.answers.context())
      expectPlain(PlainThread.text(of: qwinks[0], in: thread, style).utf8)
      expectPlain(WireEncoder.thread(thread))
      let notifications = try WireDecoder.notifications(from: maker.answers.notifications(20), link: nil).items
      for notification in notifications { expectPlain(PlainNotification.text(notification, me: nil, style).utf8) }
      expectPlain(WireEncoder.notifications(notifications))
      let conversations = try WireDecoder.conversations(from: maker.answers.conversations(20), link: nil).items
      for conversation in conversations {
        expectPlain(PlainConversation.text(conversation, me: nil, style).utf8)
      }
      expectPlain(WireEncoder.conversations(conversations))
      let qwinkers = try WireDecoder.qwinkers(from: maker.answers.accounts(20), link: nil).items
      for qwinker in qwinkers {
        expectPlain(PlainQwinker.text(qwinker, style).utf8)
        expectPlain(PlainQwinker.profile(qwinker, nil, style).utf8)
      }
      expectPlain(WireEncoder.qwinkers(qwinkers))
      expectPlain((WireDecoder.errorMessage(from: maker.answers.error()) ?? "").utf8)
    }
    print("hostile texts printed: \(maker.count) fed")
  }

  private static let commands = [
    ["timeline", "public"], ["timeline", "home"], ["timeline", "#tag"], ["timeline", "@somebody"], ["messages"],
    ["notifications"], ["search", "frost"], ["thread", "999"], ["post", "hello"], ["reply", "999", "hello"],
    ["boost", "999"], ["follow", "@somebody"], ["profile", "@somebody"], ["history", "999"],
    ["followers", "@somebody"],
    ["whoami"], ["edit", "999", "hello"], ["open", "999", "--print"],
  ]

  @Test(arguments: commands, [Soak.seed])
  func `every command prints only plain text even if it fails`(command: [String], seed: UInt64) async throws {
    let maker = Mutex(Maker(seed: command.joined().utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }))
    let script: @Sendable (ScriptedServer.Request) -> Script = { request in
      maker.withLock { maker in
        let path = String(request.path.prefix { $0 != "?" })
        return maker.answers.answer(to: path).map { .json($0) } ?? .json(maker.answers.error(), status: 404)
      }
    }
    let failing: @Sendable (ScriptedServer.Request) -> Script = { _ in
      maker.withLock { .json($0.answers.error(), status: 422, fields: [("Retry-After", "\u{9B}31m")]) }
    }
    for answer in [script, failing] {
      try await withServer(answer) { server in
        try await Program.inNewHome { program in
          let signedIn = program.with(["QWINKLE_TOKEN_COMMAND": "echo token"])
          for options in [[], ["--json"]] {
            let outcome = try await signedIn.run(command + ["--server", server.url] + options)
            expectPlain(outcome.output, "\(command + options)")
            expectPlain(outcome.errors.utf8, "\(command + options)")
            #expect(outcome.status == 0 || outcome.errorLines.count == 1, "\(outcome.errors)")
          }
          for file in program.files() where file.path.hasSuffix("/log") { expectPlain(file.bytes, "the log") }
        }
      }
    }
  }
}
