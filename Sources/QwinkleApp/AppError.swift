import Foundation
import PaneKit
import SafeText

/// An error that stops a command. `sentence` states the failure and the remedy.
enum AppError: Error, Hashable, CustomStringConvertible {
  /// Usage error: exit status 2.
  case usage(String)
  /// Failure: exit status 1.
  case failed(String)

  var sentence: String {
    switch self {
    case .usage(let sentence), .failed(let sentence): sentence
    }
  }

  var description: String { sentence }

  var status: Int32 {
    switch self {
    case .usage: 2
    case .failed: 1
    }
  }

  /// Returns the error for an action that needs an account. `what` names the action and begins the sentence:
  /// "Deleting".
  static func needsAccount(_ what: String) -> AppError {
    .failed("\(what) needs an account. Sign in: qwinkle login URL")
  }

  static let unexpected = "An unexpected error occurred. Try again; qwinkle doctor finds common problems."

  /// Converts any error to a sentence for the user.
  init(_ error: any Error) {
    switch error {
    case let error as AppError: self = error
    case let error as any SentenceError: self = .failed(error.sentence)
    case let error as KeymapError: self = .failed("Error in line \(error.line) of the keymap: \(error.reason).")
    case let error as CocoaError: self = .failed(SafeText.line(error.localizedDescription))
    case let error as any CustomStringConvertible: self = .failed(SafeText.line(error.description))
    // Swift's default description would name types, so use a general sentence.
    default: self = .failed(Self.unexpected)
    }
  }
}
