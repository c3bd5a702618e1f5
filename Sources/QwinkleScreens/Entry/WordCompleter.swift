import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal

/// Completes the @name, #tag or :emoji: before an editor's cursor. Each press of the completion key inserts the next
/// choice.
@MainActor
final class WordCompleter {
  /// A completion in progress.
  private struct Run {
    /// The typed text: `@er`.
    let typed: String
    /// The text that replaces it now.
    var shown: String
    var choices: [String]
    var index: Int?

    /// `@`, `#` or `:`.
    var sign: String { String(typed.prefix(1)) }

    /// Returns a choice as inserted in the text.
    func word(_ choice: String) -> String { sign == ":" ? ":\(choice):" : sign + choice }
  }

  private static let maximumChoices = 12
  private static let maximumEmoji = 40
  private static let asked = 8

  /// Shows the choices, or a message if there are no choices. The owner adds it to the layout.
  let bar = ChoiceBar()
  /// Called when ``isShowing`` changes.
  var didShow: (@MainActor () -> Void)?
  /// Names offered before all others, such as the names in the qwink being replied to.
  var likely: [KnownName] = []

  private let editor: TextEditor
  private let account: Account
  private var run: Run?
  private var fetch: Fetch?
  /// Whether the key that is being handled is a completion key.
  private var isCompletingKey = false

  init(editor: TextEditor, account: Account) {
    self.editor = editor
    self.account = account
    editor.didChange.add(self) { $0.lookAgain() }
    editor.didMoveCursor.add(self) { $0.lookAgain() }
    editor.didResign.add(self) { $0.end() }
  }

  private(set) var isShowing = false {
    didSet { if isShowing != oldValue { didShow?() } }
  }

  /// Inserts the next or previous choice. The first call finds the choices.
  func complete(backward: Bool = false) {
    guard editor.isEditable else { return }
    isCompletingKey = true
    if let run, stands(run) { return step(run, by: backward ? -1 : 1) }
    begin()
  }

  /// Accepts the choice, unless the current key is a completion key. The owner calls this after each key.
  func didHandleKey() {
    if !isCompletingKey { end() }
    isCompletingKey = false
  }

  /// Restores the typed text. Returns whether a choice was inserted or a lookup was in progress, rather than only a
  /// message shown.
  func cancel() -> Bool {
    guard let run, stands(run) else { return false }
    let wasActive = run.index != nil || fetch != nil
    editor.replace(last: run.shown.count, with: run.typed)
    end()
    return wasActive
  }

  // MARK: Finding choices

  private func begin() {
    end()
    guard let typed = CompletableWord.before(cursorIn: editor.textBeforeCursor) else {
      return say(EntryWords.completes(emoji: account.identity.hasEmoji))
    }
    if typed.hasPrefix(":") { return beginEmoji(typed) }
    let start = typed.dropFirst().lowercased()
    let isName = typed.hasPrefix("@")
    let choices = isName ? names(start) : account.timelines.knownTags().filter { $0.lowercased().hasPrefix(start) }
    run = Run(typed: typed, shown: typed, choices: Array(choices.prefix(Self.maximumChoices)))
    if let run, !run.choices.isEmpty { step(run, by: 1) }
    guard isName, !start.isEmpty else {
      if choices.isEmpty { say(EntryWords.noMatch(typed)) }
      return
    }
    if choices.isEmpty { say(EntryWords.lookingUp(typed)) }
    fetch = account.fetch(.completeHandle(String(typed.dropFirst()), limit: Self.asked)) { [weak self] in self?.take($0)
    }
  }

  /// Completes one of the server's custom emoji. Their list is fetched once.
  private func beginEmoji(_ typed: String) {
    run = Run(typed: typed, shown: typed, choices: [])
    if let known = account.identity.emoji { return offer(known) }
    if let refusal = account.connection.refusal(of: .serverEmoji) { return say(refusal) }
    say(EntryWords.lookingUp(typed))
    fetch = account.fetch(.emoji) { [weak self] in self?.takeEmoji($0) }
  }

