import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle pin ID`
struct PinCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Pin one of your posts to your profile.")

  @OptionGroup var given: GivenReaction

  func start() throws {
    given.run("Pinning", done: given.undo.undo ? "Unpinned" : "Pinned", state: { $0.isPinned }) { .pin($0, isOn: $1) }
  }
}

/// `qwinkle mute-thread ID`
struct MuteThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute-thread", abstract: "Mute a thread: no notifications for its replies.")

  @OptionGroup var given: GivenReaction

  func start() throws {
    let done = given.undo.undo ? "Thread unmuted" : "Thread muted"
    given.run("Muting a thread", needing: .threadMutes, done: done, state: { $0.isThreadMuted }) {
      .muteThread($0, isOn: $1)
    }
  }
}
