public import QwinkleModel

/// Opens web pages and files in other programs.
@MainActor
public protocol URLOpener: AnyObject {
  /// Opens `address` and returns at once.
  ///
  /// - Throws: ``URLOpenerError`` if nothing can open it; show the address then, so that it can be copied.
  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError)
}

/// A kind of program that opens addresses.
public enum OutsideProgram: String, Hashable, Sendable {
  /// For pages.
  case browser
  /// For pictures, video and sound; the browser if the user has named none.
  case viewer
}

/// Why an address can't be opened.
public enum URLOpenerError: Error, Hashable, Sendable {
  /// There is no browser, or no display for it.
  case noBrowser
  /// The named program can't be started.
  case cannotStart(OutsideProgram, String)

  /// What failed and why, as a sentence for people.
  public var sentence: String {
    switch self {
    case .noBrowser: "No browser found (set $BROWSER)."
    case .cannotStart(let program, let name): "The \(program.rawValue) “\(name)” can't be started."
    }
  }
}
