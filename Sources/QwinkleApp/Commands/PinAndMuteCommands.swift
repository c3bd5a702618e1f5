import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle pin ID`
struct PinCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin one of your qwinks to your profile.")

  @OptionGroup var given: GivenReaction

  @MainActor
  func start() throws {
    given.run("Pinning", done: given.undo.undo ? "Unpinned" : "Pinned", state: { $0.isPinned }) { .pin($0, isOn: $1) }
  }
}

/// `qwinkle mute-thread ID`
struct MuteThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute-thread", abstract: "Mute a thread: no notifications for its replies.")

  @OptionGroup var given: GivenReaction

  @MainActor
  func start() throws {
    let done = given.undo.undo ? "Thread unmuted" : "Thread muted"
    given.run("Muting a thread", needing: .threadMutes, done: done, state: { $0.isThreadMuted }) {
      .muteThread($0, isOn: $1)
    }
  }
}

extension GivenReaction {
  /// Sends `request` with the qwink's id and the wanted state, and prints `done` with the qwink's address. `state`
  /// returns the qwink's current state. If `ability` is given, a “not found” response means that the server lacks this
  /// ability. Pass nil if it may also mean that the user isn't the author.
  @MainActor
  fileprivate func run(
    _ activity: String, needing ability: Ability? = nil, done: String,
    state: @escaping @MainActor (Qwink) -> Bool,
    _ request: @escaping @MainActor (Qwink.ID, Bool) -> Request<Qwink>
  ) {
    let isOn = !undo.undo
    CommandRunner.run(options.choice, needingAccountFor: activity) { server, _ in
      let found = try await subject.findSourced(on: server)
      let qwink = found.answer
      try await change(found, to: isOn, state: state, done: done) {
        try await server.answer(
          to: request(qwink.originalID, isOn).sourced, needing: ability.map { AbilityNeed($0, of: qwink) })
      }
    }
  }
}
