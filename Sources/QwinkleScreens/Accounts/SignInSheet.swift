import PaneKit
import Terminal

/// A sheet for signing in to an account. It asks for the server, and shows the address of the page where the user
/// authorizes Qwinkle. Then it accepts the code from the browser or from the user.
@MainActor
final class SignInSheet: FormSheet {
  private enum Step {
    case server
    case registering
    case code(SignInPage)
    case finishing(SignInPage)
  }

  private static let server = 0
  private static let code = 1
  private static let mostPageRows = 10

  private let steps: any SignInSteps
  private let finished: @MainActor (SignedInAccount) -> Void
  private let page = TextView()
  private var step = Step.server
  private var work: Task<Void, Never>?
  private var browser: Task<Void, Never>?

  /// - Parameter server: The initial address; may be empty.
  /// - Parameter finished: Called when the account is saved and the sheet has closed.
  init(
    _ steps: any SignInSteps, keymap: Keymap, server address: String,
    finished: @escaping @MainActor (SignedInAccount) -> Void
  ) {
    self.steps = steps
    self.finished = finished
    super.init(
      title: AccountWords.signIn,
      fields: [
        Field(label: AccountWords.server, text: address, help: AccountWords.aboutServer),
        Field(label: AccountWords.code, help: AccountWords.aboutCode),
      ], context: .signIn, keymap: keymap)
    view.addSubview(page)
    // The sheet's keys take precedence over the editors' own keys.
    for editor in editors { editor.keyContext = .signIn }
    on(.signInNext) { [weak self] in self?.acceptOnce() }
    on(.copyLink, when: { [weak self] in self?.shownPage != nil }) { [weak self] in self?.copyPage() }
    enter(.server)
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

  override func accept() {
    switch step {
    case .server: begin()
    case .code(let page): finish(texts[Self.code], page)
    case .registering, .finishing: break
    }
  }

  /// Closes the sheet at once, because little was typed.
  override func leave() { dismiss() }

  private func begin() {
    let address = texts[Self.server]
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
      (shown.server.map { [[TextRun($0, .strong)]] } ?? [])
      + (shown.warning.map { [[TextRun($0, .warning)]] } ?? []) + [
        [TextRun(shown.isOpen ? AccountWords.pageIsOpen : AccountWords.openPage, .text)],
        [TextRun(shown.address, .link)],
      ]
    window?.makeFirstResponder(editors[Self.code])
    updateWords()
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
    if case .server = step { window?.makeFirstResponder(editors[Self.server]) }
    for subview in [page, labels[Self.code], editors[Self.code]] { subview.isHidden = shownPage == nil }
    activity =
      switch step {
      case .server, .code: nil
      case .registering: AccountWords.asking
      case .finishing: AccountWords.signingIn
      }
    view.setNeedsLayout()
  }

  override func isEditable(_ index: Int) -> Bool {
    super.isEditable(index) && index == (shownPage == nil ? Self.server : Self.code)
  }

  override var hintedActions: [Action] {
    (activity == nil ? [.signInNext] : []) + (shownPage == nil ? [] : [.copyLink]) + [.formLeave]
  }

  private func pageRows(forColumns columns: Int) -> Int {
    guard let shownPage else { return 0 }
    let wide = max(1, columns - 2)
    let texts = [shownPage.server, shownPage.warning, shownPage.address].compactMap(\.self)
    return min(Self.mostPageRows, texts.reduce(1) { $0 + ($1.count + wide - 1) / wide })
  }

  override var labelColumns: Int { super.labelColumns - 1 }

  override func metaLimit(inWindowOf rows: Int) -> Int { max(1, rows / 3) }

  override var isTall: Bool { shownPage != nil }

  override func fieldRowCount(in size: Size) -> Int {
    shownPage == nil ? 1 : 2 + pageRows(forColumns: size.columns)
  }

  override func fieldRows(in room: Size) -> Layout {
    guard shownPage != nil else { return .rows([.fixed(1): row(Self.server)]) }
    return .rows([.fixed(1): row(Self.server), .minimum(1): page, .fixed(1): row(Self.code)])
  }
}
