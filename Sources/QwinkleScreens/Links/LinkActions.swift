public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal

/// Follows links: tags, qwinkers and qwinks open in this program, attachments in the user's viewer, and other links in
/// a browser. Each account has one instance.
@MainActor
public final class LinkActions {
  public weak var navigator: (any Navigator)?

  /// The length in bytes of the longest address that fits next to a sentence in a narrow window.
  private static let maximumShownBytes = 50

  private let account: Account
  private let opener: any URLOpener
  var keymap: Keymap
  private let hasPages: Bool
  /// The request in progress for the target of a link, if any. A new request replaces it.
  private var fetch: Fetch?
  /// Number of lookups so far. Used to remove the message about a lookup when another lookup begins.
  private var resolutionCount = 0

  /// - Parameter hasPages: Whether the server's qwinks have web pages. Qwinks of the embedded server have none.
  public init(account: Account, opener: any URLOpener, keymap: Keymap, hasPages: Bool = true) {
    self.account = account
    self.opener = opener
    self.keymap = keymap
    self.hasPages = hasPages
  }

  /// Opens one of the links of `qwink`, which `choice` chooses. If it chooses none, because there are several links or
  /// the link's text is misleading, a sheet over `controller` lists the links. If a warning or a filter hides the
  /// links, only shows a message, because the user must reveal the qwink first.
  func open(_ qwink: Qwink, choice: Choice = .only, over controller: ViewController) {
    if account.disclosure(of: qwink, in: nil).cover != nil, !account.timelines.isRevealed(qwink) {
      let key = KeysInForce(keymap: keymap, contexts: [.qwink]).hint(for: .reveal)?.key
      navigator?.say(LinkWords.covered(key), .warning)
      return
    }
    open(choice, from: links(of: qwink), over: controller)
  }

  /// Opens one of the links of `qwinker`'s profile, or lists them, as for a qwink.
  func open(_ qwinker: Qwinker, choice: Choice = .only, over controller: ViewController) {
    let tags = account.featuredTags.tags(of: qwinker.id).map(\.name)
    open(choice, from: QwinkLinks(qwinker, tags: tags, hasPage: hasPages), over: controller)
  }

  /// Opens the link that the user clicked. `qwink` is the qwink with the link, if any. A link whose text is misleading
  /// is shown in a sheet over `controller` instead.
  func open(_ link: TextLink, of qwink: Qwink?, over controller: ViewController) {
    switch LinkTarget(link) {
    case .tag(let name): follow(.tag(name))
    case .mention(let url):
      if let mention = qwink?.mentions.first(where: { $0.url == url }) {
        follow(.mention(mention))
      } else if let address = WebAddress(url) {
        resolve(address)
      }
    case .link(let url):
      let entry = qwink.flatMap { links(of: $0).entries.first { $0.url == url } }
      // The terminal gets the address of each web link that isn't misleading where it is.
      let isPlain = WebAddress(url) == nil ? entry?.mayOpenUnseen ?? false : link.address != nil
      open(isPlain ? .first : .listed, from: QwinkLinks(entry ?? .init(url: url, shownAs: "")), over: controller)
    }
  }

  /// Copies the address of `qwink` for sharing.
  public func copy(_ qwink: Qwink) {
    guard hasPage(qwink), let url = qwink.url, !url.isEmpty else {
      navigator?.say(LinkWords.qwinkWithoutAddress, .warning)
      return
    }
    copy(url: url)
  }

  /// Copies the address of `qwinker`'s page for sharing.
  public func copy(_ qwinker: Qwinker) {
    guard hasPages, let url = qwinker.url, !url.isEmpty else {
      navigator?.say(LinkWords.profileWithoutAddress, .warning)
      return
    }
    copy(url: url)
  }

  /// Opens an address: in the program if the server recognizes it as a qwink or a qwinker, otherwise in a browser.
  public func open(_ address: WebAddress) {
    resolve(address)
  }

  /// The link to open without a list.
  enum Choice {
    /// The only link; see ``QwinkLinks/only``.
    case only
    /// The first of several links.
    case first
    /// No link: the user chooses from the list.
    case listed
  }

  private func links(of qwink: Qwink) -> QwinkLinks {
    QwinkLinks(qwink, quote: account.quoteDisclosure(of: qwink, in: nil), hasPage: hasPage(qwink))
  }

  private func hasPage(_ qwink: Qwink) -> Bool { hasPages || qwink.isFromOtherServer }

  private func open(_ choice: Choice, from links: QwinkLinks, over controller: ViewController) {
    let chosen: QwinkLinks.Entry? =
      switch choice {
      case .only: links.only
      case .first: links.first
      case .listed: nil
      }
    if let chosen { return follow(chosen.target) }
    guard !links.entries.isEmpty else {
      navigator?.say(LinkWords.none, .dim)
      return
    }
    controller.present(
      LinkSheet(
        links: links, keymap: keymap, choose: { [weak self] in self?.follow($0.target) },
        copy: { [weak self] in self?.copy($0) }))
  }

  private func copy(_ entry: QwinkLinks.Entry) {
    switch entry.target {
    case .link(let address), .attachment(let address), .page(let address): navigator?.copy(address.target)
    case .quote(_, let url): if let url { copy(url: url) }
    case .other(let url): copy(url: url)
    case .mention(let mention):
      if let url = mention.url { copy(url: url) } else { navigator?.copy("@\(mention.handle)") }
    case .tag(let name): navigator?.copy("#\(name)")
    }
  }

  /// Copies `url` in the form passed to browsers.
  private func copy(url: String) {
    navigator?.copy(WebAddress(url)?.target ?? PercentEncoding.encoded(url))
  }

