import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal

/// Folding branches, moving between them, and fetching missing replies from the author's server.
extension ThreadViewController {
  func registerBranches() {
    view.keyContext = .thread
    on(.threadFold) { [weak self] in self?.foldSelected() }
    on(.threadNext) { [weak self] in self?.goToSibling(isNext: true) }
    on(.threadPrevious) { [weak self] in self?.goToSibling(isNext: false) }
    on(.threadRest) { [weak self] in self?.fetchRest() }
    on(.parent, when: { [weak self] in self?.parentIndex != nil }) { [weak self] in
      if let self, let index = parentIndex { select(index) }
    }
    on(.openLink, when: { [weak self] in self?.isElsewhereSelected ?? false }) { [weak self] in
      if let self, let qwink = selectedRow?.qwink { openElsewhere(qwink) }
    }
    on(.copyLink, when: { [weak self] in self?.isElsewhereSelected ?? false }) { [weak self] in
      if let self, let qwink = selectedRow?.qwink { links?.copy(qwink) }
    }
  }

  // MARK: Folding

  /// Returns the nodes that aren't hidden by folding. Also updates the number of replies that each folded qwink hides.
  func shownNodes() -> [ThreadTree.Node] {
    guard let (nodes, hidden) = tree?.shown(folding: folded) else { return [] }
    hiddenCounts = hidden
    return nodes
  }

  private func foldSelected() {
    guard let tree, let row = selectedRow else { return }
    let id = row.qwink.originalID
    if folded.remove(id) == nil {
      let place = tree.nodes.firstIndex { $0.id == row.id } ?? 0
      let branch = ThreadTree.branch(below: place, in: tree.nodes, focus: tree.focusIndex)
      guard !branch.isEmpty else { return say(ThreadWords.nothingToFold, .dim) }
      folded.insert(id)
    }
    showKeepingSelection(shownNodes())
    list.reloadCells()
  }

  // MARK: Moving

  private func goToSibling(isNext: Bool) {
    guard let tree, let index = selectedIndex,
      let sibling = ThreadTree.sibling(of: index, in: rows, focus: tree.focusIndex, isNext: isNext)
    else { return say(isNext ? ThreadWords.noNext : ThreadWords.noPrevious, .dim) }
    select(sibling)
  }

  private var parentIndex: Int? {
    guard let tree, let index = selectedIndex else { return nil }
    return ThreadTree.parent(of: index, in: rows, focus: tree.focusIndex)
  }

  // MARK: Elsewhere

  var isElsewhereSelected: Bool { selectedRow?.isElsewhere ?? false }

  /// The address of the opened qwink on its author's server, unless that is the account's server.
  private var authorAddress: WebAddress? {
    guard let address = qwink?.url.flatMap({ WebAddress($0) }), !account.isOwn(address) else { return nil }
    return address
  }

  var authorHost: String? { authorAddress?.hostName.words }

  /// Whether the author's server may have replies that are missing here. False until the thread is fetched, while that
  /// server is being asked, and once that server has answered.
  var canFetchRest: Bool {
    hasThread && foreign == nil && foreignFetch == nil && authorAddress != nil && (tree?.missingReplies ?? 0) > 0
  }

  /// Fetches the public part of the thread from the author's server, and shows the missing replies. If that server
  /// doesn't allow this, opens the qwink's page in the browser. If the request fails, shows the error.
  private func fetchRest() {
    guard foreignFetch == nil else { return }
    guard let qwink, let address = authorAddress, let host = authorHost else {
      return say(ThreadWords.allHere, .dim)
    }
    guard let id = ForeignThread.id(in: address), let others = account.others else {
      return openOutside(address, ForeignThreadError.notReadable(host: host).sentence)
    }
    foreignFetch = others.fetch(.thread(id), from: address) { [weak self] result in
      guard let self, self.qwink?.rowID == qwink.rowID else { return }
      switch result {
      case .success(let thread):
        showAfterLoadingHidden(ForeignThread(host: host, focus: id, thread: thread), around: qwink)
      case .failure(let error):
        foreignFetch = nil
        tell(error, of: address, host)
        updateWords()
      }
    }
    if foreignFetch == nil { return openOutside(address, ForeignThreadError.notReadable(host: host).sentence) }
    updateWords()
  }

  /// Loads the user's mutes, blocks and filters, and then shows the replies from another server that they don't hide.
  /// If loading fails, shows an error and none of these replies.
  private func showAfterLoadingHidden(_ foreign: ForeignThread, around qwink: Qwink) {
    account.follows.loadHidden { [weak self] result in
      guard let self, self.qwink?.rowID == qwink.rowID, foreignFetch != nil else { return }
      foreignFetch = nil
      switch result {
      case .success(let filters): take(foreign.matched(by: filters))
      case .failure(let error):
        if !error.isCancelled { say(ForeignThreadError.notChecked(error).sentence, .error) }
      }
      updateWords()
    }
  }

  private func take(_ foreign: ForeignThread) {
    let count = tree?.nodes.count ?? 0
    self.foreign = foreign
    take(thread ?? QwinkThread())
    let more = (tree?.nodes.count ?? 0) - count
    say(ThreadWords.fetched(more, from: foreign.host), more > 0 ? .new : .dim)
  }

  private func tell(_ error: DownloadError, of address: WebAddress, _ host: String) {
    let reason = ForeignThreadError(error, host: host)
    guard case .failed = reason else { return openOutside(address, reason.sentence) }
    if !error.isCancelled { say(reason.sentence, .error) }
  }

  private func openOutside(_ address: WebAddress, _ sentence: String) {
    guard let links else { return say(sentence, .warning) }
    links.browse(address, after: sentence)
  }

  /// Opens a qwink that only another server has. The account's server fetches it; if that fails, the web page opens.
  func openElsewhere(_ qwink: Qwink) {
    guard let address = qwink.url.flatMap({ WebAddress($0) }), let links else { return }
    links.open(address)
  }

  /// Returns the note below a qwink: the number of folded replies, or else the server that has the qwink if the
  /// account's server doesn't. Nil for other qwinks.
  func note(of node: ThreadTree.Node) -> TextRun<StyleRole>? {
    if let count = hiddenCounts[node.qwink.originalID] { return TextRun(ThreadWords.folded(count), .accent) }
    guard node.isElsewhere, let foreign else { return nil }
    return TextRun(ThreadWords.elsewhere(foreign.host), .dim)
  }
}
