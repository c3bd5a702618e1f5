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
    updateWords()
  }

  // MARK: To override

  /// The supported keys with their hints. A key that isn't supported shows a message that it does nothing here.
  var keys: [ManagedListKey: String] { [:] }
  /// Returns the text of a row.
  func words(of item: Item) -> ManagedListWords { ManagedListWords(head: []) }
  /// The text shown if the list is empty.
  var nothing: String { "" }
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

  override func didSelectRow() { navigator?.statusDidChange(of: self) }

  override var placeholder: PlaceholderWords.Lines {
    if let words = PlaceholderWords.state(state, fetching: ManagedListWords.fetching) { return words }
    guard let adding = keys[.add] else { return PlaceholderWords.nothing(nothing, PlaceholderWords.goesBack) }
    return PlaceholderWords.nothing(nothing, (Action.recordAdd.key, adding), PlaceholderWords.goesBack)
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let words = words(of: rows[index])
    return LinesCell { words.lines(forColumns: $0) }
  }

  // MARK: Requests

  /// Shows a prompt for a line of text, with `text` as the initial content. Ignores empty input.
  func ask(_ label: String, _ text: String = "", then: @escaping @MainActor (String) -> Void) {
    present(
      FindPrompt(sign: label, label: label, text: text) { if !$0.isEmpty { then($0) } })
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

/// The text of a row in a list of the user's data on the server.
struct ManagedListWords: Hashable {
  var head: [TextRun<StyleRole>]
  /// Text at the end of the first line.
  var trailing = ""
  /// The paragraphs below the first line.
  var body: [[TextRun<StyleRole>]] = []

  @MainActor
  func lines(forColumns columns: Int) -> [CellLine] {
    let column = CellLine.avatarColumn
    let width = max(1, min(columns - column - 1, ContentWidth.text))
    let trailing = trailing.isEmpty ? [] : [TextRun(trailing, StyleRole.dim)]
    return [CellLine(column: column, runs: head, trailing: trailing)]
      + body.flatMap { TextLayout.wrapParagraph($0, columns: width) }.map { CellLine(column: column, runs: $0) }
      + (body.isEmpty ? [] : [.separator])
  }

  static let fetching = "Fetching…"
  static let noneSelected = "Nothing is selected here"

  static func cannot(_ key: ManagedListKey) -> String {
    switch key {
    case .add: "Nothing can be added here"
    case .edit: "This can't be changed"
    case .remove: "This can't be removed"
    case .members: "This has no members"
    }
  }
}
