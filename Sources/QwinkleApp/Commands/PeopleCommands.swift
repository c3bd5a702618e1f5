import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle followers [USER]`
struct FollowersCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "followers", abstract: "Print who follows a user, or you.")

  @OptionGroup var subject: OptionalQwinkerArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    list.printPeople(
      options, needingAccountFor: subject.needsAccount(for: "Listing your followers"), none: "No followers."
    ) {
      .followers(try await subject.find(on: $0).id)
    }
  }
}

/// `qwinkle following [USER]`
struct FollowingCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "following", abstract: "Print the accounts that a user follows, yours by default.")

  @OptionGroup var subject: OptionalQwinkerArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    list.printPeople(
      options, needingAccountFor: subject.needsAccount(for: "Listing the accounts you follow"),
      none: "No followed accounts."
    ) {
      .following(try await subject.find(on: $0).id)
    }
  }
}

/// `qwinkle boosted-by ID`
struct BoostedByCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "boosted-by", abstract: "Print who boosted a qwink.")

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    list.printPeople(options, none: "No boosts.") { .boosters(try await subject.find(on: $0).originalID) }
  }
}

/// `qwinkle favourited-by ID`
struct FavouritedByCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourited-by", abstract: "Print who favourited a qwink.")

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    list.printPeople(options, none: "No favourites.") { .favouriters(try await subject.find(on: $0).originalID) }
  }
}

extension ListOptions {
  /// Prints a list of people.
  @MainActor
  func printPeople(
    _ options: ServerOptions, needingAccountFor what: String? = nil, none: String,
    of name: @escaping @MainActor (AccountConnection) async throws -> QwinkerListName
  ) {
    CommandRunner.run(options.choice, needingAccountFor: what) { server, _ in
      try await printPeople(try await name(server), none: none, from: server)
    }
  }

  /// Prints a list of people that is known.
  @MainActor
  func printPeople(_ name: QwinkerListName, none: String, from server: AccountConnection) async throws {
    let people = PagedList<Qwinker>(
      first: { .qwinkers(name, limit: $0) }, page: { .qwinkersPage($0) }, id: { $0.id })
    let columns = StandardOutput.columns
    try await print(people, from: server, none: none, json: WireEncoder.qwinkers) {
      PlainQwinker.text($0, columns: columns)
    }
  }
}
