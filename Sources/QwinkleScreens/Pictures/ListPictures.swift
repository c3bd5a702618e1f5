import OnDemandResources
import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The pictures in a list row.
enum PictureSubject {
  /// A qwink: its pictures, next to each other in `textColumns` columns, and its author's avatar. `isWhole`: whether
  /// the row shows it in full.
  case qwink(Qwink, textColumns: Int, hasAvatar: Bool = true, isWhole: Bool = false)
  case qwinker(Qwinker)
}

/// The pictures and avatars of a list's visible rows. Fetches them when scrolling pauses and releases them when they
/// are no longer visible. After a longer pause, also fetches the next page's pictures, in the scrolling direction.
@MainActor
final class ListPictures {
  /// Pause before pictures are fetched. Pictures that the reader scrolls past aren't fetched.
  private static let rest = Duration.milliseconds(150)
  private static let longRest = Duration.milliseconds(600)

  private let shelf: PictureShelf
  private let account: Account
  private let settings: ReaderSettings
  /// Whether pictures are shown only at the comfortable density.
  private let hasDensity: Bool
  private weak var controller: ViewController?
  private weak var list: ListView?
  private let place: FilterPlace?
  private var timer: ProgramTimer?
  private let prefetch: ResourcePrefetch
  /// The request that keeps the pictures of the visible page from being purged. Nil until all of them are loaded.
  private var pageRequest: ResourceRequest?
  private var pageAddresses: [String] = []
  /// Returns the tag shared by the pictures of the list's visible page, if the list has one.
  private let page: @MainActor () -> ResourceTag?
  /// Returns the screen's name for ``ResourceStatus/owners``.
  private let owner: @MainActor () -> String
  /// The first visible row after the list last scrolled, and whether the list scrolled up.
  private var firstShown = 0
  private var movedUp = false
  /// Closures that return the visible rows, and the subjects of a range of rows.
  private let shownRows: @MainActor () -> Range<Int>
  private let subjects: @MainActor (Range<Int>) -> [PictureSubject]

  /// Returns nil if `shelf` is nil.
  init?(
    _ shelf: PictureShelf?, account: Account, settings: ReaderSettings, hasDensity: Bool,
    of controller: ViewController, in list: ListView, place: FilterPlace?, owner: @escaping @MainActor () -> String,
    page: @escaping @MainActor () -> ResourceTag?,
    shownRows: @escaping @MainActor () -> Range<Int>,
    subjects: @escaping @MainActor (Range<Int>) -> [PictureSubject]
  ) {
    guard let shelf else { return nil }
    self.shelf = shelf
    self.account = account
    self.settings = settings
    self.hasDensity = hasDensity
    self.controller = controller
    self.list = list
    self.place = place
    self.owner = owner
    self.page = page
    self.shownRows = shownRows
    self.subjects = subjects
    prefetch = ResourcePrefetch(shelf.resources)
    settings.didChange.add(self) { $0.lookSoon() }
  }

  /// The pictures of a qwink's cell, which shows it in full if `isWhole`; nil if pictures aren't shown.
  func cell(of qwink: Qwink, isWhole: Bool = false) -> CellPictures? {
    rendering.map {
      CellPictures(
        qwink, shelf: shelf, rendering: $0, driver: driver, isRevealed: account.timelines.isRevealed(qwink),
        isWhole: isWhole)
    }
  }

  /// The avatar of a qwinker's cell; nil if no avatar is shown.
  func cell(of qwinker: Qwinker) -> CellPictures? {
    rendering.flatMap { CellPictures(qwinker, shelf: shelf, rendering: $0, driver: driver) }
  }

  /// Fetches the pictures of the visible rows after a pause. Another call restarts the pause. Does nothing while the
  /// screen isn't visible.
  func lookSoon() {
    guard controller?.isOnScreen == true else { return }
    noteDirection()
    timer = account.clock.schedule(after: Self.rest) { [weak self] in self?.look() }
  }

  /// Stops fetching and releases all pictures of this list.
  func lookAway() {
    timer = nil
    prefetch.stop()
    shelf.lookAway(self)
    pageRequest?.end()
    pageRequest = nil
  }

  /// Retries the pictures that couldn't be downloaded or decoded.
  func tryAgain() {
    shelf.forgetFailures()
    lookAway()
    lookSoon()
  }

  private var driver: (any TerminalDriver)? { controller?.view.window?.application?.driver }

  private var rendering: PictureShelf.Rendering? {
    guard !hasDensity || settings.density == .comfortable else { return nil }
    return PictureShelf.Rendering(controller?.view.window, settings.pictures)
  }

