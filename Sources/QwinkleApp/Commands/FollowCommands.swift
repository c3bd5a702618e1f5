import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle follow USER`
struct FollowCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow a user, or send a follow request.",
    discussion: "If you already follow the user, the options change the follow. Options that you omit stay unchanged.")

  @OptionGroup var undo: UndoOption

  @Flag(inversion: .prefixedNo, help: "Show the user's boosts in your home timeline.")
  var boosts: Bool?

  @Flag(inversion: .prefixedNo, help: "Notify you of each of the user's posts.")
  var notify: Bool?

  @Option(
    help: ArgumentHelp(
      "Show only posts in these languages, such as en,de; all shows all languages.", valueName: "codes"))
  var languages: String?

  @OptionGroup var given: GivenRelation

  private var changes: FollowOptions? {
    let options = FollowOptions(
      showsBoosts: boosts, notifies: notify, languages: languages.flatMap(FollowOptions.languages))
    return options.isEmpty ? nil : options
  }

  func validate() throws {
    if let languages, FollowOptions.languages(in: languages) == nil {
      throw ValidationError("“\(languages)” is not a list of languages. Use all, or codes such as en,de.")
    }
    if undo.undo, changes != nil { throw ValidationError("--undo unfollows the user, so it has no other options.") }
  }

  func start() throws {
    let isOn = !undo.undo
    let options = changes
    given.run("Following") { qwinker, server in
      let question = Request<Relationship>.relationship(qwinker.id).sourced
      let before = !isOn ? nil : try? await server.answer(to: question)
      // Don't repeat the request: the user's server would send it to the other user's server again.
      if let before, options == nil, before.answer.isFollowing || before.answer.isRequested {
        return (before, "Already \(before.answer.isFollowing ? "following" : "requested to follow") @\(qwinker.handle)")
      }
      let change = Request<Relationship>.follow(qwinker.id, isOn: isOn, options: options).sourced
      let relationship = try await server.answer(to: change)
      return (
        relationship, FollowOutcome(of: qwinker, isOn: isOn, now: relationship.answer, options: options).sentence
      )
    }
  }
}

/// `qwinkle accept USER`
struct AcceptCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept a user's request to follow you.")

  @OptionGroup var given: GivenRelation

  func start() throws { given.answerRequest(accepts: true) }
}

/// `qwinkle refuse USER`
struct RefuseCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "refuse", abstract: "Refuse a user's request to follow you.")

  @OptionGroup var given: GivenRelation

  func start() throws { given.answerRequest(accepts: false) }
}

/// Arguments of commands that change the relationship between the user and another account.
struct GivenRelation: ParsableArguments {
  @OptionGroup var subject: QwinkerArgument

  @Flag(help: "Print the relationship as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  /// Finds the user, makes the change and prints the result.
  @MainActor
  func run(
    _ activity: String,
    change: @escaping @MainActor (Qwinker, AccountConnection) async throws -> (Sourced<Relationship>, String)
  ) {
    CommandRunner.run(options.choice, needingAccountFor: activity) { server, _ in
      let qwinker = try await subject.findOther(on: server)
      let (relationship, sentence) = try await change(qwinker, server)
      // Servers return a list even if a single relationship is fetched. Print only its element.
      if json { return StandardOutput.print(json: WireDecoder.relationshipSource(from: relationship.json)) }
      StandardOutput.print(sentence)
    }
  }

  /// Finds the user, sends `request` and prints `done` with the user's handle.
  @MainActor
  func run(
    _ activity: String, needing ability: Ability, done: String,
    _ request: @escaping @MainActor (Qwinker.ID) -> Request<Relationship>
  ) {
    run(activity) { qwinker, server in
      let relationship = try await server.answer(
        to: request(qwinker.id).sourced, needing: AbilityNeed(ability, of: qwinker))
      return (relationship, "\(done): @\(qwinker.handle)")
    }
  }

  @MainActor
  func answerRequest(accepts: Bool) {
    run("Answering follow requests") { qwinker, server in
      do throws(DownloadError) {
        let relationship = try await server.answer(
          to: Request<Relationship>.answerFollowRequest(qwinker.id, accepts: accepts).sourced)
        return (relationship, "\(accepts ? "Accepted" : "Refused") the follow request from @\(qwinker.handle).")
      } catch {
        guard case .notFound = error else { throw error.lacking(.followRequests) ?? error }
        throw AppError.failed("No follow request from @\(qwinker.handle).")
      }
    }
  }
}
