import ArgumentParser
import QwinkleAccount

/// Options for printing lists.
struct ListOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many to print. More than 40 are fetched page by page.", valueName: "count"))
  var limit = 20

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more, not \(limit).") }
  }

  /// Prints the items of `list`: each page as it arrives, or one array of entities at the end. If there are none, a
  /// terminal gets the sentence `none`.
  @MainActor
  func print<Item>(
    _ list: PagedList<Item>, from server: AccountConnection, none: String, json entities: ([Item]) -> [UInt8],
    text: (Item) -> String
  ) async throws {
    if json { return StandardOutput.print(json: entities(try await list.items(limit, from: server))) }
    var isEmpty = true
    try await list.read(limit, from: server) { page in
      for item in page { StandardOutput.print(text(item)) }
      if !page.isEmpty { isEmpty = false }
    }
    if isEmpty { StandardOutput.remark(onEmptyList: none) }
  }
}

/// The option for printing what is behind content warnings.
struct RevealOption: ParsableArguments {
  @Flag(help: "Print texts behind a content warning, too. JSON always has them.")
  var reveal = false
}
