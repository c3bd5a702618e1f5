public import Terminal

/// Handles keys and actions, and passes the rest to the next responder.
///
/// View controllers and custom views are subclassed: they override ``keyDown(_:)``, ``pasteText(_:)`` and the methods
/// that their classes add. Controls such as ``TextEditor`` and ``ListView`` are final: they send actions to targets,
/// and ask a data source or a delegate. Named actions are registered with ``on(_:when:perform:)``.
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

  public init() {}

  /// The responder to ask next.
  open var nextResponder: Responder? { nil }

  /// Handles a key that the responder's part of the keymap does not know. Returns false to pass it on; the default
  /// does.
  open func keyDown(_ key: Key) -> Bool { false }

  /// Told of keys that nothing in the chain has handled. `actions` are what they ask for here, none of which can be
  /// performed now; empty: they ask for nothing. Returns false to pass that on; the default does.
  open func didIgnore(_ keys: [Key], asking actions: [Action]) -> Bool { false }

  /// Called when another responder has become the window's first one.
  open func didResignFirstResponder() {}

  /// Handles pasted text, which comes uncleaned. Returns false to pass it on; the default does.
  open func pasteText(_ text: String) -> Bool { false }

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
