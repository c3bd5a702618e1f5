public import QwinkleModel

/// Shows pages of the web elsewhere: a browser.
@MainActor
public protocol URLOpener: AnyObject {
  /// Has `address` shown, and returns at once.
  ///
  /// - Throws: ``URLOpenerError`` where nothing shows it; the address should be said then, so that it can be copied.
  func open(_ address: WebAddress) throws(URLOpenerError)
}

/// Why a page is not shown.
public enum URLOpenerError: Error, Hashable, Sendable {
  /// There is no browser, or no display that it could show itself on.
  case noBrowser
  /// The browser, by its name, cannot be started.
  case cannotStart(String)

  /// What failed and why, for a person.
  public var sentence: String {
    switch self {
    case .noBrowser: "There is no browser here."
    case .cannotStart(let name): "The browser “\(name)” cannot be started."
    }
  }
}
