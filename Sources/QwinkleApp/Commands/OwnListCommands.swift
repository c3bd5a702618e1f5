import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle lists`
struct ListsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "Print your lists.",
    discussion: "qwinkle timeline list/NAME prints the posts of a list's members.")

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Using lists") { server, _ in
      let lists = try await server.answer(to: Request<[PersonalList]>.lists.sourced)
      if json { return StandardOutput.print(json: lists.json) }
      for list in lists.answer { StandardOutput.print("\(list.title)  \(list.id)") }
      if lists.answer.isEmpty { StandardOutput.remark(onEmptyList: "No lists.") }
    }
  }
}

/// `qwinkle list NAME`
struct ListCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the members of one of your lists, or change it.",
    discussion: "You can add only users you follow.")

  @Argument(help: "The list: its name or its id.")
  var name: String

  @Flag(help: "Create the list.")
  var create = false

  @Flag(help: "Delete the list.")
  var delete = false

  @Option(help: ArgumentHelp("Rename the list.", valueName: "name"))
  var rename: String?

  @Option(help: ArgumentHelp("Add a user; can be repeated.", valueName: "user"), completion: KnownCompletions.users)
  var add: [String] = []

  @Option(help: ArgumentHelp("Remove a user; can be repeated.", valueName: "user"), completion: KnownCompletions.users)
  var remove: [String] = []

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if create, delete { throw ValidationError("Use --create or --delete, not both.") }
    for user in add + remove { try QwinkerArgument.check(user) }
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Using lists") { server, clock in
      let request = Request<PersonalList>.createList(PersonalList(id: "", title: name)).sourced
      var answer = create ? try await server.answer(to: request) : nil
      var wanted: PersonalList
      if let answer { wanted = answer.answer } else { wanted = try await PersonalList.named(name, on: server) }
      if delete {
        try await server.answer(to: .deleteList(wanted.id))
        return StandardOutput.print("Deleted: \(wanted.title)")
      }
      if let rename {
        wanted.title = rename
        let changed = try await server.answer(to: Request<PersonalList>.changeList(wanted).sourced)
        answer = changed
        wanted = changed.answer
      }
      for (users, isOn) in [(add, true), (remove, false)] where !users.isEmpty {
        var ids: [Qwinker.ID] = []
        for user in users { ids.append(try await QwinkerArgument.qwinker(user, from: server).id) }
        try await server.answer(to: .setMembers(ids, of: wanted.id, isOn: isOn))
      }
      if let answer {
        if list.json { return StandardOutput.print(json: answer.json) }
        return StandardOutput.print("\(create ? "Created" : "Renamed"): \(wanted.title)  \(wanted.id)")
      }
      try await list.printPeople(.members(wanted.id), none: "The list is empty.", from: server, PlainStyle(clock))
    }
  }
}

extension PersonalList {
  /// Returns the user's list whose id or title is `name`, ignoring case.
  @MainActor
  static func named(_ name: String, on server: AccountConnection) async throws -> PersonalList {
    guard let found = try await server.answer(to: .lists).named(name) else {
      throw AppError.failed("No list “\(name)”. qwinkle lists prints yours.")
    }
    return found
  }
}
