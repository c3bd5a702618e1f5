import FoundationEssentials
import PaneKit
import QwinkleAccount
import SafeText
import Terminal

/// Completes the path of a file in a line; lists what fits if that is several.
@MainActor
final class PathCompleter {
  private static let maximumChoices = 40

  /// Shows what fits. Its owner places it.
  let bar = ChoiceBar()
  /// Called when ``isShowing`` changes.
  var didShow: (@MainActor () -> Void)?
  private(set) var isShowing = false {
    didSet { if isShowing != oldValue { didShow?() } }
  }

  private let editor: TextEditor
  /// What `~` stands for; nil: the environment's home.
  var home: String?
  private var completed: String?

  init(editor: TextEditor, home: String? = nil) {
    self.editor = editor
    self.home = home
    editor.didChange.add(self) { if $0.completed != $0.editor.text { $0.end() } }
  }

  func end() {
    completed = nil
    isShowing = false
  }

  /// Completes the path that was typed.
  func complete() {
    let typed = editor.text
    let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, start) = (String(typed[..<slash]), String(typed[slash...]))
    let names = Self.names(in: folder, startingWith: start, home: home)
    guard let first = names.first else {
      bar.say(EntryWords.noMatch(typed))
      isShowing = true
      return
    }
    let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    completed = folder + common
    if completed != typed { editor.replaceAll(with: folder + common) }
    bar.show(names, selected: nil)
    isShowing = names.count > 1
  }

  /// What is in `folder`, folders with a slash, sorted. Hidden files are left out unless a dot was typed.
  static func names(in folder: String, startingWith start: String, home: String? = nil) -> [String] {
    let path = AttachedFile.expanded(folder.isEmpty ? "." : folder, home: home)
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let names = all.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
      .prefix(maximumChoices)
    return names.map { name in
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
      return SafeText.line(name) + (isFolder ? "/" : "")
    }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
