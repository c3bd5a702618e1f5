import ArgumentParser
import QwinkleAccount

/// Options for printing lists.
struct ListOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Number of items to print. More than 40 are fetched page by page.", valueName: "count"))
  var limit = 20

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more, not \(limit).") }
  }

  /// Prints the items of `list`. As text, each page is printed when it arrives; as JSON, one array of entities is
  /// printed at the end. If the list is empty and the output is text, prints `none` to standard error, but only if
  /// standard output is a terminal or `isAlwaysRemarked` is true.
  @MainActor
  func print<Item>(
    _ list: PagedList<Item>, from server: AccountConnection, none: String, isAlwaysRemarked: Bool = false,
    json entities: ([Item]) -> [UInt8],
    text: (Item) -> String
  ) async throws {
    if json {
      return StandardOutput.print(json: SentJSON.array(try await list.entries(limit, from: server), encoding: entities))
    }
    var isEmpty = true
    try await list.read(limit, from: server) { page in
      for entry in page { StandardOutput.print(text(entry.item)) }
      if !page.isEmpty { isEmpty = false }
    }
    guard isEmpty else { return }
    if isAlwaysRemarked { StandardOutput.remark(none) } else { StandardOutput.remark(onEmptyList: none) }
  }
}

/// An option that prints texts behind content warnings.
struct RevealOption: ParsableArguments {
  @Flag(help: "Print texts behind a content warning, too. JSON always includes them.")
  var reveal = false
}
