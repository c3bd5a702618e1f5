import CProcess
import Foundation
import QwinkleModel
import QwinkleScreens

extension URLOpener {
  /// Opens a page in the browser. Returns whether the browser was started.
  func opens(_ page: String) -> Bool {
    guard let address = WebAddress(page) else { return false }
    return (try? open(address, in: .browser)) != nil
  }
}

/// Opens URLs in the configured browser, viewer or player, else in the browser that `BROWSER` names, else in the
/// system's browser. Browsers and viewers run detached: they don't use this terminal, and they continue when the
/// program ends. Only players can use the terminal.
@MainActor
final class SystemBrowser: URLOpener {
  private let environment: [String: String]
  /// The configured browser. If empty, the environment's browser is used.
  var chosen: String
  /// The configured viewer. If empty, the browser is used.
  var viewer = ""
  /// The configured player. If empty, the viewer is used.
  var player = ""
  /// Runs a player that uses the terminal. Returns whether the player was started. If nil, the player runs detached.
  var playInTerminal: (@MainActor (_ address: String, _ command: PlayerCommand) -> Bool)?

  init(environment: [String: String] = ProcessInfo.processInfo.environment, chosen: String = "") {
    self.environment = environment
    self.chosen = chosen
  }

  func open(_ address: WebAddress, in program: OutsideProgram) throws(URLOpenerError) {
    if program == .player, let command = PlayerCommand(player) { return try play(address, by: command) }
    let own = chosen.split(separator: " ").map(String.init)
    let viewer = program != .browser ? viewer.split(separator: " ").map(String.init) : []
    let commands = [viewer, own].filter { !$0.isEmpty } + Self.commands(in: environment)
    for command in commands {
      if Self.start(Self.arguments(of: command, for: address.target)) { return }
    }
    guard let first = commands.first?.first else { throw .noBrowser }
    throw .cannotStart(viewer.isEmpty ? .browser : .viewer, first)
  }

  private func play(_ address: WebAddress, by command: PlayerCommand) throws(URLOpenerError) {
    let isStarted =
      if let playInTerminal, !command.isDetached {
        playInTerminal(address.target, command)
      } else {
        Self.start(Self.arguments(of: command.words, for: address.target))
      }
    guard isStarted else { throw .cannotStart(.player, command.words.first ?? "") }
  }

  /// Whether a browser opened by this program appears on the user's screen. False if ``commands(in:)`` is empty. False
  /// over ssh, because the browser would appear on another machine's screen.
  static func isHere() -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["SSH_CONNECTION", default: ""].isEmpty && !commands(in: environment).isEmpty
  }

  /// The commands to try, in order of preference, each split into words. `BROWSER` can contain several commands,
  /// separated by colons.
  static func commands(in environment: [String: String]) -> [[String]] {
    let named = (environment["BROWSER"] ?? "").split(separator: ":")
      .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    return named + (hasDisplay ? [["xdg-open"]] : [])
  }

  /// Returns the words of `command` with `url` in place of `%s`. If `command` has no `%s`, appends `url`. No shell is
  /// involved.
  static func arguments(of command: [String], for url: String) -> [String] {
    guard command.contains(where: { $0.contains("%s") }) else { return command + [url] }
    return command.map { $0.replacing("%s", with: url) }
  }

  private static func start(_ arguments: [String]) -> Bool {
    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    return (words + [nil]).withUnsafeBufferPointer { qw_start_detached($0.baseAddress) } == 0
  }
}
