import Terminal

/// Presents a window as text that is appended to the terminal's output and never redrawn. Announces each change once.
///
/// After user input, announces the screen and the selected item if either has changed. Without user input, announces
/// the selected item only if a different item was selected and the text differs, so that changes to relative times in a
/// list cause no output. But lines added at the end of the selected item are announced.
@MainActor
final class LinearPresenter {
  private var speech = LinearSpeech()
  private var memory = LinearMemory()
  private var echo = EditorEcho()
  private var hasGreeted = false
  private var title = ""
  private weak var sheet: ViewController?
  private weak var focus: Responder?
  /// The selected item of the focused list at the last frame: its text, even if it wasn't announced, and its mark.
  private var item: (lines: [String], selected: ListMark?) = ([], nil)
  private var footer: [String] = []
  private var knownHints: Set<String> = []
  /// Lowercased texts announced since the last input from the user. They aren't announced again until the next input.
  private var recent: Set<String> = []

  /// Returns the text to append for `window`. If `isAnswer` is true, the frame responds to user input.
  func text(of window: Window, isAnswer: Bool) -> String {
    guard let top = window.topSheet ?? window.rootViewController else { return "" }
    if isAnswer { recent = [] }
    speech.begin(columns: window.size.columns)
    if window.topSheet !== sheet { memory.forget(window.topSheet == nil ? .status : nil, in: top.view) }
    let responder = window.effectiveFirstResponder
    let isElsewhere = responder !== focus || window.topSheet !== sheet
    sheet = window.topSheet
    focus = responder

    let views = top.view.shownViews
    let texts = views.map { (view: $0, texts: $0.linearTexts) }
    let hasMoved = sayPlace(texts.flatMap { $0.texts }, responder)
    for (view, texts) in texts { say(.text, of: view, texts) }
    if let list = responder as? ListView { say(list, isElsewhere: isElsewhere, isAnswer: isAnswer) }
    for case let list as ListView in views where list.tellsNewItems && list !== responder { sayNewItems(of: list) }
    for (view, texts) in texts { say(.status, of: view, texts) }
    if isElsewhere || hasMoved { sayHints(texts.flatMap { $0.texts }, areAsked: responder === sheet) }
    echo.say(responder as? TextEditor, isElsewhere: isElsewhere, in: &speech)
    return speech.take()
  }

  /// Forgets the current screen, so that it is announced again.
  func forget() {
    title = ""
    sheet = nil
    focus = nil
  }

  // MARK: Places

  /// Announces the screen's name if it has changed, and returns whether it did. At launch, announces the greeting
  /// instead, if any, and returns false.
  private func sayPlace(_ texts: [LinearText], _ responder: Responder) -> Bool {
    var name = sheet?.title ?? texts.first { $0.kind == .title }?.gist ?? ""
    if name.isEmpty, sheet == nil { name = Self.title(around: responder) }
    let greeting = hasGreeted ? nil : texts.first { $0.kind == .greeting }
    hasGreeted = true
    guard !name.isEmpty, name != title else { return false }
    title = name
    recent.insert(name.lowercased())
    guard let greeting else {
      speech.say([name])
      return true
    }
    speech.say(greeting.lines)
    for hints in texts where hints.kind == .hints { knownHints.insert(hints.gist) }
    return false
  }

  /// Returns the title of the nearest controller in the responder chain.
  private static func title(around responder: Responder) -> String {
    for responder in responder.chain {
      if let controller = responder as? ViewController, !controller.title.isEmpty { return controller.title }
    }
    return ""
  }

  // MARK: Texts of views

  private func say(_ kind: LinearText.Kind, of view: View, _ texts: [LinearText]) {
    let text = texts.first { $0.kind == kind }
    let isNew = memory.note(text?.gist, kind, of: view)
    if isNew, let text { sayOnce(text.lines, gist: text.gist) }
  }

  private func sayOnce(_ lines: [String], gist: String) {
    guard !gist.isEmpty, recent.insert(gist.lowercased()).inserted else { return }
    speech.say(lines)
  }

  /// Announces key hints: once, or every time if a sheet is waiting for a key.
  private func sayHints(_ texts: [LinearText], areAsked: Bool) {
    for hints in texts where hints.kind == .hints {
      let isNew = knownHints.insert(hints.gist).inserted
      if isNew || areAsked { speech.say(["Keys: " + hints.lines.joined(separator: ", ") + "."]) }
    }
  }

  // MARK: Lists

  private func say(_ list: ListView, isElsewhere: Bool, isAnswer: Bool) {
    let before = item
    let isOther = before.selected?.isGone == true || before.selected?.index != list.selectedIndex
    item = (list.focusedLines, isElsewhere || isOther ? list.selectedIndex.map(list.mark(at:)) : before.selected)
    let isChanged = item.lines != before.lines
    if isElsewhere || (isAnswer ? isOther || isChanged : isOther && isChanged) {
      speech.say(item.lines)
      footer = []
    } else if isChanged, list.count == 0 {
      sayOnce(item.lines, gist: item.lines.joined(separator: "\n"))
    } else if item.lines.starts(with: before.lines) {
      // The item's text has grown: announce only the added lines.
      speech.say(Array(item.lines.dropFirst(before.lines.count)))
    }
    sayFooter(of: list)
    if let index = list.selectedIndex, index >= memory.item(of: list)?.mark.index ?? 0 {
      memory.note(item.lines, ofItemAt: index, of: list)
    }
  }

  private func sayFooter(of list: ListView) {
    let lines = list.footerLines
    if lines != footer { sayOnce(lines, gist: lines.joined(separator: "\n")) }
    footer = lines
  }

  /// Announces items appended to a list that isn't focused. The first time, announces only the last item.
  private func sayNewItems(of list: ListView) {
    guard list.count > 0 else { return }
    guard let told = memory.item(of: list) else { return tell(list.count - 1, of: list, instead: nil) }
    // Read the mark first, because announcing an item replaces the mark.
    let (index, isGone) = (told.mark.index, told.mark.isGone)
    if !isGone, (0..<list.count).contains(index) {
      let lines = list.lines(ofItemAt: index)
      if lines != told.lines {
        // Announce changes to the item, such as a message being delivered, unless its first line has changed.
        let rest = lines.dropFirst(Self.commonCount(lines, told.lines))
        if rest.count < lines.count { speech.say(Array(rest)) }
        memory.note(lines, ofItemAt: index, of: list)
      }
    }
    for next in max(0, index + 1)..<max(index + 1, list.count, 0) {
      tell(next, of: list, instead: isGone && next == index + 1 ? told.lines : nil)
    }
  }

  /// Announces an item. If the item replaces one whose text was `former`, announces only the lines after their common
  /// beginning.
  private func tell(_ index: Int, of list: ListView, instead former: [String]?) {
    let lines = list.lines(ofItemAt: index)
    speech.say(Array(lines.dropFirst(former.map { Self.commonCount(lines, $0) } ?? 0)))
    memory.note(lines, ofItemAt: index, of: list)
  }

  private static func commonCount(_ first: [String], _ second: [String]) -> Int {
    zip(first, second).prefix { $0 == $1 }.count
  }
}

extension TerminalEvent {
  /// Whether the user caused the event and expects a response.
  var isTyped: Bool {
    switch self {
    case .key, .paste, .mouse: true
    case .resize, .pasteStalls, .capabilities, .hangup: false
    }
  }

  /// The character that a key types.
  var typedCharacter: Character? { if case .key(let key) = self { key.typedCharacter } else { nil } }
}
