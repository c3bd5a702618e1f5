import PaneKit
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The behaviour of every pane with a list and a detail.
@MainActor
@Suite(.bounded) struct ListAndDetailTests {
  enum Kind: CaseIterable {
    case thread, chat
  }

  private func pane(_ kind: Kind, _ bench: Bench) -> ListAndDetailViewController {
    let account = bench.account
    switch kind {
    case .thread:
      return ListAndThreadViewController(
        list: TimelineViewController(name: .public, account: account), thread: ThreadViewController(account: account))
    case .chat:
      return MessagesViewController(list: ConversationsViewController(account: account), account: account) {
        ChatViewController(conversation: $0, account: account, drafts: nil)
      }
    }
  }

  /// The state of a pane with an open detail, as saved by version 1.
  private func saved(_ kind: Kind) -> RestorableState {
    switch kind {
    case .thread: ["thread": ScriptedTimeline.qwink(3).restorableText]
    case .chat: ["chat": Conversation(id: "bob", participants: [Talk.bob]).restorableText]
    }
  }

  private func state(of pane: ViewController) -> RestorableState {
    var state: RestorableState = [:]
    pane.encodeRestorableState(with: &state)
    return state
  }

  @Test(arguments: Kind.allCases, [80, 160])
  func `a saved detail is reopened, and closing it returns to the list`(kind: Kind, columns: Int) async throws {
    let bench = try Bench(columns: columns)
    let pane = pane(kind, bench)
    pane.decodeRestorableState(with: saved(kind))
    #expect(state(of: pane) == saved(kind))
    pane.didRestoreChildren()
    await bench.show(pane)
    #expect(pane.front === pane.detail && pane.hasDetail)
    #expect(pane.isSideBySide == (columns == 160))
    #expect(state(of: pane) == saved(kind))
    #expect(pane.closeDetail())
    #expect(pane.front === pane.main && !pane.closeDetail() && state(of: pane).isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `a malformed saved detail leaves the list in front`(kind: Kind) async throws {
    let bench = try Bench()
    let pane = pane(kind, bench)
    pane.decodeRestorableState(with: saved(kind).mapValues { String($0.dropLast()) })
    pane.didRestoreChildren()
    await bench.show(pane)
    #expect(pane.front === pane.main && state(of: pane).isEmpty)
  }
}
