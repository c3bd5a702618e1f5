import PaneKit
public import QwinkleAccount
public import QwinkleConfig
public import QwinkleModel
import QwinkleService
import Timekeeping
import Terminal

/// The `:` prompt at the bottom of the screen. Keyboard focus stays in the prompt until `Enter` or `Esc`. The prompt is
/// created once and presented repeatedly, to preserve its history.
@MainActor
public final class CommandPrompt: LinePrompt {
  private static let maximumSuggestions = 20
  /// Longer lines are mistakes, such as an accidental paste.
  private static let maximumCharacters = 4000
  /// Number of characters of the line that are examined for the hint. No command's name is longer, and few screens are
  /// wider.
  private static let charactersForHint = 500

  /// Returns the qwink that commands such as `:boosted-by` are about.
  public var selectedQwink: (@MainActor () -> Qwink?)?
  /// Returns the user that commands such as `:note` are about.
  public var selectedQwinker: (@MainActor () -> Qwinker?)?
  /// Returns the selected qwink of another server, if the user's server hasn't found its copy yet.
  public var foreignQwink: (@MainActor () -> Qwink?)?
  /// Passes the copy of a qwink of another server to the screen below the prompt.
  public var didFind: (@MainActor (_ copy: Qwink, _ foreign: Qwink.ID) -> Void)?
  /// Identifies the selected row of the screen below the prompt, if any.
  public var selectedRowKey: (@MainActor () -> AnyHashable?)?
  /// Returns the reason that no action is possible on the selected row, if any.
  public var refusal: (@MainActor () -> String?)?
  /// Returns the accounts that `:account` completes.
  public var accountNames: (@MainActor () -> [String])?

  /// Shows the screen of the account with this name. Returns an error message if that fails.
  public var showAccount: (@MainActor (String) -> String?)?

  /// Passes the selected qwink to a user-defined command.
  public var pipe: (@MainActor (OwnCommand) -> Void)?

  /// Hides or shows rows on the screen. Returns a message about the result, or nil if the screen can't hide rows.
  public var choose: (@MainActor (PaneChoice) -> String?)?

  /// The directory that `~` expands to in paths; nil for the environment's home.
  public var home: String?

  private weak var navigator: (any Navigator)?
  private let account: Account
  private let links: LinkActions
  private let settings: ReaderSettings
  /// A hint over the empty end of the line.
  private let hint = Label()
  private var history = PromptHistory()
  /// The selection when the prompt opened. The screen may have another selection by the time the command is typed.
  private var subject: (qwink: Qwink?, qwinker: Qwinker?)?
  /// The qwink of another server that was selected when the prompt opened.
  private var foreignSubject: Qwink?
  /// Identifies the row that was selected when the prompt opened.
  private var openedAt: AnyHashable?
  /// The initial line, and a hint for completing it.
  private var beginning: (line: String, hint: String)?
  private var completion: PromptCompletion?
  private let folders: FolderLister
  /// The pending request of a command or completion.
  private var fetch: Fetch?

  public init(
    navigator: any Navigator, account: Account, links: LinkActions,
    settings: ReaderSettings = ReaderSettings()
  ) {
    self.navigator = navigator
    self.settings = settings
    self.account = account
    folders = account.folderLister()
    self.links = links
    super.init(title: PromptWords.title, sign: [TextRun(":", .accent)])
    rule.isHidden = true
    view.addSubview(hint)
    editor.didChange.add(self) { $0.textDidChange() }
    leaveOnBackspace()
    on(.promptComplete) { [weak self] in self?.complete(back: false) }
    on(.promptCompleteBack) { [weak self] in self?.complete(back: true) }
    on(.promptEarlier) { [weak self] in self?.recall { $0.earlier(than: $1) } }
    on(.promptLater) { [weak self] in self?.recall { history, _ in history.later() } }
  }