  private func look() {
    timer = nil
    guard controller?.isOnScreen == true else { return }
    let subjects = subjects(shownRows())
    for subject in subjects { trust(subject.qwinker) }
    // Avatars and emoji first: they are small and shown repeatedly.
    let emoji = subjects.flatMap(emoji)
    let wishes = subjects.compactMap(avatar) + emoji + subjects.flatMap(pictures)
    var seen: Set<PictureWish> = []
    shelf.look(at: wishes.filter { seen.insert($0).inserted }, for: self, owner: owner()) { [weak self] in
      // An emoji replaces its name, so the text is wrapped again.
      if emoji.isEmpty { self?.list?.setNeedsDisplay() } else { self?.list?.reloadCells() }
      self?.holdPage()
    }
    var addresses: Set<String> = []
    pageAddresses = wishes.map(\.address).filter { addresses.insert($0).inserted }
    holdPage()
    // Show the loading state now: the first progress may arrive late.
    if wishes.contains(where: { shelf.state(of: $0).isLoading }) { list?.setNeedsDisplay() }
    if rendering != nil {
      timer = account.clock.schedule(after: Self.longRest) { [weak self] in self?.fetchAhead() }
    }
  }

  /// Keeps the page's pictures from being purged if all of them are loaded. Missing pictures are fetched by other
  /// requests, in order.
  private func holdPage() {
    guard let tag = page(), !pageAddresses.isEmpty else { return }
    if pageRequest?.state == .inUse, shelf.resources.resources(of: tag) == pageAddresses { return }
    shelf.resources.setResources(pageAddresses, for: tag)
    let request = shelf.resources.request([tag], owner: owner())
    request.conditionallyBegin { [weak self] isHeld in
      guard let self else { return }
      // End the old request only now. Otherwise the pictures would be unused for a moment, and could be purged.
      pageRequest?.end()
      pageRequest = isHeld ? request : nil
    }
  }

  /// Stops the prefetch when scrolling reverses.
  private func noteDirection() {
    let first = shownRows().lowerBound
    guard first != firstShown else { return }
    if movedUp != (first < firstShown) {
      movedUp.toggle()
      prefetch.stop()
    }
    firstShown = first
  }

  /// Fetches the avatars of the next page in the scrolling direction, then its pictures. Does nothing if the user
  /// allows downloads only on request.
  private func fetchAhead() {
    timer = nil
    guard controller?.isOnScreen == true, !shelf.resources.isMetered else { return }
    let shown = shownRows()
    let rows =
      movedUp
      ? max(0, shown.lowerBound - shown.count)..<shown.lowerBound
      : shown.upperBound..<(shown.upperBound + shown.count)
    let next = subjects(rows)
    let wishes = next.compactMap(avatar) + next.flatMap(pictures)
    var tags: [ResourceTag] = []
    for wish in wishes where !tags.contains(wish.tag) {
      tags.append(wish.tag)
      shelf.resources.setResources(wishes.filter { $0.tag == wish.tag }.map(\.address), for: wish.tag)
    }
    prefetch.start(tags)
  }

  private func trust(_ qwinker: Qwinker) {
    if qwinker.isLocal, let avatar = qwinker.avatarURL { shelf.trust(hostOf: avatar) }
  }

  private func avatar(of subject: PictureSubject) -> PictureWish? {
    if case .qwink(_, _, hasAvatar: false, _) = subject { return nil }
    return cell(of: subject.qwinker)?.avatar
  }

  private func emoji(of subject: PictureSubject) -> [PictureWish] {
    guard case .qwink(let qwink, _, _, _) = subject, !qwink.emoji.isEmpty || !qwink.author.emoji.isEmpty else {
      return []
    }
    return cell(of: qwink)?.emoji?.wishes ?? []
  }

  private func pictures(of subject: PictureSubject) -> [PictureWish] {
    guard case .qwink(let qwink, let columns, _, let isWhole) = subject,
      account.disclosure(of: qwink, in: place).cover == nil || account.timelines.isRevealed(qwink)
    else { return [] }
    return cell(of: qwink, isWhole: isWhole)?.wishes(textColumns: columns) ?? []
  }
}

extension PictureSubject {
  fileprivate var qwinker: Qwinker {
    switch self {
    case .qwink(let qwink, _, _, _): qwink.author
    case .qwinker(let qwinker): qwinker
    }
  }
}

extension Qwinker {
  /// Whether the account belongs to the user's server.
  var isLocal: Bool { !handle.contains("@") }
}

extension ListViewController {
  /// Shows pictures in the rows, if there is a shelf, and reloads the cells when a setting changes.
  func showPictures(_ shelf: PictureShelf?, account: Account, settings: ReaderSettings, hasDensity: Bool = true) {
    settings.didChange.add(self) { $0.list.reloadCells() }
    pictures = ListPictures(
      shelf, account: account, settings: settings, hasDensity: hasDensity, of: self, in: list, place: filterPlace,
      owner: { [weak self] in self?.resourceOwner ?? "" },
      page: { [weak self] in self?.pageTag },
      shownRows: { [weak self] in self?.shownRows ?? 0..<0 }
    ) { [weak self] range in
      guard let self else { return [] }
      return range.clamped(to: rows.indices).compactMap(pictureSubject(ofRowAt:))
    }
  }
}
