import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal

/// A row of the server screen: facts about the server, or one of its rules.
public enum ServerRow: Hashable, Sendable, Identifiable {
  case about(ServerInfo)
  /// The number starts at 1. `:report` uses it to refer to the rule.
  case rule(number: Int, ServerRule)

  public var id: String {
    switch self {
    case .about: ""
    case .rule(_, let rule): rule.id.rawValue
    }
  }
}

extension ServerRow: PagedElement {}

@MainActor
public final class ServerViewController: FetchedListViewController<ServerRow> {
  public init(account: Account) {
    super.init(title: ManagedListWords.server, account: account)
  }

  override var hints: [Action] { [.back] }

  override var nothing: PlaceholderWords.Lines { PlaceholderWords.nothing("", PlaceholderWords.goesBack) }

  override func placeKey(of row: ServerRow) -> String? { row.id }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.serverInfo) { [weak account] result in
      if case .success(let info) = result { account?.identity.merge(info) }
      done(
        result.map { info in
          let rules = info.rules.enumerated().map { ServerRow.rule(number: $0.offset + 1, $0.element) }
          return Page(items: [.about(info)] + rules)
        })
    }
  }

  override func text(of item: ServerRow) -> RowText {
    switch item {
    case .about(let info):
      let name = TextRun(info.title, StyleRole.name)
      let domain = info.title == info.domain ? [] : [TextRun("  \(info.domain)", StyleRole.dim)]
      let summary = info.summary.split(whereSeparator: \.isNewline).map { [TextRun(String($0), StyleRole.text)] }
      let facts = info.facts.map { [TextRun($0, StyleRole.dim)] }
      return RowText(head: [name] + domain, body: summary + facts)
    case .rule(let number, let rule):
      let hint = rule.hint.isEmpty ? [] : [[TextRun(rule.hint, StyleRole.dim)]]
      return RowText(
        head: [TextRun(ManagedListWords.rule(number), .name)], body: [[TextRun(rule.text, .text)]] + hint)
    }
  }
}