  /// Runs a command as if the user had typed it. The prompt must be on screen.
  public func run(_ line: String) {
    noteSelection()
    editor.text = line
    accept()
  }

  /// Sets the line shown when the prompt appears, which the user completes. `hint` describes the missing part.
  public func begin(_ line: String, hint: String) { beginning = (line, hint) }

  // MARK: Opening and closing

  override public func viewDidAppear() {
    show(beginning?.line ?? "")
    noteSelection()
    editor.isEditable = true
    completion = nil
    fetch = nil
    history.rewind()
    // A text change clears the hint. So report the new text before setting the hint.
    editor.tellChanges()
    say(beginning.map { [TextRun($0.hint, .accent)] } ?? [])
    beginning = nil
  }

  override func leave() {
    fetch = nil
    folders.cancel()
    subject = nil
    foreignSubject = nil
    dismiss()
  }

  private var selection: (qwink: Qwink?, qwinker: Qwinker?)? {
    let selection = (qwink: selectedQwink?(), qwinker: selectedQwinker?())
    return selection.qwink == nil && selection.qwinker == nil ? nil : selection
  }

  // MARK: Running

  override func accept() {
    guard fetch == nil || editor.isEditable else { return }
    // Report pending changes now, because they would clear the messages that follow.
    editor.tellChanges()
    fetch = nil
    guard editor.start(Self.maximumCharacters + 1).count <= Self.maximumCharacters else {
      return say([TextRun(PromptWords.tooLong, .error)])
    }
    let subject = subject ?? selection
    var situation = PromptSituation(
      me: account.identity.me, isSignedIn: account.isSignedIn, now: account.clock.now,
      host: WebAddress(account.connection.serverURL)?.host ?? account.connection.serverURL,
      rules: account.identity.rules, home: home, selectedQwink: subject?.qwink, selectedQwinker: subject?.qwinker,
      ownCommands: settings.desk?.commands ?? [],
      views: settings.desk?.views ?? [])
    guard let outcome = refusal(of: editor.text) ?? situation.outcome(of: editor.text) else { return leave() }
    history.add(editor.text)
    guard subject == nil, let foreign = foreignSubject, outcome.needsSelection else { return take(outcome) }
    let line = editor.text
    find(foreign) { [weak self] copy in
      situation.selectedQwink = copy
      situation.selectedQwinker = copy.author
      if let outcome = situation.outcome(of: line) { self?.take(outcome) }
    }
  }

  /// Finds the user's server's copy of a qwink of another server, and continues with `then`.
  private func find(_ foreign: Qwink, then: @escaping @MainActor (Qwink) -> Void) {
    say([TextRun(RemoteTimelineWords.finding, .accent)])
    editor.isEditable = false
    fetch = account.findOwnCopy(of: foreign) { [weak self] result in
      guard let self else { return }
      fetch = nil
      editor.isEditable = true
      switch result {
      case .success(let copy):
        didFind?(copy, foreign.originalID)
        then(copy)
      case .failure(let error): take(.refuse(error.sentence))
      }
    }
  }

  /// Returns a refusal if the server lacks a feature that the command needs.
  private func refusal(of line: String) -> PromptOutcome? {
    let ability = PromptCommand.named(PromptLine(line).name, besides: settings.desk?.commands ?? [])?.ability
    return ability.flatMap(account.connection.refusal).map { .refuse($0) }
  }