  private func takeEmoji(_ result: Result<[String], DownloadError>) {
    fetch = nil
    if case .success(let names) = result { account.identity.emoji = names }
    guard let run, stands(run) else { return }
    switch result {
    case .success(let names): offer(names)
    case .failure(let error):
      // End this completion, so that the next key press fetches the list again.
      self.run = nil
      say(account.connection.refusal(of: .serverEmoji) ?? error.summary)
    }
  }

  /// Offers the emoji that begin with the typed text, then emoji that contain it elsewhere.
  private func offer(_ emoji: [String]) {
    guard var run else { return }
    guard !emoji.isEmpty else { return say(EntryWords.noEmoji) }
    let start = run.typed.dropFirst().lowercased()
    let fitting = emoji.filter { $0.lowercased().contains(start) }
    let first = fitting.filter { $0.lowercased().hasPrefix(start) }
    run.choices = Array((first + fitting.filter { !$0.lowercased().hasPrefix(start) }).prefix(Self.maximumEmoji))
    self.run = run
    if run.choices.isEmpty { say(EntryWords.noMatch(run.typed)) } else { step(run, by: 1) }
  }

  private func names(_ start: String) -> [String] {
    var seen: Set<String> = []
    return (likely + account.timelines.knownQwinkers()).filter { $0.begins(with: start) }.map(\.handle)
      .filter { seen.insert($0.lowercased()).inserted }
  }

  private func take(_ result: Result<Page<Qwinker>, DownloadError>) {
    fetch = nil
    guard var run, stands(run) else { return }
    switch result {
    case .success(let page):
      let known = Set(run.choices.map { $0.lowercased() })
      let new = page.items.map(\.handle)
        .filter { !known.contains($0.lowercased()) && $0.lowercased() != account.identity.me?.handle.lowercased() }
      run.choices += new
      self.run = run
      if run.choices.isEmpty { return say(EntryWords.noMatch(run.typed)) }
      if run.index == nil { step(run, by: 1) } else { show(run) }
    case .failure(let error):
      if run.choices.isEmpty { say(error.summary) }
    }
  }

  // MARK: Showing choices

  private func step(_ run: Run, by distance: Int) {
    guard !run.choices.isEmpty else { return }
    var run = run
    let count = run.choices.count
    run.index = run.index.map { ($0 + distance + count) % count } ?? 0
    let needsSpace = editor.textAfterCursor.first.map { !$0.isWhitespace } ?? true
    let shown = run.word(run.choices[run.index ?? 0]) + (needsSpace ? " " : "")
    editor.replace(last: run.shown.count, with: shown)
    run.shown = shown
    self.run = run
    show(run)
  }

  private func show(_ run: Run) {
    bar.show(run.choices.map(run.word), selected: run.index)
    isShowing = true
  }

  private func say(_ words: String) {
    bar.say(words)
    isShowing = true
  }

  /// Whether the inserted text is still right before the cursor.
  private func stands(_ run: Run) -> Bool { editor.textBeforeCursor.hasSuffix(run.shown) }

  /// Finishes the completion if the user has edited the text or moved the cursor. The inserted choice stays.
  private func lookAgain() {
    if let run, stands(run) { return }
    end()
  }

  private func end() {
    run = nil
    fetch = nil
    isShowing = false
  }
}

/// The beginning of a name, a tag or an emoji.
enum CompletableWord {
  /// Returns the unfinished word right before the cursor, such as `@er`, `#ga` or `:bl`. Nil if it can't be completed.
  static func before(cursorIn text: String) -> String? {
    let word = text[(text.lastIndex(where: \.isWhitespace).map { text.index(after: $0) } ?? text.startIndex)...]
    var before: Character?
    for index in word.indices {
      let sign = word[index]
      let rest = word[word.index(after: index)...]
      let isAtStart = before.map { !$0.isLetter && !$0.isNumber && !"_/@#".contains($0) } ?? true
      if isAtStart, sign == "@", rest.allSatisfy({ isPart($0) || "@.-".contains($0) }) { return String(word[index...]) }
      if isAtStart, sign == "#", rest.allSatisfy(isPart) { return String(word[index...]) }
      if isAtStart, sign == ":", rest.allSatisfy({ isPart($0) || $0 == "-" }) { return String(word[index...]) }
      before = sign
    }
    return nil
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
