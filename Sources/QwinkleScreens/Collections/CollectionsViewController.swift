import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

extension QwinkerCollection: PagedElement {}

/// The collections that an account made, or that feature it. Enter lists the accounts of a collection, where the user
/// can follow them.
@MainActor
public final class CollectionsViewController: FetchedListViewController<QwinkerCollection> {
  private static let pageSize = 40

  private let name: CollectionListName
  private let qwinker: Qwinker
  /// Sensitive collections whose descriptions the reader has revealed.
  private var revealed: Set<QwinkerCollection.ID> = []

  public init(_ name: CollectionListName, of qwinker: Qwinker, account: Account) {
    self.name = name
    self.qwinker = qwinker
    super.init(title: CollectionWords.title(of: name, qwinker), account: account)
    view.keyContext = .qwink
    on(.reveal, when: { [weak self] in self?.selectedRow?.isSensitive ?? false }) { [weak self] in
      if let self, let id = selectedRow?.id { toggleReveal(id) }
    }
    on(.copyLink, when: { [weak self] in self?.selectedRow?.url != nil }) { [weak self] in
      if let url = self?.selectedRow?.url { self?.navigator?.copy(url) }
    }
  }

  private func toggleReveal(_ id: QwinkerCollection.ID) {
    if revealed.remove(id) == nil { revealed.insert(id) }
    reloadRows { $0.id == id }
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.open]) + (selectedRow?.isSensitive == true ? [.reveal] : []) + [.back]
  }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(CollectionWords.nothing(in: name), PlaceholderWords.goesBack, PlaceholderWords.refreshes)
  }

  override func placeKey(of row: QwinkerCollection) -> String? { row.id.rawValue }

  override func text(of item: QwinkerCollection) -> RowText {
    var body: [[TextRun<StyleRole>]] = []
    if item.isSensitive, !revealed.contains(item.id) {
      body = [[TextRun("⚠ \(CollectionWords.sensitive)", .warning)]]
    } else if !item.description.isEmpty {
      body = item.description.runs
    }
    let tag = item.tag.map { [TextRun("  #\($0)", StyleRole.tag)] } ?? []
    return RowText(
      head: [TextRun(item.name.isEmpty ? CollectionWords.unnamed : item.name, .name)] + tag,
      trailing: Counted.words(item.count, "account"), body: body)
  }

  override func open(_ row: QwinkerCollection) {
    navigator?.show(.qwinkers(.collection(row.id, title: row.name)))
  }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.connection.fetch(
      .collections(name, limit: Self.pageSize), needing: AbilityNeed(.collections, of: qwinker), completion: done)
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    account.fetch(.collectionsPage(cursor), completion: done)
  }
}

/// Texts about collections.
enum CollectionWords {
  static let unnamed = "Unnamed collection"
  static let sensitive = "Marked as sensitive"

  static func title(of name: CollectionListName, _ qwinker: Qwinker) -> String {
    switch name {
    case .by: "Collections by @\(qwinker.handle)"
    case .featuring: "Collections with @\(qwinker.handle)"
    }
  }

  static func nothing(in name: CollectionListName) -> String {
    switch name {
    case .by: "No public collections."
    case .featuring: "In no public collection."
    }
  }
}
