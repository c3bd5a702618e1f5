import PaneKit
import Terminal

/// Completes a file path in a single-line editor. If several names match, lists them and inserts their common prefix.
@MainActor
final class PathCompleter {
  /// Shows the matching names. The owner adds it to the layout.
  let bar = ChoiceBar()
  /// Called when ``isShowing`` changes.
  var didShow: (@MainActor () -> Void)?
  private(set) var isShowing = false {
    didSet { if isShowing != oldValue { didShow?() } }
  }

  let lister: FolderLister
  private let editor: TextEditor
  /// The expansion of `~`. Nil means the environment's home directory.
  var home: String?
  private var completed: String?

  init(editor: TextEditor, home: String? = nil, lister: FolderLister) {
    self.editor = editor
    self.home = home
    self.lister = lister
    editor.didChange.add(self) { if $0.completed != $0.editor.text { $0.end() } }
    editor.didResign.add(self) { $0.end() }
  }

  func end() {
    lister.cancel()
    completed = nil
    isShowing = false
  }

  /// Completes the typed path once its folder has been read.
  func complete() {
    // Report pending changes now. A later report would cancel the request.
    editor.tellChanges()
    let typed = editor.text
    let path = TypedPath(typed)
    let refusal = lister.list(path.folder, startingWith: path.start, home: home) { [weak self] in
      self?.take($0, for: typed)
    }
    if let refusal { say(refusal) }
  }

  private func take(_ names: [String], for typed: String) {
    guard editor.text == typed else { return }
    guard let first = names.first, let last = names.last else { return say(EntryWords.noMatch(typed)) }
    // The names are sorted, so the common prefix of the first and the last is common to all.
    let common = TypedPath(typed).folder + (names.count > 1 ? first.commonPrefix(with: last) : first)
    completed = common
    if common != typed { editor.replaceAll(with: common) }
    bar.show(names, selected: nil)
    isShowing = names.count > 1
  }

  private func say(_ words: String) {
    bar.say(words)
    isShowing = true
  }
}

/// A path whose last component is being typed.
struct TypedPath: Hashable, Sendable {
  /// The path before the last component, with its slash. Empty for the current folder.
  let folder: String
  /// The typed start of the last component.
  let start: String

  init(_ typed: String) {
    let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    folder = String(typed[..<slash])
    start = String(typed[slash...])
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
