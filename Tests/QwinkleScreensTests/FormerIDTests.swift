import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Pending actions on a qwink that got a new id through an edit, or that was deleted.
@MainActor
@Suite(.bounded) struct FormerIDTests {
  /// An action created before the edit and sent after it.
  enum Written: CaseIterable {
    case edit, reply, heldReply, thread, deletion, favourite
    /// A draft that is opened after the edit.
    case savedReply

    /// The expected last request.
    var request: String {
      switch self {
      case .edit: "PUT /api/v1/statuses/78"
      case .deletion: "DELETE /api/v1/statuses/78"
      case .favourite: "POST /api/v1/statuses/78/favourite"
      case .reply, .heldReply, .savedReply, .thread: "POST /api/v1/statuses to 78"
      }
    }
  }

  /// Either this program or another one makes the edit that changes the id.
  @Test(arguments: Written.allCases, [true, false])
  func `an action created before an edit is sent with the new id`(written: Written, isEditHere: Bool) async throws {
    let server = ScriptedTimeline([3])
    let mine = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    let edited = Qwink.sample(id: "78", text: "Mended", author: .sample("mara"), at: ScriptedTimeline.start)
    let requests = Mutex<[String]>([])
    server.add([mine])
    let screen = try await Screen.settled(server, columns: 120)
    server.answerFirst { request in
      let (method, path) = (request.head.method, request.head.path ?? "")
      if method == .get, path == "/api/v1/statuses/78" { return .json(WireEncoder.qwink(edited)) }
      guard method != .get, path.hasPrefix("/api/v1/statuses") else { return nil }
      let parent = String(decoding: request.body, as: UTF8.self).contains(#""in_reply_to_id":"78""#)
      requests.withLock { $0.append("\(method.rawValue) \(path)\(parent ? " to 78" : "")") }
      if method == .delete { return .json(Array("{}".utf8)) }
      return path == "/api/v1/statuses" ? nil : .json(WireEncoder.qwink(edited))
    }
    let account = screen.account
    let entry = Entry(text: "Later", inReplyTo: written == .edit ? nil : "77", idempotencyKey: "r")
    let reply = OutgoingEntry(purpose: "reply/77", entry: entry)
    account.pendingActions.seconds = 10
    switch written {
    case .heldReply: account.posts.hold(reply, as: entry)
    case .thread:
      let second = Entry(text: "Even later", idempotencyKey: "r2")
      account.posts.hold(reply, as: entry, parts: [entry, second])
    case .savedReply: screen.drafts.save(entry, for: .reply(to: mine))
    case .edit, .reply, .deletion, .favourite: break
    }
    await screen.turn()
    if isEditHere {
      account.posts.edit("77", Entry(text: "Mended", idempotencyKey: "k"))
      try await screen.wait(for: "the edit") { account.timelines.currentID(of: "77") == "78" }
    } else {
      account.timelines.mergeEdit(edited, insteadOf: "77")
    }
    switch written {
    case .edit: account.posts.edit("77", Entry(text: "Later", idempotencyKey: "l"))
    case .reply: account.posts.send(reply, as: entry)
    case .heldReply, .thread: account.pendingActions.performAll()
    case .deletion: account.posts.delete(mine)
    case .favourite: account.reactions.react(to: mine, with: .favourite, isOn: true)
    case .savedReply:
      await screen.press("g", "d")
      await screen.press("Enter")
      account.pendingActions.seconds = 0
      await screen.press("^D")
    }
    await screen.settle()
    let sent = requests.withLock { $0 }
    let isThread = written == .thread
    #expect(sent.dropLast(isThread ? 1 : 0).last == written.request, "\(sent)\n\(screen.text)")
  }

  @Test(arguments: [false, true])
  func `a deletion overtakes an edit that keeps failing, which becomes a draft`(isInProgress: Bool) async throws {
    let server = ScriptedTimeline([3])
    let gate = Gate()
    if !isInProgress { gate.open() }
    let mine = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    let requests = Mutex<[HTTPRequest.Method]>([])
    server.add([mine])
    let screen = try await Screen.settled(server, columns: 120)
    server.answerFirst { request in
      let method = request.head.method
      guard method != .get, request.head.path?.hasPrefix("/api/v1/statuses/77") == true else { return nil }
      requests.withLock { $0.append(method) }
      if method == .delete { return .json(Array("{}".utf8)) }
      await gate.whenOpen()
      return .text("", status: 500)
    }
    screen.account.posts.edit("77", Entry(text: "Mended", idempotencyKey: "k"))
    if isInProgress {
      try await screen.wait(for: "the edit") { requests.withLock { $0 == [.put] } }
    } else {
      await screen.settle()
    }
    screen.account.posts.delete(mine)
    if isInProgress {
      await screen.turn()
      #expect(requests.withLock { $0 } == [.put])
      gate.open()
    }
    await screen.settle()
    #expect(requests.withLock { $0 } == [.put, .delete])
    #expect(screen.account.outbox.items.isEmpty)
    #expect(screen.drafts.all.map(\.entry.text) == ["Mended"])
    await screen.pass(.seconds(600))
    #expect(requests.withLock { $0.count } == 2)
  }
}
