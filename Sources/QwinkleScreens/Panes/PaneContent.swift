import PaneKit
import QwinkleAccount
import QwinkleConfig

/// The content of a pane.
@MainActor
enum PaneContent {
  case section(Section)
  /// A stack whose root is a place. The stack's restoration context describes the place.
  case place(PaneStack)

  private static let identifier = "place"

  /// Describes the place at the root of `stack` in its restoration context, so that both can be created again.
  static func describe(_ identifier: String?, _ context: RestorableState, in stack: PaneStack) {
    stack.restorationContext = context
    stack.restorationContext[Self.identifier] = identifier
  }

  /// Returns the identifier of the place that a stack shows; nil for the root of a section.
  static func placeIdentifier(inFrontOf stack: PaneStack) -> String? {
    stack.panes.count == 1 ? identifier(of: stack.restorationContext) : stack.pane.restorationIdentifier
  }

  func isSection(_ section: Section) -> Bool {
    if case .section(section) = self { true } else { false }
  }

  /// Returns the stack whose root shows `place`, if it is the content.
  func stack(of place: Place) -> PaneStack? {
    guard case .place(let stack) = self else { return nil }
    let isSame =
      switch place {
      // The user can type another query.
      case .search(let words): (stack.panes[0].main as? SearchViewController)?.query == words
      default:
        Self.identifier(of: stack.restorationContext) == place.restorationIdentifier
          // Views with different rules can share a name.
          && place.restorationContext["rule"] == stack.restorationContext["rule"]
      }
    return isSame ? stack : nil
  }

  func isSame(as other: PaneContent) -> Bool {
    switch (self, other) {
    case (.section(let section), .section(let otherSection)): section == otherSection
    case (.place(let stack), .place(let otherStack)): stack === otherStack
    default: false
    }
  }

  /// The content's name in layouts. Nil if layouts can't have this content.
  func name(in account: Account) -> PaneName? {
    switch self {
    case .section(let section): PaneName(section.rawValue)
    case .place(let stack):
      if let search = stack.panes[0].main as? SearchViewController {
        search.query.isEmpty ? nil : .search(search.query)
      } else {
        Self.identifier(of: stack.restorationContext).flatMap {
          Place(restorationIdentifier: $0, state: stack.restorationContext, in: account)?.paneName(in: account)
        }
      }
    }
  }

  func encode(as pane: PaneID, into state: inout RestorableState) {
    switch self {
    case .section(let section): state[Self.key(pane)] = section.rawValue
    case .place(let stack):
      for (key, value) in stack.restorationContext { state["\(Self.key(pane)) \(key)"] = value }
    }
  }

  /// Returns the section of a pane in a saved state, or the identifier and context of its place.
  static func decode(_ pane: PaneID, from state: RestorableState) -> (section: Section?, place: RestorableState) {
    let prefix = key(pane) + " "
    var place: RestorableState = [:]
    for (name, value) in state where name.hasPrefix(prefix) { place[String(name.dropFirst(prefix.count))] = value }
    return (state[key(pane)].flatMap(Section.init), place)
  }

  static func identifier(of place: RestorableState) -> String? { place[identifier] }

  private static func key(_ pane: PaneID) -> String { "pane \(pane.number)" }
}
