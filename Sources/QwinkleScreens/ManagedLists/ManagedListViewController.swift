import PaneKit
import QwinkleAccount
public import QwinkleModel
import Terminal

/// Base class of a list of the user's data on the server, such as filters. A subclass describes its rows and chooses
/// which actions of ``ManagedListKey`` it supports.
@MainActor
public class ManagedListViewController<Item: PagedElement & Identifiable>: FetchedListViewController<Item> {
  override init(title: String, account: Account) {
    super.init(title: title, account: account)
    registerListKeys()
  }

  // MARK: To override

  /// The supported keys with their hints. A key that isn't supported shows a message that it does nothing here.
  var keys: [ManagedListKey: String] { [:] }
  /// The sentence shown if the list is empty.
  var emptyWords: String { "" }
  func add() {}
  func edit(_ item: Item) {}
  func remove(_ item: Item) {}
  func showMembers(of item: Item) {}

  // MARK: Words

  override var hints: [Action] {
    let keys = keys
    let possible = ManagedListKey.allCases.filter { keys[$0] != nil && (!rows.isEmpty || $0 == .add) }
    return (rows.isEmpty ? [] : [.open]) + possible.map(\.action) + [.back]
  }

  override public var status: ScreenStatus {
    var status = super.status
    for (key, words) in keys { status.words[key.action] = words }
    return status
  }

  override var nothing: PlaceholderWords.Lines {
    guard let adding = keys[.add] else { return PlaceholderWords.nothing(emptyWords, PlaceholderWords.goesBack) }
    return PlaceholderWords.nothing(emptyWords, (Action.recordAdd.key, adding), PlaceholderWords.goesBack)
  }

  // MARK: Requests

  /// Shows a prompt for a line of text, with `text` as the initial content. Ignores empty input.
  func ask(_ label: String, _ text: String = "", then: @escaping @MainActor (String) -> Void) {
    present(
      LinePrompt(sign: label, label: label, text: text) { if !$0.isEmpty { then($0) } })
  }

  private func registerListKeys() {
    view.keyContext = .records
    for key in ManagedListKey.allCases { on(key.action) { [weak self] in self?.perform(key) } }
  }

  private func perform(_ key: ManagedListKey) {
    guard keys[key] != nil else { return say(ManagedListWords.cannot(key), .dim) }
    if key == .add { return add() }
    guard let item = selectedRow else { return say(ManagedListWords.noneSelected, .dim) }
    switch key {
    case .add: break
    case .edit: edit(item)
    case .remove: remove(item)
    case .members: showMembers(of: item)
    }
  }
}

/// An action in a list of the user's data on the server.
enum ManagedListKey: CaseIterable {
  case add, edit, remove, members

  var action: Action {
    switch self {
    case .add: .recordAdd
    case .edit: .recordEdit
    case .remove: .recordRemove
    case .members: .recordMembers
    }
  }
}
