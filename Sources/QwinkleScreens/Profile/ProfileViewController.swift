import FoundationEssentials
public import PaneKit
public import QwinkleAccount
import QwinkleModel
import QwinkleService
public import Terminal

/// What I say of myself, to be changed: a sheet over the lower part of the screen. What is typed stays in it until the
/// server has taken it.
@MainActor
public final class ProfileViewController: ViewController {
  /// What most servers take; those that take less say so.
  private static let usualNameLimit = 30
  private static let usualNoteLimit = 500
  private static let labelColumns = 7
  /// Lines longer than this are hard to read.
  private static let maximumColumns = 100

  public weak var navigator: (any Navigator)?

  private let account: Account
  private let keymap: Keymap
  private let rule = RuleView()
  private let nameLabel = Label(TextRun("Name", .dim))
  private let noteLabel = Label(TextRun("About", .dim))
  private let name = TextEditor(isSingleLine: true)
  private let note = TextEditor()
  private let meta = BarView()
  private var metaRows = 1
  private let hints = BarView()

  /// What the server has; nil until it has said so.
  private var saved: OwnProfile?
  private var isSaving = false
  private var failure: String?
  private var mayLeave = false
  private var fetch: Fetch?

  public init(account: Account, keymap: Keymap) {
    self.account = account
    self.keymap = keymap
    super.init()
    title = "Your profile"
    keyContext = .form
    for subview in [rule, nameLabel, name, noteLabel, note, meta, hints] { view.addSubview(subview) }
    rule.title = [TextRun("your profile", .strong)]
    name.label = "Name"
    note.label = "About"
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
      case .failure(let error): failure = "Your profile cannot be fetched. \(error.sentence) ^D tries again."
      }
      updateWords()
    }
    updateWords()
  }

  private func take(_ profile: OwnProfile) {
    saved = profile
    name.text = profile.displayName
    note.text = profile.note
    window?.setNeedsLayout()
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
    fetch = account.fetch(.setOwnProfile(typed)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      setSaving(false)
      switch result {
      case .success(let qwinker): finish(as: qwinker)
      case .failure(let error): failure = "Not saved. \(error.sentence)"
      }
      updateWords()
    }
  }

  private func finish(as qwinker: Qwinker) {
    account.identity.setMe(qwinker)
    navigator?.say("Your profile is changed.", .new)
    dismiss()
  }

  private func setSaving(_ isSaving: Bool) {
    self.isSaving = isSaving
    updateWords()
  }

  /// What was typed and not saved takes a second time to leave.
  private func leave() {
    name.tellChanges()
    note.tellChanges()
    guard let saved, typed != saved, !mayLeave else { return dismiss() }
    mayLeave = true
    failure = "This is not saved yet: ^D saves it, Esc again forgets it."
    updateWords()
  }

  private func moveToNextField() {
    window?.makeFirstResponder(window?.firstResponder === name ? note : name)
  }

  private func textDidChange() {
    failure = nil
    mayLeave = false
    updateWords()
    window?.setNeedsLayout()
  }

  // MARK: Words

  private func updateWords() {
    let isReady = saved != nil && !isSaving
    name.isEditable = isReady
    note.isEditable = isReady
    let words: BarView.Item =
      if let failure {
        .init(failure, mayLeave ? .warning : .error, priority: 11)
      } else if isSaving {
        .init("Saving…", .accent, priority: 9)
      } else if saved == nil {
        .init("Fetching your profile…", .dim, priority: 9)
      } else {
        .init("Everybody can read this.", .dim, priority: 9)
      }
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [.form], editor: note),
      actions: isSaving ? [.formLeave] : [.formSave, .formNext, .formLeave])
    meta.leading = [words]
    meta.trailing =
      saved == nil
      ? []
      : [
        counter("name", name.text, limit: Self.usualNameLimit), counter("about", note.text, limit: Self.usualNoteLimit),
      ]
    fitMeta()
  }

  /// How much is written of what servers usually take.
  private func counter(_ label: String, _ text: String, limit: Int) -> BarView.Item {
    let count = text.count
    return .init("\(label) \(count) of \(limit)", count > limit ? .warning : .dim, priority: count > limit ? 12 : 8)
  }

  /// Why something failed is never cut where there is room for more rows of it.
  private func fitMeta() {
    let limit = max(1, (window?.size.rows ?? 0) / 3)
    let rows = failure == nil ? 1 : meta.rows(forColumns: view.frame.size.columns, limit: limit)
    guard rows != metaRows else { return }
    metaRows = rows
    view.setNeedsLayout()
    window?.setNeedsLayout()
  }

  override public func updateProperties() {
    fitMeta()
  }

  override public func preferredSheetRows(in size: Size) -> Int {
    let around = 3 + metaRows
    let columns = layout(of: size).frame(of: note, in: size).size.columns
    let rows = max(3, note.rows(forColumns: columns) + 1) + around
    return min(size.rows, max(7, min(rows, size.rows * 2 / 3)))
  }

  override public func layout(in size: Size) -> Layout? { layout(of: size) }

  private func layout(of size: Size) -> Layout {
    func field(_ label: Label, _ editor: TextEditor) -> Layout {
      .columns([
        .fixed(1): nil, .fixed(Self.labelColumns): label, .minimum(1, atMost: Self.maximumColumns): editor,
        .fixed(1): nil,
      ])
    }
    return .rows([
      .intrinsic: rule, .fixed(1): field(nameLabel, name), .minimum(1): field(noteLabel, note), .fixed(metaRows): meta,
      .fixed(1): hints,
    ])
  }
}