  private func follow(_ target: QwinkLinks.Target) {
    switch target {
    case .link(let address):
      if account.isOwn(address) { resolve(address) } else { browse(address) }
    case .quote(let id, _): navigator?.show(qwinkWith: id)
    case .attachment(let address): view(address)
    case .page(let address): browse(address)
    case .tag(let name):
      navigator?.show(.timeline(.tag(name)))
    case .mention(let mention):
      show(mention)
    case .other(let url):
      let reason =
        url.lowercased().hasPrefix("http") ? LinkWords.badHost : LinkWords.otherScheme
      tell(of: url, after: reason)
    }
  }

  /// Opens a picture, video or sound in the external viewer.
  func view(_ address: WebAddress) { openOutside(address, in: .viewer, saying: LinkWords.opening(address.words)) }

  /// Plays the video or sound of `qwink`. If there are several, a sheet over `controller` lists them. If a warning, a
  /// filter or the author's mark hides them, only shows a message, because the user must reveal the qwink first.
  func play(_ qwink: Qwink, over controller: ViewController) {
    let isHidden = account.disclosure(of: qwink, in: nil).cover != nil || qwink.isSensitive
    guard !isHidden || account.timelines.isRevealed(qwink) else {
      return navigator?.say(PictureWords.sensitive, .warning) ?? ()
    }
    let links = QwinkLinks(playing: account.shown(qwink))
    guard links.entries.count != 1 else { return play(links.entries[0]) }
    guard !links.entries.isEmpty else { return navigator?.say(PictureWords.nothingToPlay, .dim) ?? () }
    controller.present(
      LinkSheet(
        links: links, keymap: keymap, choose: { [weak self] in self?.play($0) }, copy: { [weak self] in self?.copy($0) }
      ))
  }

  private func play(_ entry: QwinkLinks.Entry) {
    if case .attachment(let address) = entry.target { play(address) }
  }

  /// Plays a video or sound in the user's player.
  func play(_ address: WebAddress) {
    let rules = MediaRules(serverURL: account.connection.serverURL)
    guard rules.refusal(of: address.target, isByKey: true) == nil else {
      return tell(of: address.target, after: LinkWords.notPlayed)
    }
    openOutside(address, in: .player, saying: LinkWords.playing(address.words))
  }

  private func browse(_ address: WebAddress) { browse(address, after: "") }

  /// Opens an address in the browser. The message begins with `sentence`, the reason for using the browser.
  func browse(_ address: WebAddress, after sentence: String) {
    openOutside(address, in: .browser, saying: LinkWords.openingInBrowser(address.words), after: sentence)
  }

  private func openOutside(
    _ address: WebAddress, in program: OutsideProgram, saying words: String, after sentence: String = ""
  ) {
    let before = sentence.isEmpty ? "" : "\(sentence) "
    do {
      try opener.open(address, in: program)
      navigator?.say(before + words, .dim)
    } catch {
      tell(of: address.target, after: before + error.sentence)
    }
  }

  /// Shows an address that can't be opened. A long address is also copied, because the status bar would truncate it.
  /// `sentence` is the reason that the address wasn't opened.
  private func tell(of url: String, after sentence: String) {
    guard url.utf8.count > Self.maximumShownBytes else {
      navigator?.say(LinkWords.notOpened(sentence, link: url), .warning)
      return
    }
    navigator?.copy(WebAddress(url)?.target ?? PercentEncoding.encoded(url), after: sentence)
  }

  private func resolve(_ address: WebAddress) {
    let isHere = navigator?.whileHere()
    resolutionCount += 1
    let number = resolutionCount
    navigator?.say(LinkWords.opening(address.words), .dim) { [weak self] in
      self.map { $0.fetch != nil && $0.resolutionCount == number } ?? false && isHere?() ?? false
    }
    fetch = account.fetch(.search(address.url, limit: 1)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      navigator?.wordsMayHaveChanged()
      guard isHere?() ?? false else { return }
      if case .failure(let error) = result, error.isCancelled { return }
      guard case .success(let results) = result else { return openOwn(address) }
      if let qwink = results.qwinks.first {
        navigator?.show(.thread(qwink))
      } else if let qwinker = results.qwinkers.first {
        navigator?.show(.qwinker(qwinker))
      } else {
        openOwn(address)
      }
    }
  }

  /// Opens an address that the server's search didn't find, or for which the search failed. Some servers don't find
  /// their own addresses, so if the address ends with the id of a qwink on this server, fetches that qwink. If there is
  /// no such id, or the fetch fails, opens the address in a browser.
  private func openOwn(_ address: WebAddress) {
    let domain = account.identity.serverInfo?.domain
    guard let id = account.connection.qwinkID(in: address, domain: domain) else { return browse(address) }
    let isHere = navigator?.whileHere()
    fetch = account.fetch(.qwink(id)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      navigator?.wordsMayHaveChanged()
      guard isHere?() ?? false else { return }
      switch result {
      case .success(let qwink): navigator?.show(.thread(qwink))
      case .failure(let error): if !error.isCancelled { browse(address) }
      }
    }
  }

  private func show(_ mention: Qwink.Mention) {
    resolutionCount += 1
    let request: Request<Qwinker> =
      mention.id.rawValue.isEmpty ? .lookup(handle: mention.handle) : .qwinker(mention.id)
    let isHere = navigator?.whileHere()
    fetch = account.fetch(request) { [weak self] result in
      guard let self else { return }
      fetch = nil
      guard isHere?() ?? false else { return }
      switch result {
      case .success(let qwinker): navigator?.show(.qwinker(qwinker))
      case .failure(let error): navigator?.say(error.sentence, .error)
      }
    }
  }
}

extension Account {
  func isOwn(_ address: WebAddress) -> Bool {
    connection.isOwn(address, domain: identity.serverInfo?.domain)
  }
}
