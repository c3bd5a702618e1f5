import ArgumentParser
import QwinkleServer

/// The option `--reason` of commands that the audit log records.
struct ReasonOption: ParsableArguments {
  @Option(help: ArgumentHelp("The reason, for the log.", valueName: "text"))
  var reason = ""
}

/// The option `--reason` of commands that notify the user.
struct ShownReasonOption: ParsableArguments {
  @Option(help: ArgumentHelp("The reason, for the log and the user, who is notified.", valueName: "text"))
  var reason = ""
}

extension ServedUsersCommand {
  struct SetRole: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Make a user an operator, or an ordinary user again.",
      discussion: """
        Moderators and admins are notified of reports and can moderate in apps. Moderators can't act against operators. \
        Admins can act against moderators.
        """)

    @Argument(help: "The user's name.")
    var name: String

    @Argument(help: "moderator, admin or user.", completion: .list(OperatorRole.allCases.map(\.rawValue)))
    var role: String

    @OptionGroup var location: ServiceLocation

    func validate() throws {
      guard OperatorRole(rawValue: role) != nil else {
        throw ValidationError("The role must be moderator, admin or user, not “\(role)”.")
      }
    }

    func run() throws {
      guard let role = OperatorRole(rawValue: role) else { return }
      try location.using { try $0.setRole(of: name, to: role) }
      StandardOutput.print("@\(name) is now \(role == .user ? "an ordinary user" : "an operator: \(role.rawValue)").")
    }
  }

  struct Suspend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suspend", abstract: "Hide a user and all their posts from everyone, and sign them out.")

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var reason: ReasonOption
    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { try $0.setSuspension(of: name, to: true, reason: reason.reason) }
      StandardOutput.print("@\(name) is suspended. To undo: qwinkle serve users unsuspend \(name)\(location.words)")
    }
  }

  struct Unsuspend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unsuspend", abstract: "Show a suspended user and their posts again.")

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var reason: ReasonOption
    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { try $0.setSuspension(of: name, to: false, reason: reason.reason) }
      StandardOutput.print("@\(name) is no longer suspended.")
    }
  }

  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limit", abstract: "Show a user's posts and notifications only to their followers.",
      discussion: """
        Everyone else finds the posts only on the user's profile and in threads. Conversations continue. The user is \
        notified.
        """)

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var reason: ShownReasonOption
    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { try $0.setLimit(of: name, to: true, reason: reason.reason) }
      StandardOutput.print("@\(name) is limited. To undo: qwinkle serve users unlimit \(name)\(location.words)")
    }
  }

  struct Unlimit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unlimit", abstract: "Show a limited user's posts to everyone again.")

    @Argument(help: "The user's name.")
    var name: String

    @OptionGroup var reason: ReasonOption
    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { try $0.setLimit(of: name, to: false, reason: reason.reason) }
      StandardOutput.print("@\(name) is no longer limited.")
    }
  }
}

/// `qwinkle serve delete-post ID`
struct DeletePostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete-post", abstract: "Delete a user's post with its pictures. It can't be undone.",
    discussion: "The author is notified. For the ids of a report's posts: qwinkle serve reports show ID")

  @Argument(help: "The post's id.")
  var id: String

  @OptionGroup var reason: ShownReasonOption
  @OptionGroup var location: ServiceLocation

  func run() throws {
    try location.using { try $0.deletePost(id, reason: reason.reason) }
    StandardOutput.print("Post \(id) is deleted.")
  }
}
