public import PaneKit
import QwinkleAccount
public import QwinkleModel
import QwinkleService
public import Terminal

extension MainViewController: Navigator {
  public func show(_ place: Place) { router.show(place) }

  /// Shows one of the account's lists. If the user isn't signed in, shows a message instead.
  func showOwn(_ place: Place) {
    guard account.isSignedIn else { return say(MainWords.thisNeedsAccount, .warning) }
    show(place)
  }

  public func show(_ place: Place, insteadOf screen: any Screen) { router.show(place, insteadOf: screen) }

  public func show(qwinkWith id: Qwink.ID) {
    let isHere = whileHere()
    lookupCount += 1
    let number = lookupCount
    say(MainWords.openingQwink, .dim) { [weak self] in
      self.map { $0.lookup != nil && $0.lookupCount == number } ?? false && isHere()
    }
    lookup = account.fetch(.qwink(id)) { [weak self] result in
      self?.lookup = nil
      self?.wordsMayHaveChanged()
      guard isHere() else { return }
      switch result {
      case .success(let qwink): self?.show(.thread(qwink))
      case .failure(let error) where error.isCancelled: break
      case .failure(let error):
        let known = self?.account.timelines.knownQwinks.first { $0.originalID == id }
        if case .transport = error, let known { self?.show(.thread(known.original)) }
        self?.say(error.sentence, .error)
      }
    }
  }

  public func open(_ link: TextLink, in screen: any Screen) {
    factory.links.open(link, of: screen.selectedQwink ?? screen.foreignQwink, over: self)
  }

  public func whileHere() -> @MainActor () -> Bool {
    { [weak self, weak front = focus] in front != nil && self?.focus === front }
  }

  public func write(_ purpose: EntryPurpose) {
    guard account.isSignedIn else { return say(MainWords.writingNeedsAccount, .warning) }
    open(factory.entry(purpose))
  }

  public func reopen(_ discarded: DiscardedEntry) {
    open(factory.entry(discarded.purpose, resuming: discarded))
  }

  public func copy(_ text: String) {
    let isCopied = window?.copy(text) ?? false
    say(isCopied ? "\(MainWords.copied): \(text)" : text, .link)
  }

  public func copy(_ address: String, after sentence: String) {
    let isCopied = window?.copy(address) ?? false
    say("\(sentence) \(isCopied ? MainWords.copied : MainWords.link): \(address)", .warning)
  }

  public func ask(_ question: String, again: Character?, confirmed: @escaping @MainActor () -> Void) {
    present(ConfirmViewController(question: question, again: again, confirmed: confirmed))
  }

  public func type(_ line: String, hint: String) { actions.type(line, hint: hint) }

  public func perform(_ command: LayoutCommand) { router.perform(command) }

  public func quit() { window?.application?.quit() }

  /// Whether the program can quit at once. If not, it quits once the user agrees or the requests in progress are
  /// finished.
  public func mayQuit() -> Bool { quitting.mayQuit() }

  public func selectionDidChange(in screen: any Screen) {
    for stack in router.shownStacks { stack.pane.follow(screen) }
    // The selected row may have other key hints.
    setNeedsHints()
  }

  public func detailDidOpenOrClose() { router.panes.view.setNeedsUpdateProperties() }

  public func statusDidChange(of screen: any Screen) {
    // The screen may have a detail to show now.
    for stack in router.shownStacks where stack.pane.main === screen && !stack.pane.hasDetail {
      stack.pane.follow(screen)
    }
    setNeedsBars()
  }
}

extension MainViewController {
  /// Registers the application's actions, which aren't specific to a screen.
  public func registerActions(of application: Application) {
    application.keyContext = .always
    application.on(.quit) { [weak application] in application?.terminate() }
    application.on(.suspend) { [weak application] in application?.suspend() }
    application.on(.redraw) { [weak application] in application?.redraw() }
    application.on(.interrupt) { [weak self] in
      self?.firstFetch?.cancel()
      self?.quitting.interrupt()
    }
    application.on(.help) { [weak self] in self?.showHelp() }
    application.runCommand = { [weak self] in self?.actions.run($0) }
    application.pasteDelegate = self
  }
}

extension MainViewController: PasteDelegate {
  public func application(
    _ application: Application, confirmPasteOf size: PasteSize, paste: @escaping @MainActor () -> Void
  ) {
    ask(PasteWords.question(size), again: nil, confirmed: paste)
  }

  public func applicationDidIgnorePaste(_ application: Application) { say(PasteWords.ignored, .warning) }

  public func applicationDidStallPaste(_ application: Application) { say(PasteWords.stalled, .warning) }
}
