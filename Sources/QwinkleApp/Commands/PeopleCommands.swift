import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle followers [USER]`
struct FollowersCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "followers", abstract: "Print a user's followers, yours by default.")

  @OptionGroup var subject: OptionalQwinkerArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(
      options, needingAccountFor: subject.needsAccount(for: "Listing your followers"), none: "No followers."
    ) { .followers(try await subject.find(on: $0).id) }
  }
}

/// `qwinkle following [USER]`
struct FollowingCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "following", abstract: "Print the accounts that a user follows, yours by default.")

  @OptionGroup var subject: OptionalQwinkerArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(
      options, needingAccountFor: subject.needsAccount(for: "Listing the accounts you follow"),
      none: "No followed accounts."
    ) { .following(try await subject.find(on: $0).id) }
  }
}

/// `qwinkle boosted-by ID`
struct BoostedByCommand: ProgramCommand {
  static let configuration = CommandConfiguration(commandName: "boosted-by", abstract: "Print who boosted a post.")

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, none: "No boosts.") { .boosters(try await subject.find(on: $0).originalID) }
  }
}

/// `qwinkle favourited-by ID`
struct FavouritedByCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "favourited-by", abstract: "Print who favourited a post.")

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, none: "No favourites.") { .favouriters(try await subject.find(on: $0).originalID) }
  }
}

extension ListOptions {
  /// Opens a session and prints a list of accounts.
  @MainActor
  func printPeople(
    _ options: ServerOptions, needingAccountFor what: String? = nil, none: String,
    of name: @escaping @MainActor (AccountConnection) async throws -> QwinkerListName
  ) {
    CommandRunner.run(options.choice, needingAccountFor: what) { server, clock in
      try await printPeople(try await name(server), none: none, from: server, PlainStyle(clock))
    }
  }

  /// Prints a list of accounts.
  @MainActor
  func printPeople(
    _ name: QwinkerListName, none: String, from server: AccountConnection, _ style: PlainStyle
  ) async throws {
    let people = PagedList<Qwinker>(
      first: { .qwinkers(name, limit: $0) }, page: { .qwinkersPage($0) }, id: { $0.id })
    guard name == .muted, !json else {
      return try await print(people, from: server, none: none, json: WireEncoder.qwinkers) {
        PlainQwinker.text($0, style)
      }
    }
    let muted = try await people.items(limit, from: server)
    let relationships = await Self.relationships(to: muted.filter { $0.muteEndsAt == nil }, from: server)
    for qwinker in muted {
      StandardOutput.print(PlainQwinker.text(qwinker, style, relationship: relationships[qwinker.id]))
    }
    if muted.isEmpty { StandardOutput.remark(onEmptyList: none) }
  }

  /// Returns the user's relationships to muted accounts. Some servers return the end of a mute only in the
  /// relationship, not in the list of muted accounts. Relationships that can't be fetched are left out.
  @MainActor
  private static func relationships(
    to qwinkers: [Qwinker], from server: AccountConnection
  ) async -> [Qwinker.ID: Relationship] {
    let pageSize = 40
    var known: [Qwinker.ID: Relationship] = [:]
    for start in stride(from: 0, to: qwinkers.count, by: pageSize) {
      let ids = qwinkers[start..<min(start + pageSize, qwinkers.count)].map(\.id)
      let found: [Relationship]? = try? await server.answer(to: .relationships(ids))
      for relationship in found ?? [] { known[relationship.id] = relationship }
    }
    return known
  }
}
