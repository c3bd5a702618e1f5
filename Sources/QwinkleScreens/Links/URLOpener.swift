public import QwinkleModel

/// Opens web pages in another program: a browser.
@MainActor
public protocol URLOpener: AnyObject {
  /// Opens `address` and returns at once.
  ///
  /// - Throws: ``URLOpenerError`` if nothing can open it; show the address then, so that it can be copied.
  func open(_ address: WebAddress) throws(URLOpenerError)
}

/// Why a page can't be opened.
public enum URLOpenerError: Error, Hashable, Sendable {
  /// There is no browser, or no display for it.
  case noBrowser
  /// The named browser can't be started.
  case cannotStart(String)

  /// What failed and why, as a sentence for people.
  public var sentence: String {
    switch self {
    case .noBrowser: "No browser found (set $BROWSER)."
    case .cannotStart(let name): "The browser “\(name)” can't be started."
    }
  }
}
