import QwinkleModel

/// Search results. Decodes the lists item by item, like pages. A missing list is empty. In version 1, tags are strings.
/// <https://docs.joinmastodon.org/entities/Search/>
enum SearchEntity {
  static func read(_ reader: BodyReader) throws(WireError) -> SearchResults {
    let results = SearchResults(
      qwinkers: try reader.items(of: AccountEntity.self, named: "accounts"),
      qwinks: try reader.items(of: RowEntity.self, named: "statuses"),
      tags: try reader.items(of: TagEntity.self, named: "hashtags"))
    if results.isEmpty { try reader.expectList(named: ["accounts", "statuses", "hashtags"]) }
    return results
  }

  /// Returns the JSON of each item that ``read(_:)`` returns.
  static func readSources(
    _ reader: BodyReader
  ) throws(WireError) -> (qwinkers: [[UInt8]], qwinks: [[UInt8]], tags: [[UInt8]]) {
    (
      try reader.sources(of: AccountEntity.self, named: "accounts"),
      try reader.sources(of: RowEntity.self, named: "statuses"),
      try reader.sources(of: TagEntity.self, named: "hashtags")
    )
  }

  static func write(_ results: SearchResults, base: String?, to writer: inout JSONWriter) {
    let base =
      base ?? results.qwinkers.lazy.compactMap(\.url).first ?? results.qwinks.lazy.compactMap(\.url).first
    writer.object { writer in
      writer.field("accounts", results.qwinkers) { AccountEntity.write($1, to: &$0) }
      writer.field("statuses", results.qwinks) { StatusEntity.write($1, to: &$0) }
      writer.field("hashtags", results.tags) { TagEntity.write($1, base: base, to: &$0) }
    }
  }
}
