import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle collections [USER]`
struct CollectionsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "collections", abstract: "Print the collections of accounts that a user recommends.",
    discussion: "Without a user it prints yours.")

  @OptionGroup var subject: OptionalQwinkerArgument

  @Flag(help: "Print the collections that feature the user.")
  var featuring = false

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(
      options.choice, needingAccountFor: subject.needsAccount(for: "Listing your collections"), isPaged: true
    ) { server, _ in
      let qwinker = try await subject.find(on: server)
      let name: CollectionListName = featuring ? .featuring(qwinker.id) : .by(qwinker.id)
      // The first request shows whether the server has collections.
      _ = try await server.answer(
        to: Request<Page<QwinkerCollection>>.collections(name, limit: 1),
        needing: AbilityNeed(.collections, of: qwinker))
      let collections = PagedList<QwinkerCollection>(
        first: { .collections(name, limit: $0) }, page: { .collectionsPage($0) }, id: { $0.id })
      try await list.print(collections, from: server, none: "No collections.", json: WireEncoder.collections) {
        PlainCollection.text($0)
      }
    }
  }
}

/// `qwinkle collection ID`
struct CollectionCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "collection", abstract: "Print the accounts in a collection.")

  @Argument(help: "The collection's id, shown at the end of its first line by qwinkle collections.")
  var id: String

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    list.printPeople(options, none: "No accounts.") { _ in .collection(QwinkerCollection.ID(id), title: "") }
  }
}

/// A collection as plain text.
enum PlainCollection {
  static func text(_ collection: QwinkerCollection) -> String {
    let tag = collection.tag.map { "  #\($0)" } ?? ""
    let head = "\(collection.name)\(tag)  \(Counted.words(collection.count, "account"))  \(collection.id)"
    let body =
      collection.isSensitive ? "⚠ Marked as sensitive" : collection.description.structuredText
    return ([head, body].filter { !$0.isEmpty } + (collection.url.map { [$0] } ?? [])).joined(separator: "\n") + "\n"
  }
}
