import PaneKit
import Terminal

/// Completes the path of a file in a line. If several names match, it lists them and inserts their common start.
@MainActor
final class PathCompleter {
  /// Shows what fits. Its owner places it.
  let bar = ChoiceBar()
  /// Called when ``isShowing`` changes.
  var didShow: (@MainActor () -> Void)?
  private(set) var isShowing = false {
    didSet { if isShowing != oldValue { didShow?() } }
  }

  let lister: FolderLister
  private let editor: TextEditor
  /// What `~` stands for; nil: the environment's home.
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

  /// Completes the path that was typed, once its folder has been read.
  func complete() {
    // A change reported later would cancel the request.
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
    // The names are sorted: the others begin with what the first and the last have in common.
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

/// A path whose last part is being typed.
struct TypedPath: Hashable, Sendable {
  /// The path before the last part, with its slash; empty for the current folder.
  let folder: String
  /// The start of the last part.
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
