public import PaneTrees
import QwinkleModel

/// A user-defined arrangement of panes.
public struct OwnLayout: Hashable, Sendable {
  public let name: String
  public let tree: PaneTree<PaneName>

  /// More panes are unreadable in any window.
  public static let mostPanes = 12

  /// - Throws: ``LayoutProblem`` if `text` isn't a layout.
  public init(name: String, text: String) throws(LayoutProblem) {
    let names: PaneTree<String>
    do throws(PaneTreeProblem) {
      names = try PaneTree(text: text)
    } catch {
      throw LayoutProblem(
        offset: error.offset, sentence: "A layout is panes with | or / between them: home*60 | (messages / #garden)*40."
      )
    }
    var known: [String: PaneName] = [:]
    for word in names.panes {
      guard let pane = PaneName(word) else {
        let nearest = NearestWord.find(word, among: PaneName.words).map { " Did you mean \($0)?" }
        throw LayoutProblem(offset: 0, sentence: "No pane “\(word)”." + (nearest ?? " See qwinkle-config(5)."))
      }
      known[word] = pane
    }
    guard Set(known.values).count == names.panes.count else {
      throw LayoutProblem(offset: 0, sentence: "Each pane can occur once in a layout.")
    }
    guard names.panes.count <= Self.mostPanes else {
      throw LayoutProblem(offset: 0, sentence: "A layout has at most \(Self.mostPanes) panes.")
    }
    self.init(name: name, tree: names.map { known[$0] ?? .timeline(.public) })
  }

  public init(name: String, tree: PaneTree<PaneName>) {
    self.name = name
    self.tree = tree
  }

  /// The arrangement as written by the user.
  public var text: String { tree.map(\.word).text }

  /// Whether a user-defined layout can have this name.
  public static func isName(_ name: String) -> Bool {
    let word = name.lowercased()
    return OwnView.isName(name) && ReadyLayout(rawValue: word) == nil && !["save", "width"].contains(word)
  }

  public static let nameRule =
    "A layout's name has letters, digits, - and _, at most 30, and isn't auto, messages, single, save or width."
}

/// An arrangement that Qwinkle has by itself. The option messages-pane chooses one.
public enum ReadyLayout: String, Hashable, Sendable, CaseIterable {
  /// The current section and, if the window has room for them, the messages, unless the user hid them.
  case auto
  /// The current section and the messages.
  case messages
  /// Only the current section.
  case single

  /// The arrangement that a value of the option messages-pane stands for.
  public init(messagesPane value: String) {
    switch value {
    case "show": self = .messages
    case "hide": self = .single
    default: self = .auto
    }
  }

  /// Whether the arrangement has the messages; nil if the user's last choice decides.
  public var showsMessages: Bool? {
    switch self {
    case .auto: nil
    case .messages: true
    case .single: false
    }
  }
}

/// An error in the text of a layout.
public struct LayoutProblem: Error, Hashable, Sendable {
  /// Characters before the error.
  public let offset: Int
  public let sentence: String
}

/// The layout for windows of at least a width.
public struct LayoutWidth: Hashable, Sendable {
  public let columns: Int
  /// The name of a user-defined layout or of a ``ReadyLayout``.
  public let name: String
}
