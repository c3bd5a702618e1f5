import ArgumentParser
import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// `qwinkle vote ID CHOICE…`
struct VoteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "vote", abstract: "Vote in a post's poll.",
    discussion: "Without a choice it prints the poll with its current results. A vote can't be changed.")

  @OptionGroup var subject: QwinkArgument

  @Argument(help: "The options to vote for: numbers from 1, or their texts.")
  var choices: [String] = []

  @Flag(help: "Print the poll as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: choices.isEmpty ? nil : "Voting") { server, clock in
      let qwink = try await subject.find(on: server)
      guard let known = qwink.poll else {
        throw AppError.failed("That post has no poll, or the server does not show it.")
      }
      let wanted = try Self.indices(of: choices, in: known, at: clock.now)
      let request: Request<Poll> = wanted.isEmpty ? .poll(known.id) : .vote(in: known.id, for: wanted)
      let poll = try await server.answer(to: request.sourced, needing: AbilityNeed(.polls, of: qwink))
      if json { return StandardOutput.print(json: poll.json) }
      let lines = PlainQwink.lines(of: poll.answer, PlainStyle(clock), showsResults: true)
      StandardOutput.print(lines.joined(separator: "\n"))
    }
  }

  /// Returns the indices of the options that `choices` refer to by title or number. Titles take precedence.
  ///
  /// - Throws: ``AppError`` if a choice matches no option, or if the user can't vote.
  static func indices(of choices: [String], in poll: Poll, at now: Date) throws(AppError) -> [Int] {
    guard choices.isEmpty || !poll.isClosed(at: now) else { throw .failed("Not voted: the poll is closed.") }
    guard choices.isEmpty || !poll.hasVoted else { throw .failed("Not voted: you have voted already.") }
    guard choices.count < 2 || poll.allowsSeveral else {
      throw .usage("Not voted: this poll allows one choice.")
    }
    var indices: [Int] = []
    for choice in choices {
      let titled = poll.options.firstIndex { $0.title.lowercased() == choice.lowercased() }
      let numbered = Int(choice).map { $0 - 1 }.flatMap { poll.options.indices.contains($0) ? $0 : nil }
      guard let index = titled ?? numbered else {
        let known = poll.options.enumerated().map { "\($0.offset + 1) \($0.element.title)" }.joined(separator: ", ")
        throw .usage("Not voted: no option “\(choice)”. Options: \(known).")
      }
      if !indices.contains(index) { indices.append(index) }
    }
    return indices
  }
}
