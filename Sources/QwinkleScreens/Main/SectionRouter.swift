import PaneKit
import PaneTrees
import QwinkleAccount
import QwinkleConfig
import QwinkleModel

/// Owns the navigation stacks of the sections and shows places in them.
@MainActor
final class SectionRouter {
  let sections: [Section]
  /// Stacks of the sections that were opened in this run.
  private(set) var stacks: [Section: PaneStack] = [:]
  private(set) lazy var panes: PanesViewController = {
    let panes = PanesViewController(delegate: self)
    panes.automatic.wantsMessages = screen.factory.settings.readyLayout.showsMessages
    panes.restoresMessages = panes.automatic.wantsMessages == nil
    panes.didChangePanes.add(self) { $0.screen.setNeedsBars() }
    return panes
  }()
  var contents: [PaneID: PaneContent]
  /// Stacks of places in whose panes the user opened a section. Going back from the section shows them again.
  private var covered: [PaneID: PaneStack] = [:]
  /// Stacks that were created after the state of the last run was restored, until they are restored too.
  private var unrestored: [PaneStack] = []
  /// The value of the option messages-pane.
  var readyLayout: ReadyLayout
  /// Finds the panes of a layout that is about to be shown.
  var layoutResolver: LayoutResolver?
  let account: Account
  /// Contains the panes and creates the router.
  unowned let screen: MainViewController

  init(screen: MainViewController) {
    self.screen = screen
    account = screen.account
    sections = screen.factory.sections
    readyLayout = screen.factory.settings.readyLayout
    let start = screen.factory.settings.startSection ?? (screen.factory.opensHome ? .home : .public)
    contents = [
      .main: .section(sections.contains(start) ? start : .public), .messages: .section(.messages),
    ]
    screen.factory.settings.didChange.add(self) { $0.settingsDidChange() }
  }

  /// The pane that the section keys change.
  private var lead: PaneID { panes.isAutomatic ? .main : panes.current }

  /// The current section; nil in a pane with another root.
  var shownSection: Section? {
    if case .section(let section) = contents[lead] { section } else { nil }
  }
  /// The current section, or the first section in a pane with another root.
  var section: Section { shownSection ?? sections[0] }

  /// The stack of the pane that the section keys change.
  var stack: PaneStack { stack(of: lead) }

  /// The stacks of all visible panes.
  var shownStacks: [PaneStack] { panes.shownStacks }

  /// The screen with keyboard focus.
  var focus: any Screen { panes.focused.pane.front }

  /// The root screen of ``stack``.
  var root: any Screen { stack.panes[0].main }

  /// The screen with keyboard focus; nil while a sheet is open.
  var uncoveredFocus: (any Screen)? { panes.window?.topSheet == nil ? focus : nil }

  /// In linear form, only one pane can be read.
  var allowsMessages: Bool {
    account.isSignedIn && !screen.isLinear && contents[.main]?.isSection(.messages) == false
  }

  private func stack(of section: Section) -> PaneStack {
    if let stack = stacks[section] { return stack }
    let stack = newStack(root: screen.factory.root(of: section, for: screen))
    stack.restorationIdentifier = section.rawValue
    stacks[section] = stack
    unrestored.append(stack)
    return stack
  }

