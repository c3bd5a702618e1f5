import FoundationEssentials
public import PaneKit
public import QwinkleAccount
import QwinkleModel
import QwinkleService
public import Terminal

/// Edits the user's profile in a sheet over the lower part of the screen. The sheet stays open until the server has
/// accepted the text or the user discards it.
@MainActor
public final class ProfileViewController: ViewController {
  /// Limits of most servers. Servers with lower limits return an error.
  private static let usualNameLimit = 30
  private static let usualNoteLimit = 500
  private static let labelColumns = 7

  public weak var navigator: (any Navigator)?

  private let account: Account
  private let keymap: Keymap
  private let rule = RuleView()
  private let nameLabel = Label(TextRun(ProfileWords.name, .dim))
  private let noteLabel = Label(TextRun(ProfileWords.note, .dim))
  private let name = TextEditor(isSingleLine: true)
  private let note = TextEditor()
  private let meta = BarView()
  private let hints = BarView()

  /// The profile on the server; nil until it is fetched.
  private var saved: OwnProfile?
  private var isSaving = false
  private var failure: String?
  private var mayLeave = false
  private var fetch: Fetch?

  public init(account: Account, keymap: Keymap) {
    self.account = account
    self.keymap = keymap
    super.init()
    title = ProfileWords.title
    keyContext = .form
    for subview in [rule, nameLabel, name, noteLabel, note, meta, hints] { view.addSubview(subview) }
    rule.title = [TextRun(ProfileWords.title, .strong)]
    name.label = ProfileWords.name
    note.label = ProfileWords.note
    for editor in [name, note] { editor.didChange.add(self) { $0.textDidChange() } }
    preferredFirstResponder = name
    on(.formSave) { [weak self] in self?.save() }
    on(.formLeave) { [weak self] in self?.leave() }
    on(.formNext) { [weak self] in self?.moveToNextField() }
    updateWords()
  }

  override public func viewDidAppear() {
    load()
  }

  // MARK: Actions

  private func load() {
    guard saved == nil, fetch == nil else { return }
    failure = nil
    fetch = account.fetch(.ownProfile) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(let profile): take(profile)
      case .failure(let error): failure = ProfileWords.notFetched(error.sentence)
      }
      updateWords()
    }
    updateWords()
  }

  private func take(_ profile: OwnProfile) {
    saved = profile
    name.text = profile.displayName
    note.text = profile.note
    view.invalidateIntrinsicSize()
  }

  private var typed: OwnProfile {
    OwnProfile(displayName: name.text, note: note.text, usualVisibility: saved?.usualVisibility)
  }

  private func save() {
    guard let saved else { return load() }
    guard !isSaving else { return }
    name.tellChanges()
    note.tellChanges()
    guard typed != saved else { return dismiss() }
    failure = nil
    setSaving(true)
    account.send(.setOwnProfile(typed), doing: ProfileWords.savingProfile) {
      [weak self, weak navigator = self.navigator, weak identity = account.identity] result in
      self?.setSaving(false)
      switch result {
      case .success(let qwinker):
        identity?.setMe(qwinker)
        navigator?.say(ProfileWords.saved, .new)
        self?.dismiss()
      case .failure(let error):
        let sentence = ProfileWords.notSaved(error.sentence)
        guard let self else {
          navigator?.say(sentence, .error)
          return
        }
        failure = sentence
        updateWords()
      }
    }
  }

  private func setSaving(_ isSaving: Bool) {
    self.isSaving = isSaving
    updateWords()
  }

  /// Closes the sheet. If the text has unsaved changes, the first call only shows a warning.
  private func leave() {
    name.tellChanges()
    note.tellChanges()
    guard let saved, typed != saved, !mayLeave else { return dismiss() }
    mayLeave = true
    failure = ProfileWords.unsaved
    updateWords()
  }

  private func moveToNextField() {
    window?.makeFirstResponder(window?.firstResponder === name ? note : name)
  }

  private func textDidChange() {
    failure = nil
    mayLeave = false
    updateWords()
    view.invalidateIntrinsicSize()
  }

  // MARK: Content

  private func updateWords() {
    let isReady = saved != nil && !isSaving
    name.isEditable = isReady
    note.isEditable = isReady
    let words: BarView.Item =
      if let failure {
        .init(failure, mayLeave ? .warning : .error, priority: 11)
      } else if isSaving {
        .init(ProfileWords.saving, .accent, priority: 9)
      } else if saved == nil {
        .init(ProfileWords.fetching, .dim, priority: 9)
      } else {
        .init(ProfileWords.isPublic, .dim, priority: 9)
      }
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [.form], editor: note),
      actions: isSaving ? [.formLeave] : [.formSave, .formNext, .formLeave])
    meta.leading = [words]
    meta.trailing =
      saved == nil
      ? []
      : [
        counter(ProfileWords.name, name.text, limit: Self.usualNameLimit),
        counter(ProfileWords.note, note.text, limit: Self.usualNoteLimit),
      ]
  }

  /// The length of a text and its usual limit.
  private func counter(_ label: String, _ text: String, limit: Int) -> BarView.Item {
    let count = text.count
    let isTooLong = count > limit
    return .init(
      ProfileWords.counter(label, count, limit: limit), isTooLong ? .warning : .dim, priority: isTooLong ? 12 : 8)
  }

  /// Maximum number of rows for the line below the fields: a third of the window for an error or a warning, otherwise
  /// one.
  private func metaLimit(inWindowOf rows: Int) -> Int { failure == nil ? 1 : max(1, rows / 3) }

  override public func preferredSheetRows(in size: Size) -> Int {
    let around = 3 + meta.rows(forColumns: size.columns, limit: metaLimit(inWindowOf: size.rows))
    let columns = layout(of: size).frame(of: note, in: size).size.columns
    let rows = max(3, note.rows(forColumns: columns) + 1) + around
    return min(size.rows, max(7, min(rows, size.rows * 2 / 3)))
  }

  override public func layout(in size: Size) -> Layout? { layout(of: size) }

  private func layout(of size: Size) -> Layout {
    func field(_ label: Label, _ editor: TextEditor) -> Layout {
      .columns([
        .fixed(1): nil, .fixed(Self.labelColumns): label, .minimum(1, atMost: ContentWidth.fields): editor,
        .fixed(1): nil,
      ])
    }
    return .rows([
      .intrinsic: rule, .fixed(1): field(nameLabel, name), .minimum(1): field(noteLabel, note),
      .intrinsic(atMost: metaLimit(inWindowOf: window?.size.rows ?? size.rows)): meta, .fixed(1): hints,
    ])
  }
}
