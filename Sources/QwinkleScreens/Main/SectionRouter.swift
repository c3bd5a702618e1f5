import PaneKit
import QwinkleAccount
import QwinkleModel

/// Owns the navigation stacks of the sections and shows places in them.
@MainActor
final class SectionRouter {
  let sections: [Section]
  private(set) var section: Section
  /// Stacks of the sections that were opened in this run.
  private(set) var stacks: [Section: PaneStack] = [:]
  private(set) lazy var panes: PanesViewController = {
    let panes = PanesViewController(stack) { [weak self] in
      self.map { $0.newStack(root: $0.screen.factory.messages(for: $0.screen)) }
    }
    panes.allowsSide = allowsSide
    panes.wantsSide = screen.factory.settings.showsMessagesPane
    panes.keepsSide = panes.wantsSide == nil
    panes.didChangeSide.add(self) { $0.screen.setNeedsBars() }
    return panes
  }()
  private let account: Account
  /// Contains the panes and creates the router.
  private unowned let screen: MainViewController

  init(screen: MainViewController) {
    self.screen = screen
    account = screen.account
    sections = screen.factory.sections
    let start = screen.factory.settings.startSection ?? (screen.factory.opensHome ? .home : .public)
    section = sections.contains(start) ? start : .public
  }

  /// The current section's stack.
  var stack: PaneStack { stack(of: section) }

  /// The visible stacks: the current section's, and the direct messages' if they are shown next to it.
  var shownStacks: [PaneStack] { panes.side.map { [stack, $0] } ?? [stack] }

  /// The screen with keyboard focus.
  var focus: any Screen { panes.focused.pane.front }

  /// The section's root screen.
  var root: any Screen { stack.panes[0].main }

  /// The screen with keyboard focus; nil while a sheet is open.
  var uncoveredFocus: (any Screen)? { panes.window?.topSheet == nil ? focus : nil }

  private var allowsSide: Bool { account.isSignedIn && section != .messages }

  private func stack(of section: Section) -> PaneStack {
    if let stack = stacks[section] { return stack }
    let stack = newStack(root: screen.factory.root(of: section, for: screen))
    stack.restorationIdentifier = section.rawValue
    stacks[section] = stack
    return stack
  }

  private func newStack(root: any Pane) -> PaneStack {
    root.restorationIdentifier = "root"
    let stack = PaneStack(root: root) { [weak self] in
      guard let self, let place = Place(restorationIdentifier: $0, state: $1, in: account) else { return nil }
      return screen.factory.pane(for: place, for: screen)
    }
    stack.didChangeTop.add(self) { $0.screen.setNeedsBars() }
    return stack
  }

  /// Returns the section's timeline screen, or nil if the section wasn't opened or the screen's rows in memory don't
  /// suffice to count the unread rows.
  func visitedRoot(of section: Section) -> TimelineViewController? {
    guard let root = stacks[section]?.panes.first?.main as? TimelineViewController, root.showsModelRows,
      root.knowsUnread
    else { return nil }
    return root
  }

  /// Updates the titles of visible screens, including the titles of the screens below them.
  func showTitles() {
    for stack in shownStacks {
      stack.pane.showTitles(above: stack.panes.dropLast().flatMap(\.titles))
    }
  }

  // MARK: Sections

  /// Shows a section. If it is already shown, returns to its root, or shows the next view if the root of the views is
  /// already in front. If the account doesn't have the section, shows a message.
  func go(to section: Section) {
    guard sections.contains(section) else {
      return screen.say(MainWords.isMissing(section), .warning)
    }
    if section == self.section {
      let isRoot = stack.isAtRoot
      stack.pane.closeDetail()
      stack.popToRoot()
      stack.pane.closeDetail()
      if isRoot { (root as? SavedSearchViewController)?.showNext() }
      return screen.setNeedsBars()
    }
    self.section = section
    let isNew = stacks[section] == nil
    panes.allowsSide = allowsSide
    panes.show(stack)
    if isNew { screen.restoreChild(stack) }
    root.visitDidBegin()
    screen.setNeedsBars()
  }

  /// Selects the next or previous unread row of the focused screen. If the screen has no such row, goes to another
  /// section in `unread`, or wraps around in this section. Returns false if no row is unread.
  func selectUnread(_ step: UnreadStep, in unread: [Section]) -> Bool {
    if focus.selectUnread(step) { return true }
    // Personal sections have priority.
    let next = unread.filter(\.isPersonal) + unread.filter { !$0.isPersonal }
    guard let other = next.first(where: { $0 != section }) ?? next.first else { return false }
    go(to: other)
    return root.selectUnread(step == .next ? .first : .last)
  }

  /// Hides or shows rows of the focused screen, or of its pane's list if the focused screen can't hide rows. Returns a
  /// message about the result, or nil if neither can hide rows.
  func choose(_ choice: PaneChoice) -> String? { focus.take(choice) ?? panes.focused.pane.main.take(choice) }

  // MARK: State

  /// Includes the stacks of hidden sections.
  var restorationChildren: [ViewController] { [panes] + sections.compactMap { stacks[$0] } }

  /// Shows the section that was open when the program last quit, unless a setting determines the first section.
  func restore(_ restored: Section) {
    guard screen.factory.settings.startSection == nil, restored != section, sections.contains(restored) else { return }
    guard let search = stack(of: restored).panes[0].main as? SearchViewController else { return go(to: restored) }
    // The program must not start with focus in a text field.
    search.startOutsideField { go(to: restored) }
  }

  // MARK: Places

  /// Shows `place`: as the detail of the visible pane if that pane can show it, otherwise in a new pane. If the visible
  /// pane was opened for `place` and can't show another place (see ``Place/isFixed``), only closes that pane's detail.
  func show(_ place: Place) {
    let stack = home(of: place)
    if stack.pane.openDetail(place) { return screen.setNeedsBars() }
    if place.isFixed, stack.pane.restorationIdentifier == place.restorationIdentifier {
      if stack.pane.closeDetail() { screen.setNeedsBars() }
      return
    }
    stack.push(screen.factory.pane(for: place, for: screen))
  }

  func show(_ place: Place, insteadOf former: any Screen) {
    let stack = panes.focused
    guard !stack.pane.openDetail(place) else { return screen.setNeedsBars() }
    guard stack.pane.front === former else { return show(place) }
    stack.replaceTop(with: screen.factory.pane(for: place, for: screen))
  }

  /// Returns the stack to show `place` in. This is the focused stack, except that chats open in the stack of the
  /// messages if that is visible next to the section. In that case, closes the same chat in the section's stack.
  private func home(of place: Place) -> PaneStack {
    guard case .conversation(let conversation) = place, let side = panes.side else { return panes.focused }
    if (stack.pane as? ChatViewController)?.isChat(with: conversation) == true { stack.pop() }
    return side
  }

  var canGoBack: Bool { panes.focused === panes.side || !panes.focused.isAtRoot }

  func goBack() {
    let stack = panes.focused
    if stack.pane.closeDetail() { return screen.setNeedsBars() }
    if stack.pop() { return }
    panes.focusSection()
    screen.setNeedsBars()
  }

  func moveToPane(next: Bool) {
    panes.move(toNext: next)
    screen.setNeedsBars()
  }

  /// Shows or hides the messages next to the section.
  func toggleMessages() {
    guard account.isSignedIn else { return screen.say(MainWords.needsAccount(.messages), .warning) }
    guard panes.hasRoomForSide else {
      return screen.say(MainWords.noRoomForMessages, .warning) { [weak panes] in panes?.hasRoomForSide == false }
    }
    panes.toggleSide()
    screen.setNeedsBars()
  }
}