  private func newStack(root: any Pane) -> PaneStack {
    root.restorationIdentifier = "root"
    let stack = PaneStack(root: root) { [weak self] in
      guard let self, let place = Place(restorationIdentifier: $0, state: $1, in: account) else { return nil }
      return screen.factory.pane(for: place, for: screen)
    }
    stack.didChangeTop.add(self) {
      $0.screen.setNeedsBars()
      // The messages yield to an opened detail only while it is in front.
      $0.panes.view.setNeedsUpdateProperties()
    }
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

  /// Shows a section in the current pane, or focuses the pane that shows it. If it has focus already, returns to its
  /// root, or shows the next view if the root of the views is already in front. If the account doesn't have the
  /// section, shows a message.
  func go(to section: Section) {
    guard sections.contains(section) else {
      return screen.say(MainWords.isMissing(section), .warning)
    }
    let pane = lead
    if shownSection == section { return returnToRoot() }
    if !panes.isAutomatic, let other = panes.tree.panes.first(where: { contents[$0]?.isSection(section) == true }) {
      return panes.focus(other)
    }
    if case .place(let stack) = contents[pane] { covered[pane] = stack }
    contents[pane] = .section(section)
    panes.stackDidChange(in: pane)
    root.visitDidBegin()
    screen.setNeedsBars()
  }

  private func returnToRoot() {
    let isRoot = stack.isAtRoot
    stack.pane.closeDetail()
    stack.popToRoot()
    stack.pane.closeDetail()
    if isRoot { (root as? SavedSearchViewController)?.showNext() }
    panes.focus(lead)
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
  var restorationChildren: [ViewController] { [panes] + sections.compactMap { stacks[$0] } + placeStacks }

  /// Shows the section of the setting `start` in panes that were restored from the last run.
  func showStart() {
    guard let start = screen.factory.settings.startSection, !panes.isAutomatic, shownSection != start,
      sections.contains(start)
    else { return }
    go(to: start)
  }

  private var placeStacks: [PaneStack] {
    contents.values.compactMap { if case .place(let stack) = $0 { stack } else { nil } }
  }

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
    if case .conversation(let conversation) = place, stack !== stacks[.messages], isChat(stack, with: conversation) {
      return focus(stack)
    }
    if stack.pane.openDetail(place) { return screen.setNeedsBars() }
    if place.isFixed, PaneContent.placeIdentifier(inFrontOf: stack) == place.restorationIdentifier {
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

  /// Returns the stack to show `place` in. This is the focused stack, except that chats open in a visible pane of the
  /// messages. In that case, closes the same chat in other panes, unless it is the root of its pane.
  private func home(of place: Place) -> PaneStack {
    guard case .conversation(let conversation) = place, let messages = stacks[.messages],
      shownStacks.contains(where: { $0 === messages })
    else { return panes.focused }
    for stack in shownStacks where stack !== messages && isChat(stack, with: conversation) {
      if !stack.pop() { return stack }
    }
    return messages
  }

  private func isChat(_ stack: PaneStack, with conversation: Conversation) -> Bool {
    (stack.pane as? ChatViewController)?.isChat(with: conversation) == true
  }

  private func focus(_ stack: PaneStack) {
    if let pane = panes.tree.panes.first(where: { self.stack(of: $0) === stack }) { panes.focus(pane) }
    screen.setNeedsBars()
  }

  var canGoBack: Bool { panes.current != lead || canGoBackInPane }

  /// Whether the focused pane has a screen to go back to.
  var canGoBackInPane: Bool {
    panes.yieldsToDetail || !panes.focused.isAtRoot || covered[panes.current] != nil
  }

  func goBack() {
    let stack = panes.focused
    if panes.yieldsToDetail || stack.pane.front !== stack.pane.main, stack.pane.closeDetail() {
      return screen.setNeedsBars()
    }
    if stack.pop() { return }
    if let place = covered.removeValue(forKey: panes.current) {
      contents[panes.current] = .place(place)
      panes.stackDidChange(in: panes.current)
    } else {
      panes.focus(lead)
    }
    screen.setNeedsBars()
  }

  /// Shows or hides the messages next to the section.
  func toggleMessages() {
    guard account.isSignedIn else { return screen.say(MainWords.needsAccount(.messages), .warning) }
    guard panes.isAutomatic else { return toggleOwnMessages() }
    guard panes.hasRoomForMessages else {
      return screen.say(MainWords.noRoomForMessages, .warning) { [weak panes] in panes?.hasRoomForMessages == false }
    }
    panes.toggleMessages()
    screen.setNeedsBars()
  }
}

extension SectionRouter: PanesDelegate {
  func stack(of pane: PaneID) -> PaneStack {
    switch contents[pane] {
    case .section(let section): stack(of: section)
    case .place(let stack): stack
    case nil: stack(of: sections[0])
    }
  }

  func didShow(_ stack: PaneStack) {
    guard let index = unrestored.firstIndex(where: { $0 === stack }) else { return }
    unrestored.remove(at: index)
    screen.restoreChild(stack)
  }

  func encodeContent(of pane: PaneID, into state: inout RestorableState) {
    contents[pane]?.encode(as: pane, into: &state)
  }

  func restoreContent(of pane: PaneID, from state: RestorableState) -> Bool {
    let (section, place) = PaneContent.decode(pane, from: state)
    if let section, sections.contains(section) {
      contents[pane] = .section(section)
      return true
    }
    guard let identifier = PaneContent.identifier(of: place),
      let place = Place(restorationIdentifier: identifier, state: place, in: account)
    else { return false }
    let stack = placeStack(root: screen.factory.pane(for: place, for: screen), in: pane)
    contents[pane] = .place(stack)
    unrestored.append(stack)
    return true
  }

  /// Removes a pane's content. Restoring a place that was never visible consumes its state, so that another place with
  /// the same number doesn't adopt the state.
  func close(_ pane: PaneID) {
    if case .place(let stack) = contents[pane] { didShow(stack) }
    contents[pane] = nil
    covered[pane] = nil
  }

  /// Returns a stack with a place as its root.
  func placeStack(root: any Pane, in pane: PaneID) -> PaneStack {
    let (identifier, context) = (root.restorationIdentifier, root.restorationContext)
    let stack = newStack(root: root)
    root.restorationContext = [:]
    identify(stack, as: pane)
    PaneContent.describe(identifier, context, in: stack)
    return stack
  }

  /// Names a place's stack in the saved state after its pane.
  func identify(_ stack: PaneStack, as pane: PaneID) { stack.restorationIdentifier = "pane \(pane.number)" }
}