  private func take(_ outcome: PromptOutcome) {
    switch outcome {
    case .show(let place):
      leave()
      navigator?.show(place)
    case .perform(let action, let name):
      perform(afterLeaving: action, name)
    case .showAccount(let name):
      // If the switch fails, this prompt shows the reason. The other account's screen has its own prompt.
      if let reason = showAccount?(name) ?? nil { return take(.refuse(reason)) }
      leave()
    case .open(let address):
      leave()
      links.open(address)
    case .set(let setting):
      let driver = window?.application?.driver
      leave()
      if let driver { navigator?.say(setting.apply(to: driver, settings), .text) }
    case .write(let setting): write(setting)
    case .pipe(let command):
      leave()
      guard selectedRowKey?() == openedAt else { return navigator?.say(PromptWords.selectionChanged, .warning) ?? () }
      pipe?(command)
    case .choose(let choice):
      guard let words = choose?(choice) ?? nil else { return take(.refuse(HidingWords.refusal(of: choice))) }
      leave()
      navigator?.say(words, .text)
    case .reload:
      leave()
      guard let desk = settings.desk else { return navigator?.say(PromptWords.noConfig, .warning) ?? () }
      let problem = desk.reload()
      navigator?.say(problem ?? PromptWords.reloaded, problem == nil ? .text : .warning)
    case .act(let act):
      let navigator = navigator as? any Navigator & ViewController
      leave()
      if let navigator {
        act(QwinkCommand.Context(account: account, links: links, settings: settings, navigator: navigator))
      }
    case .refuse(let reason):
      // The line is in the history, so that the user can correct it.
      leave()
      navigator?.say(reason, .error)
    case .describe(let key?):
      leave()
      navigator?.say(ScreenSetting.words(key, settings[key]), .text)
    case .describe(nil):
      let navigator = navigator as? ViewController
      leave()
      navigator?.present(OutputSheet(title: PromptWords.settings, text: ScreenSetting.table { settings[$0] }))
    case .ask(let request, let doing, let then, let otherwise):
      say([TextRun(doing, .accent)])
      editor.isEditable = false
      fetch = account.fetch(request) { [weak self] result in
        guard let self else { return }
        fetch = nil
        editor.isEditable = true
        switch result {
        case .success(let qwinker): take(then(qwinker))
        case .failure(let error): take(.refuse(otherwise(error)))
        }
      }
    }
  }

  private func write(_ setting: ScreenSetting) {
    guard let desk = settings.desk, let driver = window?.application?.driver else {
      return take(.refuse(PromptWords.noConfig))
    }
    do throws(ConfigFileError) {
      try desk.write(setting.key, setting.value, in: settings.account)
    } catch {
      return take(.refuse(error.sentence))
    }
    leave()
    navigator?.say(PromptWords.written(setting.apply(to: driver, settings)), .text)
  }

  /// Closes the prompt first, so that the command acts on the screen below.
  private func perform(afterLeaving action: Action, _ name: String) {
    let window = window
    leave()
    if action == .quit { return navigator?.quit() ?? () }
    // While the user was typing, a new row may have been selected. The command must not act on that row.
    guard !action.isAboutRow || selectedRowKey?() == openedAt else {
      return navigator?.say(PromptWords.selectionChanged, .warning) ?? ()
    }
    guard window?.effectiveFirstResponder.perform(action) == false else { return }
    let keys = ":\(name)"
    let needed = IgnoredKeyWords.reason(action, keys: keys)
    let reason = needed == nil ? nil : refusal?() ?? needed
    if let reason {
      navigator?.say(reason, .warning)
    } else {
      navigator?.say(IgnoredKeyWords.nothing(keys, help: nil), .dim)
    }
  }

  private func noteSelection() {
    subject = selection
    foreignSubject = foreignQwink?()
    openedAt = selectedRowKey?()
  }

  private func recall(_ line: (inout PromptHistory, String) -> String?) {
    guard editor.isEditable, let text = line(&history, editor.text) else { return }
    show(text)
    completion = nil
    say([])
  }

  // MARK: Completing

  private func complete(back: Bool) {
    guard editor.isEditable, editor.start(Self.maximumCharacters + 1).count <= Self.maximumCharacters else { return }
    editor.tellChanges()
    if completion?.text == editor.text, completion?.candidates.count ?? 0 > 1 {
      completion?.step(back: back)
      return showCompletion()
    }
    let text = editor.text
    guard let path = PromptCompletion.path(in: text) else { return complete(with: []) }
    let refusal = folders.list(path.folder, startingWith: path.start, home: home) { [weak self] names in
      guard let self, editor.text == text else { return }
      complete(with: names)
    }
    if let refusal { say([TextRun(refusal, .accent)]) }
  }

