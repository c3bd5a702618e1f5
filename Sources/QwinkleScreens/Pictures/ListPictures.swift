import OnDemandResources
import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// What a row of a list shows in pictures.
enum PictureSubject {
  /// A qwink: its pictures, beside each other in so many columns, and its author's avatar.
  case qwink(Qwink, textColumns: Int, hasAvatar: Bool = true)
  case qwinker(Qwinker)
}

/// The pictures and avatars of the rows in sight of one list: fetched once the reader rests, let go when they are out
/// of sight. After a longer rest the next page's are fetched, too, in the direction in which the reader goes.
@MainActor
final class ListPictures {
  /// How long the reader rests before pictures are fetched: what is flung past would be, too.
  private static let rest = Duration.milliseconds(150)
  private static let longRest = Duration.milliseconds(600)

  private let shelf: PictureShelf
  private let account: Account
  private let settings: ReaderSettings
  /// Whether the list's density says whether there are pictures.
  private let hasDensity: Bool
  private weak var controller: ViewController?
  private weak var list: ListView?
  private let place: FilterPlace?
  private var timer: ProgramTimer?
  private let prefetch: ResourcePrefetch
  /// Holds what is in sight as one, once all of it is here.
  private var pageRequest: ResourceRequest?
  private var pageAddresses: [String] = []
  /// What the list's page is called; nil: it has no tag of its own.
  private let page: @MainActor () -> ResourceTag?
  /// The first row in sight when the list last moved, and whether it moved up.
  private var firstShown = 0
  private var movedUp = false
  /// The rows in sight, and what is shown of some.
  private let shownRows: @MainActor () -> Range<Int>
  private let subjects: @MainActor (Range<Int>) -> [PictureSubject]

  /// Nil without a shelf.
  init?(
    _ shelf: PictureShelf?, account: Account, settings: ReaderSettings, hasDensity: Bool = true,
    of controller: ViewController, in list: ListView, place: FilterPlace?,
    page: @escaping @MainActor () -> ResourceTag? = { nil },
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
    self.page = page
    self.shownRows = shownRows
    self.subjects = subjects
    prefetch = ResourcePrefetch(shelf.resources)
    settings.didChange.add(self) {
      $0.list?.reloadCells()
      $0.lookSoon()
    }
  }

  /// The pictures of a qwink's cell; nil where none are shown.
  func cell(of qwink: Qwink) -> CellPictures? {
    means.map {
      CellPictures(qwink, shelf: shelf, means: $0, driver: driver, isRevealed: account.timelines.isRevealed(qwink))
    }
  }

  /// The avatar of somebody's cell; nil where none is shown.
  func cell(of qwinker: Qwinker) -> CellPictures? {
    means.flatMap { CellPictures(qwinker, shelf: shelf, means: $0, driver: driver) }
  }

  /// Looks at the pictures of the rows in sight once the reader rests.
  func lookSoon() {
    guard controller?.isOnScreen == true else { return }
    noteDirection()
    timer = account.clock.schedule(after: Self.rest) { [weak self] in self?.look() }
  }

  /// Looks at none.
  func lookAway() {
    timer = nil
    prefetch.stop()
    shelf.lookAway(self)
    pageRequest?.end()
    pageRequest = nil
  }

  /// Tries again what failed.
  func tryAgain() {
    shelf.forgetFailures()
    lookAway()
    lookSoon()
  }

  private var driver: (any TerminalDriver)? { controller?.view.window?.application?.driver }

  private var means: PictureShelf.Means? {
    guard !hasDensity || settings.density == .comfortable else { return nil }
    return PictureShelf.Means(controller?.view.window, settings.pictures)
  }

  private func look() {
    timer = nil
    guard controller?.isOnScreen == true else { return }
    let subjects = subjects(shownRows())
    for subject in subjects { trust(subject.qwinker) }
    // Avatars are small, and the same again and again.
    let wishes = subjects.compactMap(avatar) + subjects.flatMap(pictures)
    var seen: Set<PictureWish> = []
    shelf.look(at: wishes.filter { seen.insert($0).inserted }, for: self) { [weak self] in
      self?.list?.setNeedsDisplay()
      self?.holdPage()
    }
    var addresses: Set<String> = []
    pageAddresses = wishes.map(\.address).filter { addresses.insert($0).inserted }
    holdPage()
    // Progress may be long in coming.
    if wishes.contains(where: { shelf.state(of: $0).isLoading }) { list?.setNeedsDisplay() }
    if means != nil {
      timer = account.clock.schedule(after: Self.longRest) { [weak self] in self?.fetchAhead() }
    }
  }

  /// Holds the page if all of it is here. Fetching is left to the requests for its parts, which come in their order.
  private func holdPage() {
    guard let tag = page(), !pageAddresses.isEmpty else { return }
    if pageRequest?.state == .inUse, shelf.resources.resources(of: tag) == pageAddresses { return }
    shelf.resources.setResources(pageAddresses, for: tag)
    let request = shelf.resources.request([tag])
    request.conditionallyBegin { [weak self] isHeld in
      guard let self else { return }
      // The new one holds before the former lets go.
      pageRequest?.end()
      pageRequest = isHeld ? request : nil
    }
  }

  /// A reader who turns round has no use for what was to come.
  private func noteDirection() {
    let first = shownRows().lowerBound
    guard first != firstShown else { return }
    if movedUp != (first < firstShown) {
      movedUp.toggle()
      prefetch.stop()
    }
    firstShown = first
  }

  /// Fetches the avatars of the next page, then its pictures.
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
    if case .qwink(_, _, hasAvatar: false) = subject { return nil }
    return cell(of: subject.qwinker)?.avatar
  }

  private func pictures(of subject: PictureSubject) -> [PictureWish] {
    guard case .qwink(let qwink, let columns, _) = subject,
      account.disclosure(of: qwink, in: place).cover == nil || account.timelines.isRevealed(qwink)
    else { return [] }
    return cell(of: qwink)?.wishes(textColumns: columns) ?? []
  }
}

extension PictureSubject {
  fileprivate var qwinker: Qwinker {
    switch self {
    case .qwink(let qwink, _, _): qwink.author
    case .qwinker(let qwinker): qwinker
    }
  }
}

extension Qwinker {
  /// Whether the account is of the server itself.
  var isLocal: Bool { !handle.contains("@") }
}
