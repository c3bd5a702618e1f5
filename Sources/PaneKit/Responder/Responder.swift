public import Terminal

/// Handles keys and actions, and passes the rest to the next responder.
///
/// Subclass view controllers and custom views, and override ``keyDown(_:)``, ``pasteText(_:)`` and the methods that
/// their classes add. Controls such as ``TextEditor`` and ``ListView`` are final: they send actions to targets and use
/// a data source or delegate. Register named actions with ``on(_:when:perform:)``.
@MainActor
open class Responder {
  private struct Performer {
    let isEnabled: @MainActor () -> Bool
    let perform: @MainActor () -> Void
  }

  private static let longestChain = 100

  /// Keyed by action name.
  private var performers: [String: Performer] = [:]

  /// The part of the keymap that applies while this responder is in the chain.
  public var keyContext: KeyContext?

  public init() {}

  /// The responder that handles what this one doesn't.
  open var nextResponder: Responder? { nil }

  /// Handles a key that isn't bound in the responder's part of the keymap, or whose action can't be performed now.
  /// Return false, the default, to pass the key on.
  open func keyDown(_ key: Key) -> Bool { false }

  /// Called for keys that no responder in the chain has handled. `actions` are the actions bound to these keys, none of
  /// which can be performed now. Return false, the default, to pass the call on.
  open func didIgnore(_ keys: [Key], asking actions: [Action]) -> Bool { false }

  /// Called after this responder has ceased to be the window's first responder.
  open func didResignFirstResponder() {}

  /// Handles pasted text, which may contain control characters. Return false, the default, to pass it on.
  open func pasteText(_ text: String) -> Bool { false }

  /// Registers a closure that performs `action` while `isEnabled` returns true. The responder retains both closures, so
  /// they should capture the responder weakly.
  public func on(
    _ action: Action, when isEnabled: @escaping @MainActor () -> Bool = { true },
    perform: @escaping @MainActor () -> Void
  ) {
    performers[action.rawValue] = Performer(isEnabled: isEnabled, perform: perform)
  }

  /// Whether this responder itself can perform `action` now.
  public func canPerform(_ action: Action) -> Bool {
    performers[action.rawValue]?.isEnabled() ?? false
  }

  /// This responder, followed by the responders that handle what it doesn't.
  public var chain: [Responder] {
    var chain: [Responder] = []
    var responder: Responder? = self
    // The limit, which no real chain reaches, ends a chain that leads back to itself.
    while let current = responder, chain.count < Self.longestChain {
      chain.append(current)
      responder = current.nextResponder
    }
    return chain
  }

  /// Performs `action` with the first responder in the chain that can. Returns false if none can.
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
