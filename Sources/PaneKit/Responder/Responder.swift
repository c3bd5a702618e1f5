public import Terminal

/// Whoever can be handed keys and actions. Responders form a chain: what one does not take goes to the next.
///
/// Nothing has to be subclassed: an action is performed by whoever said so with ``on(_:when:perform:)``, and raw keys
/// and pasted text reach the closures ``keyHandler`` and ``pasteHandler``.
@MainActor
open class Responder {
  private struct Performer {
    let isEnabled: @MainActor () -> Bool
    let perform: @MainActor () -> Void
  }

  /// By the names of actions.
  private var performers: [String: Performer] = [:]

  /// The part of the keymap that applies while this responder is in the chain.
  public var keyContext: KeyContext?

  /// Given each key that the responder's part of the keymap does not know. Returns whether it was taken.
  public var keyHandler: (@MainActor (Key) -> Bool)?

  /// Given pasted text, as it came. Returns whether it was taken.
  public var pasteHandler: (@MainActor (String) -> Bool)?

  public init() {}

  /// Who is asked next.
  open var nextResponder: Responder? { nil }

  /// Performs `action` with `perform`, while `isEnabled` says so. Closures should hold what they use weakly.
  public func on(
    _ action: Action, when isEnabled: @escaping @MainActor () -> Bool = { true },
    perform: @escaping @MainActor () -> Void
  ) {
    performers[action.rawValue] = Performer(isEnabled: isEnabled, perform: perform)
  }

  /// Whether this responder, not one after it, performs `action` now.
  public func canPerform(_ action: Action) -> Bool {
    performers[action.rawValue]?.isEnabled() ?? false
  }

  /// This responder and those after it.
  public var chain: [Responder] {
    var chain: [Responder] = []
    var responder: Responder? = self
    while let current = responder, !chain.contains(where: { $0 === current }) {
      chain.append(current)
      responder = current.nextResponder
    }
    return chain
  }

  /// Has the first in the chain that performs `action` do so. Returns whether there was one.
  @discardableResult
  public func perform(_ action: Action) -> Bool {
    for responder in chain {
      guard let performer = responder.performers[action.rawValue], performer.isEnabled() else { continue }
      performer.perform()
      return true
    }
    return false
  }
}
