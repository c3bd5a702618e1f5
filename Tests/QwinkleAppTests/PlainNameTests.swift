import Foundation
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Names in the output of commands.
@Suite(.bounded) struct PlainNameTests {
  enum Output: String, CaseIterable, Sendable {
    case qwink, boost, ancestor, reply, notification, conversation, message, qwinker, profile
  }

  private static let handle = "@mallory@evil.example"
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private func mallory(_ name: String) -> Qwinker {
    var qwinker = Qwinker.sample("mallory", displayName: name)
    qwinker.handle = String(Self.handle.dropFirst())
    return qwinker
  }

  @Test(arguments: Output.allCases, [40, 60, 80, 120, 200])
  func `a handle is not truncated if the name imitates a handle`(output: Output, columns: Int) {
    // The limit that standard output applies.
    let columns = min(columns, 100)
    for name in ["Anna @anna@bank.example" + String(repeating: " .", count: 120), "\u{FF20}anna"] {
      let plain = text(output, by: mallory(name), PlainStyle(now: Self.now, zone: .gmt, columns: columns))
      let rows = WrappedText.wrapped(plain, columns: columns).split(separator: "\n")
      let first = rows.firstIndex { $0.contains(Self.handle) }
      #expect(first.map { $0 <= (output == .reply ? 4 : 1) } == true, "\(rows)")
    }
  }

  @Test(arguments: [Output.qwink, .reply, .notification, .conversation, .qwinker, .profile])
  func `output to a pipe contains the whole name`(output: Output) {
    let name = String(repeating: "Anna Berg ", count: 30) + "x"
    let plain = text(output, by: mallory(name), PlainStyle(now: Self.now, zone: .gmt))
    #expect(plain.contains("\(name)  \(Self.handle)"), "\(plain)")
  }

  private func text(_ output: Output, by qwinker: Qwinker, _ style: PlainStyle) -> String {
    let qwink = Qwink.sample(author: qwinker, at: Self.now)
    let bob = Qwink.sample(id: "2", author: .sample("bob", displayName: "Bob"), at: Self.now)
    let conversation = Conversation(id: "c", participants: [qwinker], lastQwink: qwink)
    switch output {
    case .qwink: return PlainQwink.text(qwink, in: .home, style)
    case .boost:
      var boosted = bob
      boosted.booster = qwinker
      return PlainQwink.text(boosted, in: .home, style)
    case .ancestor:
      return PlainThread.text(of: bob, in: QwinkThread(ancestors: [qwink], descendants: []), style)
    case .reply:
      var reply = qwink
      reply.inReplyTo = bob.id
      return PlainThread.text(of: bob, in: QwinkThread(ancestors: [], descendants: [reply]), style)
    case .notification:
      let mention = AccountNotification(
        id: "n", kind: .mention, createdAt: Self.now, qwinker: qwinker, qwink: qwink)
      return PlainNotification.text(mention, me: nil, style)
    case .conversation: return PlainConversation.text(conversation, me: nil, style)
    case .message: return PlainConversation.message(qwink, of: conversation, me: nil, style)
    case .qwinker: return PlainQwinker.text(qwinker, style)
    case .profile: return PlainQwinker.profile(qwinker, nil, style)
    }
  }
}
