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

/// Actions on a qwink whose id changes when it is edited, as on snac.
@MainActor
@Suite(.bounded) struct ChangedIDTests {
  enum Action: CaseIterable {
    /// The qwink is deleted while the edit is being sent.
    case deletion
    /// As above, but the deletion can be undone for some seconds.
    case heldDeletion
    /// An action during the edit is undone after it.
    case undonePin, undoneFavourite
    /// A reply is in the outbox.
    case reply

    var request: String {
      switch self {
      case .deletion, .heldDeletion: "DELETE /api/v1/statuses/78"
      case .undonePin: "POST /api/v1/statuses/78/unpin"
      case .undoneFavourite: "POST /api/v1/statuses/78/unfavourite"
      case .reply: "POST /api/v1/statuses"
      }
    }
  }

  @Test(arguments: Action.allCases)
  func `an action on a qwink follows an edit that changes the id`(action: Action) async throws {
    let server = ScriptedTimeline([3])
    let gate = Gate()
    let mine = Qwink.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
    let edited = Qwink.sample(id: "78", text: "Mended", author: .sample("mara"), at: ScriptedTimeline.start)
    let requests = Mutex<[String]>([])
    server.add([mine])
    let screen = try await Screen.settled(server, columns: 120)
    server.answerFirst { request in
      let (method, path) = (request.head.method, request.head.path ?? "")
      guard method != .get, path.hasPrefix("/api/v1/statuses") else { return nil }
      let parent = String(decoding: request.body, as: UTF8.self).contains(#""in_reply_to_id":"78""#)
      requests.withLock { $0.append("\(method.rawValue) \(path)\(parent ? " to 78" : "")") }
      if method == .put {
        await gate.whenOpen()
        return .json(WireEncoder.qwink(edited))
      }
      if method == .delete { return .json(Array("{}".utf8)) }
      return path == "/api/v1/statuses" ? nil : .json(WireEncoder.qwink(path.contains("/77") ? mine : edited))
    }
    screen.account.posts.edit("77", Entry(text: "Mended", idempotencyKey: "k"))
    try await screen.wait(for: "the edit") { requests.withLock { $0.last == "PUT /api/v1/statuses/77" } }
    switch action {
    case .deletion, .heldDeletion:
      screen.account.pendingActions.seconds = action == .heldDeletion ? 10 : 0
      screen.account.holdDeletion(of: mine)
    case .reply:
      let reply = Entry(text: "Too", inReplyTo: "77", idempotencyKey: "r")
      var item = OutboxItem(OutgoingEntry(purpose: "reply/77", entry: reply, sent: reply))
      item.isHeld = true
      screen.account.outbox.send(item)
    case .undonePin: screen.account.pin(mine, isOn: true) {}
    case .undoneFavourite: screen.account.reactions.react(to: mine, with: .favourite, isOn: true)
    }
    if action == .undonePin || action == .undoneFavourite {
      // The request contains the old id.
      try await screen.wait(for: "the action") {
        if case .pending? = screen.account.undoHistory.last { return false }
        return requests.withLock { $0.last?.hasPrefix("POST /api/v1/statuses/77/") ?? false }
      }
    }
    await screen.turn()
    gate.open()
    await screen.settle()
    switch action {
    case .deletion: break
    case .heldDeletion: await screen.pass(.seconds(11))
    case .undonePin, .undoneFavourite: await screen.press("u")
    case .reply: for item in screen.account.outbox.items { screen.account.outbox.release(item.id) }
    }
    await screen.settle()
    let last = requests.withLock { $0.last }
    #expect(last == action.request + (action == .reply ? " to 78" : ""))
    if action == .deletion || action == .heldDeletion { #expect(!screen.text.contains("Mended")) }
  }
}
