import QwinkleModel

/// The thread around a status. The two lists are decoded item by item, like pages.
/// <https://docs.joinmastodon.org/entities/Context/>
enum ContextEntity {
  static func read(_ reader: BodyReader) throws(WireError) -> QwinkThread {
    let thread = QwinkThread(
      ancestors: try reader.items(of: RowEntity.self, named: "ancestors"),
      descendants: try reader.items(of: RowEntity.self, named: "descendants"))
    if thread == QwinkThread() { try reader.expectList(named: ["ancestors", "descendants"]) }
    return thread
  }

  /// Returns the JSON of each status that ``read(_:)`` returns.
  static func readSources(
    _ reader: BodyReader
  ) throws(WireError) -> (ancestors: [[UInt8]], descendants: [[UInt8]]) {
    (
      try reader.sources(of: RowEntity.self, named: "ancestors"),
      try reader.sources(of: RowEntity.self, named: "descendants")
    )
  }

  static func write(_ thread: QwinkThread, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("ancestors", thread.ancestors) { StatusEntity.write($1, to: &$0) }
      writer.field("descendants", thread.descendants) { StatusEntity.write($1, to: &$0) }
    }
  }
}
