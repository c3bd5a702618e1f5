import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle mute USER`
struct MuteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Mute a user: hide their posts and notifications.")

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Duration: 30m, 8h, 7d; permanent by default.", valueName: "time"))
  var duration: String?

  @Flag(help: "Still show their notifications.")
  var keepNotifications = false

  @OptionGroup var undo: UndoOption
  @OptionGroup var given: GivenRelation

  func validate() throws {
    _ = try duration.map { try AgeOption.seconds($0, of: "--for") }
  }

  func start() throws {
    let seconds = try duration.map { try AgeOption.seconds($0, of: "--for") } ?? 0
    let isOn = !undo.undo
    given.run("Muting", needing: .mutes, done: isOn ? "Muted" : "Unmuted") {
      isOn ? .mute($0, hidesNotifications: !keepNotifications, seconds: seconds) : .unmute($0)
    }
  }
}

/// `qwinkle block USER`
struct BlockCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "block", abstract: "Block a user: neither of you sees the other.")

  @OptionGroup var undo: UndoOption
  @OptionGroup var given: GivenRelation

  func start() throws {
    let isOn = !undo.undo
    given.run("Blocking", needing: .blocks, done: isOn ? "Blocked" : "Unblocked") { .block($0, isOn: isOn) }
  }
}

/// `qwinkle remove-follower USER`
struct RemoveFollowerCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-follower", abstract: "Make a user stop following you. They are not notified.")

  @OptionGroup var given: GivenRelation

  func start() throws {
    given.run("Removing a follower", needing: .followerRemoval, done: "No longer follows you") { .removeFollower($0) }
  }
}

/// `qwinkle note USER [TEXT]`
struct NoteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Print or change your private note about a user. Only you see it.",
    discussion: "An empty text removes the note.")

  @OptionGroup var given: GivenRelation

  @Argument(help: "The note; if missing, the note is printed.")
  var text: String?

  func start() throws {
    given.run("Using notes") { qwinker, server in
      guard let text else {
        let relationship = try await server.answer(to: Request<Relationship>.relationship(qwinker.id).sourced)
        guard !relationship.answer.note.isEmpty || given.json else {
          throw AppError.failed("No note about @\(qwinker.handle).")
        }
        return (relationship, relationship.answer.note)
      }
      let need = AbilityNeed(.notes, of: qwinker)
      let relationship = try await server.answer(
        to: Request<Relationship>.note(text, about: qwinker.id).sourced, needing: need)
      return (relationship, text.isEmpty ? "Note removed" : "Note saved")
    }
  }
}

/// `qwinkle requests`
struct RequestsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "requests", abstract: "Print your follow requests.")

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, needingAccountFor: "Listing follow requests", none: "No follow requests.") { _ in
      .requesters
    }
  }
}

/// `qwinkle blocked`
struct BlockedCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "blocked", abstract: "Print the users you have blocked.")

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, needingAccountFor: "Listing blocked users", none: "No blocked users.") { _ in .blocked }
  }
}

/// `qwinkle muted`
struct MutedCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "muted", abstract: "Print the users you have muted.")

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, needingAccountFor: "Listing muted users", none: "No muted users.") { _ in .muted }
  }
}

/// Durations on the command line.
enum AgeOption {
  /// Seconds of each unit.
  static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  /// Parses a duration such as `30m`, `8h` or `7d`, and returns its number of seconds. `option` is the option's name in
  /// the error.
  static func seconds(_ text: String, of option: String) throws -> Int {
    guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 10, let count = Int(text.dropLast()),
      count > 0
    else { throw ValidationError("\(option) must be a length of time, such as 30m, 8h or 7d, not “\(text)”.") }
    return count * unit
  }
}
