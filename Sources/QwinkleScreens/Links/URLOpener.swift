public import QwinkleModel

/// Opens web pages and files in other programs.
@MainActor
public protocol URLOpener: AnyObject {
  /// Opens `address` and returns at once.
  ///
  /// - Throws: ``URLOpenerError`` if no program can open the address. The caller should then show the address for
  ///   copying.
  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError)
}

/// A kind of program that opens addresses.
public enum OutsideProgram: String, Hashable, Sendable {
  /// Opens pages.
  case browser
  /// Opens pictures, video and sound. Falls back to the browser if the user hasn't configured a viewer.
  case viewer
  /// Plays video and sound. Falls back to the viewer if the user hasn't configured a player.
  case player
}

/// The reason an address can't be opened.
public enum URLOpenerError: Error, Hashable, Sendable {
  /// No program is configured, `BROWSER` names none, and there is no display for the system's browser.
  case noBrowser
  /// None of the available programs could be started. The string is the command that was tried first.
  case cannotStart(OutsideProgram, String)

  /// A sentence for the user.
  public var sentence: String {
    switch self {
    case .noBrowser: "No browser found (set $BROWSER)."
    case .cannotStart(let program, let name): "The \(program.rawValue) “\(name)” can't be started."
    }
  }
}