  /// Completes the line. `files` are the file names that match a path in the line, if any.
  private func complete(with files: [String]) {
    completion = PromptCompletion(
      of: editor.text, lacking: account.connection.abilities.missing, files: files,
      known: {
        KnownWords.words(
          $0, in: account, accounts: accountNames?() ?? [], views: settings.desk?.views.map(\.name) ?? [],
          layouts: ReadyLayout.allCases.map(\.rawValue) + (settings.desk?.layouts.map(\.name) ?? []))
      })
    guard completion == nil else { return showCompletion() }
    askForNames()
  }

  private func showCompletion() {
    guard let completion else { return }
    show(completion.text)
    guard completion.candidates.count > 1 else { return say([]) }
    var runs: [TextRun<StyleRole>] = []
    for candidate in completion.candidates.prefix(Self.maximumSuggestions) {
      if !runs.isEmpty { runs.append(TextRun("  ", .dim)) }
      runs.append(TextRun(candidate, candidate == completion.current ? .strong : .dim))
    }
    if completion.candidates.count > Self.maximumSuggestions { runs.append(TextRun("  …", .dim)) }
    say(runs)
  }

  /// Called if no local word matches. Requests names from the server if the command takes the name of a user.
  private func askForNames() {
    let text = editor.text
    let typed = PromptLine(text)
    guard account.isSignedIn, let command = PromptCommand.named(typed.name), command.argument?.kind == .qwinker,
      let start = Handle.reading(typed.argument)
    else { return say([TextRun(PromptWords.noMatches, .dim)]) }
    say([TextRun(PromptWords.lookingUp(start), .accent)])
    fetch = account.fetch(.completeHandle(start, limit: 10)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      guard editor.text == text else { return }
      say([TextRun(PromptWords.noMatches, .dim)])
      guard case .success(let page) = result else { return }
      completion = PromptCompletion(command: command, typed: typed.argument, words: page.items.map(\.handle))
      showCompletion()
    }
  }

  // MARK: Appearance

  private func show(_ text: String) {
    editor.text = text
    view.setNeedsUpdateProperties()
  }

  private func textDidChange() {
    view.setNeedsUpdateProperties()
    if let completion, completion.text == editor.text { return }
    completion = nil
    // Messages and requests for the previous line are outdated.
    fetch = nil
    folders.cancel()
    say([])
  }

  private func say(_ words: [TextRun<StyleRole>]) {
    note.leading = words.isEmpty ? [] : [BarView.Item(words)]
  }

  /// The usage of the typed command, or a general hint if the line is empty. Empty if the command is unknown or an
  /// argument is typed.
  private var hintWords: String {
    let typed = PromptLine(editor.start(Self.charactersForHint))
    guard !typed.name.isEmpty else { return PromptWords.hint.namingKeys }
    let own = settings.desk?.commands ?? []
    guard typed.argument.isEmpty, let command = PromptCommand.named(typed.name, besides: own) else { return "" }
    let summary = (window?.application?.keymap).map { command.summary(in: $0) } ?? command.summary
    return "\(command.usage)  \(summary)"
  }

  override public func updateProperties() {
    let words = hintWords
    let room = view.frame.size.columns - DisplayWidth.columns(of: editor.start(Self.charactersForHint)) - 5
    hint.isHidden = words.isEmpty || room < DisplayWidth.columns(of: words)
    hint.lines = [[TextRun(words, .dim)]]
  }

  override var layout: Layout {
    let end = Layout.columns([.fill: nil, .intrinsic: hint, .fixed(1): nil])
    return .rows([.intrinsic(atMost: Self.maximumNoteRows): note, .fixed(1): Layout.layers([line, end])])
  }
}
