import PaneKit
import QwinkleAccount
public import QwinkleModel
import Terminal

/// A list of what the server keeps for the user, such as filters, with keys that change it. To be subclassed: a
/// subclass says what a row tells, and what of ``RecordKey`` can be done.
@MainActor
public class RecordsViewController<Item: PagedElement & Identifiable>: FetchedListViewController<Item> {
  override init(title: String, account: Account) {
    super.init(title: title, account: account)
    registerRecordKeys()
    updateWords()
  }

  // MARK: To override

  /// What the keys do here, and what that is called in hints. The others say that they do nothing here.
  var keys: [RecordKey: String] { [:] }
  /// What a row tells.
  func words(of item: Item) -> RecordWords { RecordWords(head: []) }
  /// Stands where there are none.
  var nothing: String { "" }
  func add() {}
  func edit(_ item: Item) {}
  func remove(_ item: Item) {}
  func showMembers(of item: Item) {}

  // MARK: Words

  override var hints: [Action] {
    let keys = keys
    let possible = RecordKey.allCases.filter { keys[$0] != nil && (!rows.isEmpty || $0 == .add) }
    return (rows.isEmpty ? [] : [.open]) + possible.map(\.action) + [.back]
  }

  override public var status: ScreenStatus {
    var status = super.status
    for (key, words) in keys { status.words[key.action] = words }
    return status
  }

  override func didSelectRow() { navigator?.statusDidChange(of: self) }

  override var placeholder: PlaceholderWords.Lines {
    if let words = PlaceholderWords.state(state, fetching: RecordWords.fetching) { return words }
    guard let adding = keys[.add] else { return PlaceholderWords.nothing(nothing, PlaceholderWords.goesBack) }
    return PlaceholderWords.nothing(nothing, (Action.recordAdd.key, adding), PlaceholderWords.goesBack)
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let words = words(of: rows[index])
    return LinesCell { words.lines(forColumns: $0) }
  }

  // MARK: Asking

  /// Asks for a line of text, which begins with `text`. Nothing is done with an empty one.
  func ask(_ label: String, _ text: String = "", then: @escaping @MainActor (String) -> Void) {
    present(
      FindPrompt(sign: label, label: label, text: text) { if !$0.isEmpty { then($0) } })
  }

  private func registerRecordKeys() {
    view.keyContext = .records
    for key in RecordKey.allCases { on(key.action) { [weak self] in self?.perform(key) } }
  }

  private func perform(_ key: RecordKey) {
    guard keys[key] != nil else { return say(RecordWords.cannot(key), .dim) }
    if key == .add { return add() }
    guard let item = selectedRow else { return say(RecordWords.noneSelected, .dim) }
    switch key {
    case .add: break
    case .edit: edit(item)
    case .remove: remove(item)
    case .members: showMembers(of: item)
    }
  }
}

/// What keys do in a list that the server keeps.
enum RecordKey: CaseIterable {
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

/// What a row of such a list tells.
struct RecordWords: Hashable {
  private static let maximumColumns = 80

  /// The first line.
  var head: [TextRun<StyleRole>]
  /// Stands at its end.
  var trailing = ""
  /// Paragraphs below it.
  var body: [[TextRun<StyleRole>]] = []

  @MainActor
  func lines(forColumns columns: Int) -> [CellLine] {
    let column = CellLine.avatarColumn
    let width = max(1, min(columns - column - 1, Self.maximumColumns))
    let trailing = trailing.isEmpty ? [] : [TextRun(trailing, StyleRole.dim)]
    return [CellLine(column: column, runs: head, trailing: trailing)]
      + body.flatMap { TextLayout.wrapParagraph($0, columns: width) }.map { CellLine(column: column, runs: $0) }
      + (body.isEmpty ? [] : [.separator])
  }

  static let fetching = "Fetching…"
  static let noneSelected = "Nothing is selected here"

  static func cannot(_ key: RecordKey) -> String {
    switch key {
    case .add: "Nothing can be added here"
    case .edit: "This can't be changed"
    case .remove: "This can't be removed"
    case .members: "Nobody is on this"
    }
  }
}
