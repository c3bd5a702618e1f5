import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire

/// `qwinkle quote ID TEXT`: posts a quote of a qwink and exits.
struct QuoteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "quote", abstract: "Quote a post in a new one.",
    discussion: """
      The author of the quoted post decides who may quote it, and may have to approve the quote. Nothing is posted if \
      the server does not support quotes. A post for followers can be quoted only by its author, and only for followers.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var arguments: ResponseArguments

  func validate() throws { try arguments.check(for: Self.self) }

  func start() throws {
    try arguments.send(as: GivenEntry.Target.quote, needingAccountFor: "Quoting")
  }
}

/// The option for who may quote a post.
struct QuotePolicyOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Users other than you who can quote it: \(QuotePolicyArgument.words); by default as set in your account.",
      valueName: "who"),
    completion: .list(QuotePolicy.allCases.map(\.rawValue)))
  var quotePolicy: String?

  func validate() throws {
    if let quotePolicy { _ = try QuotePolicyArgument.policy(quotePolicy, of: "--quote-policy") }
  }

  /// The chosen policy, or nil for the account's default.
  var chosen: QuotePolicy? { quotePolicy.flatMap(QuotePolicy.init) }
}

/// The name of a quote policy.
enum QuotePolicyArgument {
  static let words = QuoteWords.policies

  /// Parses the value of `name`, an option or argument.
  static func policy(_ word: String, of name: String) throws -> QuotePolicy {
    guard let policy = QuotePolicy(rawValue: word) else {
      throw ValidationError("\(name) must be \(words), not “\(word)”.")
    }
    return policy
  }
}

/// `qwinkle quotes ID`: prints the posts that quote a post.
struct QuotesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "quotes", abstract: "Print the posts that quote a post.")

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var list: ListOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Listing quotes", isPaged: true) { server, clock in
      let quoted = try await subject.find(on: server)
      let name = TimelineName.quotes(of: quoted.originalID)
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let quotes = PagedList<Qwink>(
        first: { .timeline(name, limit: $0) }, page: { .timelinePage(name, $0) }, id: { $0.rowID },
        isShown: { !Disclosure(of: $0, in: name.filterPlace, at: style.now).isHidden },
        need: AbilityNeed(.quotes, of: quoted))
      try await list.print(quotes, from: server, none: "No quotes.", json: WireEncoder.qwinks) {
        PlainQwink.text($0, in: name.filterPlace, style)
      }
    }
  }
}

/// `qwinkle revoke-quote ID`: removes the user's post from a post that quotes it.
struct RevokeQuoteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke-quote", abstract: "Remove your post from a post that quotes it.",
    discussion: "ID is the post that quotes yours. A removed quote can't be restored.")

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print the post without the quote as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Revoking a quote") { server, _ in
      let quoting = try await subject.find(on: server).original
      let me = try await server.answer(to: .ownAccount).qwinker.id
      if let refusal = RevocationRefusal(of: quoting, by: me) { throw AppError.failed(refusal.sentence) }
      guard let quoted = quoting.quote?.id else { return }
      let answer = try await server.answer(
        to: Request<Qwink>.revokeQuote(of: quoted, in: quoting.originalID).sourced,
        needing: AbilityNeed(.quotes, of: quoting))
      if json { return StandardOutput.print(json: SentJSON.original(of: answer.json)) }
      StandardOutput.print("Quote removed: \(quoting.url ?? quoting.id.rawValue)")
    }
  }
}

/// `qwinkle quote-policy ID WHO`: changes who can quote one of the user's posts.
struct QuotePolicyCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "quote-policy", abstract: "Change who can quote your own post.",
    discussion: "Quotes that exist stay; qwinkle revoke-quote removes your post from them.")

  @OptionGroup var subject: QwinkArgument

  @Argument(
    help: "Users other than you who can quote it: \(QuotePolicyArgument.words).",
    completion: .list(QuotePolicy.allCases.map(\.rawValue)))
  var who: String

  @Flag(help: "Print the post as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws { _ = try QuotePolicyArgument.policy(who, of: "WHO") }

  func start() throws {
    let policy = try QuotePolicyArgument.policy(who, of: "WHO")
    CommandRunner.run(options.choice, needingAccountFor: "Changing who can quote a post") { server, _ in
      let qwink = try await subject.find(on: server).original
      let me = try await server.answer(to: .ownAccount).qwinker.id
      guard qwink.author.id == me else { throw AppError.failed("You can choose only who may quote your own posts.") }
      guard qwink.visibility.hasQuotePolicy else {
        throw AppError.failed("Only you can quote this post: it is not public or unlisted.")
      }
      let answer = try await server.answer(
        to: Request<Qwink>.setQuotePolicy(of: qwink.originalID, to: policy).sourced,
        needing: AbilityNeed(.quotes, of: qwink))
      if json { return StandardOutput.print(json: SentJSON.original(of: answer.json)) }
      StandardOutput.print("Quotes: \(QuoteWords.name(of: policy))  \(qwink.url ?? qwink.id.rawValue)")
    }
  }
}
