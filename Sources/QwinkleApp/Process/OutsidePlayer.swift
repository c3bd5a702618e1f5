import CProcess
import Dispatch
import Foundation
import PaneKit
import QwinkleScreens

/// Runs a player that uses the terminal until it ends.
@MainActor
final class OutsidePlayer {
  private weak var application: Application?
  private let input: Int32
  private var running: (process: Int32, command: PlayerCommand)?
  /// Called with a sentence for the user if the player fails.
  var didFail: (@MainActor (String) -> Void)?

  /// Creates a player on the terminal. `input` is the descriptor that the player reads from. It writes to standard
  /// output.
  init(application: Application, input: Int32) {
    self.application = application
    self.input = input
    application.addObserver(self)
  }

  /// Hands the terminal to the player until it ends. Returns false if the player didn't start.
  func play(_ address: String, by command: PlayerCommand) -> Bool {
    guard running == nil, let application, application.enterBackground() else { return false }
    let process = qw_foreground_start(command.script, address, input, 1)
    guard process > 0 else {
      application.enterForeground()
      return false
    }
    running = (process, command)
    // On a separate queue, because playing may take long.
    DispatchQueue(label: "qwinkle.player").async { [weak self] in
      let status = qw_foreground_wait(process)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.didEnd(process, status: status) }
      }
    }
    return true
  }

  private func didEnd(_ process: Int32, status: Int32) {
    guard let running, running.process == process else { return }
    self.running = nil
    qw_foreground_end()
    application?.enterForeground()
    if let sentence = Self.sentence(status, of: running.command) { didFail?(sentence) }
  }

  /// Plays without a screen, as a shell command does, and waits until the player ends. Returns the reason if it fails.
  static func playAndWait(_ address: String, by command: PlayerCommand) -> String? {
    let process = qw_foreground_start(command.script, address, 0, 1)
    guard process > 0 else { return sentence(127, of: command) }
    defer { qw_foreground_end() }
    return sentence(qw_foreground_wait(process), of: command)
  }

  /// Returns the reason that the player failed, or nil if it didn't. A signal, such as the one of ^C, isn't a failure.
  static func sentence(_ status: Int32, of command: PlayerCommand) -> String? {
    let name = command.words.first ?? ""
    switch status {
    case 126, 127: return URLOpenerError.cannotStart(.player, name).sentence
    case 1...128: return "“\(name)” exited with status \(status)."
    default: return nil
    }
  }
}

extension OutsidePlayer: ApplicationObserver {
  func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    guard phase == .terminating, let running else { return }
    self.running = nil
    kill(running.process, SIGHUP)
  }
}
