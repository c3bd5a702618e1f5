import PaneKit
import QwinkleModel
import QwinkleService
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp
@testable import QwinkleScreens

/// A key and its effect as screens show them: `R retries`.
func keyHint(_ hint: (String, String)) -> String { withKeys("\(hint.0) \(hint.1)") }

/// A sentence as screens show it, with the app's key names.
func withKeys(_ sentence: String) -> String { (try? Keymap.standard.get())?.naming(sentence) ?? sentence }

extension ScriptedTimeline {
  /// Error summary while this server refuses connections.
  static let unreachable = DownloadError.transport(.refused(host: host)).summary
  /// Error summary while this server doesn't respond.
  static let silent = DownloadError.transport(.timedOut(host: host)).summary

  /// Error sentence if this server doesn't support `ability`.
  static func lack(of ability: Ability) -> String { DownloadError.unsupported(host: host, ability).sentence }

  /// Text after "not found" if the object exists but the server doesn't support `ability`.
  static func refusal(of ability: Ability) -> String { DownloadError.unsupportedHere(host: host, ability).sentence }
}

extension Screen {
  /// The first key of `action` and its label, as in the status bar: `x vote`.
  static func hint(for action: Action, in context: KeyContext? = nil) throws -> String {
    let binding = try binding(of: action, in: context)
    return "\(binding.keyName) \(binding.word)"
  }

  static func summary(of action: Action, in context: KeyContext? = nil) throws -> String {
    try binding(of: action, in: context).summary
  }

  /// The heading above the keys of `context` in the help.
  static func helpHeading(of context: KeyContext) throws -> String {
    try #require(HelpWords.groups.first { $0.0 == context }).1
  }

  private static func binding(of action: Action, in context: KeyContext?) throws -> Keymap.Binding {
    let contexts = context.map { [$0] }
    return try #require(try Screen.keymap().binding(of: action, in: contexts))
  }
}

extension Played {
  /// The screen's text on one line, so that wrapped sentences can be found.
  var unwrapped: String {
    driver.text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "▌" } }.joined(separator: " ")
  }
}
