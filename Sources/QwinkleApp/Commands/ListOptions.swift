import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleWire

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

extension ListOptions {
  /// Prints qwinks like ``print(_:from:none:isAlwaysRemarked:json:text:)``. If they are to be translated, the output
  /// begins after the last translation has arrived.
  @MainActor
  func print(
    _ list: PagedList<Qwink>, from server: AccountConnection, translating option: TranslateOption, none: String,
    text: (Qwink, PlainTranslations) -> String
  ) async throws {
    guard option.translate != nil else {
      return try await print(list, from: server, none: none, json: WireEncoder.qwinks) {
        text($0, PlainTranslations())
      }
    }
    let entries = try await list.entries(limit, from: server)
    let translations = await option.translations(of: entries.map(\.item), from: server)
    try translations.checkStart()
    if json {
      StandardOutput.print(json: SentJSON.array(entries.map(translations.json), encoding: WireEncoder.qwinks))
    } else {
      for entry in entries { StandardOutput.print(text(entry.item, translations)) }
      if entries.isEmpty { StandardOutput.remark(onEmptyList: none) }
    }
    try translations.check()
  }
}

/// An option that prints texts behind content warnings.
struct RevealOption: ParsableArguments {
  @Flag(help: "Print texts behind a content warning, too. JSON always includes them.")
  var reveal = false
}
