import PaneKit
import Terminal

/// A sheet for signing in to an account. It asks for the server, and shows the address of the page where the user
/// authorizes Qwinkle. Then it accepts the code from the browser or from the user.
@MainActor
final class SignInSheet: ViewController {
  private enum Step {
    case server
    case registering
    case code(SignInPage)
    case finishing(SignInPage)
  }

  private static let labelColumns = 7
  private static let mostPageRows = 10

  weak var navigator: (any Navigator)?

  private let steps: any SignInSteps
  private let keymap: Keymap
  private let finished: @MainActor (SignedInAccount) -> Void
  private let rule = RuleView()
  private let serverLabel = Label(TextRun(AccountWords.server, .dim))
  private let server = TextEditor(isSingleLine: true)
  private let page = TextView()
  private let codeLabel = Label(TextRun(AccountWords.code, .dim))
  private let code = TextEditor(isSingleLine: true)
  private let meta = BarView()
  private let hints = BarView()
  private var step = Step.server
  private var failure: String?
  private var work: Task<Void, Never>?
  private var browser: Task<Void, Never>?

  /// - Parameter server: The initial address; may be empty.
  /// - Parameter finished: Called when the account is saved and the sheet has closed.
  init(
    _ steps: any SignInSteps, keymap: Keymap, server address: String,
    finished: @escaping @MainActor (SignedInAccount) -> Void
  ) {
    self.steps = steps
    self.keymap = keymap
    self.finished = finished
    super.init()
    title = AccountWords.signIn
    keyContext = .signIn
    for subview in [rule, serverLabel, server, page, codeLabel, code, meta, hints] { view.addSubview(subview) }
    rule.title = [TextRun(AccountWords.signIn, .strong)]
    server.label = AccountWords.server
    server.text = address
    code.label = AccountWords.code
    for editor in [server, code] {
      // The sheet's keys take precedence over the editor's own keys.
      editor.keyContext = .signIn
      editor.didChange.add(self) { $0.textDidChange() }
    }
    preferredFirstResponder = server
    on(.signInNext) { [weak self] in self?.goOn() }
    on(.formLeave) { [weak self] in self?.dismiss() }
    on(.copyLink, when: { [weak self] in self?.shownPage != nil }) { [weak self] in self?.copyPage() }
    updateWords()
  }

  override func viewDidDisappear() {
    work?.cancel()
    browser?.cancel()
    steps.end()
  }

  // MARK: Steps

  private var shownPage: SignInPage? {
    switch step {
    case .code(let page), .finishing(let page): page
    case .server, .registering: nil
    }
  }

  private func goOn() {
    switch step {
    case .server: begin()
    case .code(let page): finish(code.text, page)
    case .registering, .finishing: break
    }
  }

  private func begin() {
    server.tellChanges()
    let address = server.text
    guard !address.allSatisfy(\.isWhitespace) else { return fail(AccountWords.noServer) }
    enter(.registering)
    work = Task { [weak self, steps] in
      do throws(SignInTrouble) {
        let page = try await steps.begin(at: address)
        self?.show(page)
      } catch {
        self?.enter(.server)
        self?.fail(error.sentence)
      }
    }
  }

  /// Shows the address of the page where the user authorizes Qwinkle, and waits for the browser's redirect.
  func show(_ shown: SignInPage) {
    enter(.code(shown))
    page.paragraphs =
      (shown.warning.map { [[TextRun($0, .warning)]] } ?? []) + [
        [TextRun(shown.isOpen ? AccountWords.pageIsOpen : AccountWords.openPage, .text)],
        [TextRun(shown.address, .link)],
      ]
    window?.makeFirstResponder(code)
    browser = Task { [weak self, steps] in
      guard let address = await steps.redirected(), !Task.isCancelled else { return }
      self?.finish(address, shown)
    }
  }

  private func finish(_ typed: String, _ page: SignInPage) {
    guard case .code = step else { return }
    guard !typed.allSatisfy(\.isWhitespace) else { return fail(AccountWords.noCode) }
    enter(.finishing(page))
    work = Task { [weak self, steps] in
      do throws(SignInTrouble) {
        let account = try await steps.finish(code: typed)
        self?.close(with: account)
      } catch {
        self?.enter(error.isAboutCode ? .code(page) : .server)
        self?.fail(error.sentence)
      }
    }
  }

  private func close(with account: SignedInAccount) {
    dismiss()
    finished(account)
  }

  private func copyPage() {
    guard let shownPage else { return }
    navigator?.copy(shownPage.address)
  }

  // MARK: Content

  private func enter(_ step: Step) {
    self.step = step
    failure = nil
    if case .server = step { window?.makeFirstResponder(server) }
    updateWords()
    view.setNeedsLayout()
    view.invalidateIntrinsicSize()
  }

  private func fail(_ sentence: String) {
    failure = sentence
    updateWords()
    view.invalidateIntrinsicSize()
  }

  private func textDidChange() {
    guard failure != nil else { return }
    failure = nil
    updateWords()
  }

  private func updateWords() {
    var isWorking = false
    var words = AccountWords.aboutServer
    switch step {
    case .server: break
    case .registering:
      words = AccountWords.asking
      isWorking = true
    case .code: words = AccountWords.aboutCode
    case .finishing:
      words = AccountWords.signingIn
      isWorking = true
    }
    server.isEditable = shownPage == nil && !isWorking
    code.isEditable = shownPage != nil && !isWorking
    for subview in [page, codeLabel, code] { subview.isHidden = shownPage == nil }
    meta.leading = [
      failure.map { .init($0, .error, priority: 11) } ?? .init(words, isWorking ? .accent : .dim, priority: 9)
    ]
    hints.leading = StatusWords.hints(
      KeysInForce(keymap: keymap, contexts: [.signIn], editor: server),
      actions: (isWorking ? [] : [.signInNext]) + (shownPage == nil ? [] : [.copyLink]) + [.formLeave])
  }

  private func pageRows(forColumns columns: Int) -> Int {
    guard let shownPage else { return 0 }
    let wide = max(1, columns - 2)
    let texts = [shownPage.warning, shownPage.address].compactMap(\.self)
    return min(Self.mostPageRows, texts.reduce(1) { $0 + ($1.count + wide - 1) / wide })
  }

  override func preferredSheetRows(in size: Size) -> Int {
    let metaRows = meta.rows(forColumns: size.columns, limit: max(1, size.rows / 3))
    return min(size.rows, 3 + metaRows + (shownPage == nil ? 0 : pageRows(forColumns: size.columns) + 1))
  }

  override func layout(in size: Size) -> Layout? {
    func field(_ label: Label, _ editor: TextEditor) -> Layout {
      .columns([.fixed(1): nil, .fixed(Self.labelColumns): label, .fill: editor, .fixed(1): nil])
    }
    let metaLimit = max(1, (window?.size.rows ?? size.rows) / 3)
    guard shownPage != nil else {
      return .rows([
        .intrinsic: rule, .fixed(1): field(serverLabel, server), .intrinsic(atMost: metaLimit): meta, .fill: nil,
        .fixed(1): hints,
      ])
    }
    return .rows([
      .intrinsic: rule, .fixed(1): field(serverLabel, server), .minimum(1): page,
      .fixed(1): field(codeLabel, code), .intrinsic(atMost: metaLimit): meta, .fixed(1): hints,
    ])
  }
}
