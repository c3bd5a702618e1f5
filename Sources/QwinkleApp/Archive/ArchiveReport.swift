import QwinkleWire

/// Counts the items of an export or import, and lists those that failed.
@MainActor
final class ArchiveReport {
  /// Maximum number of failures printed.
  private static let mostPrinted = 50

  /// Numbers by the name of the items, in order.
  private var counts: [(name: String, count: Int)] = []
  private(set) var failures: [String] = []
  let showsProgress: Bool

  init(showsProgress: Bool) {
    self.showsProgress = showsProgress
  }

  func count(_ name: String, _ number: Int = 1) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].count += number
    } else {
      counts.append((name, number))
    }
  }

  func fail(_ sentence: String) { failures.append(sentence) }

  func progress(_ sentence: String) { if showsProgress { StandardOutput.remark(sentence) } }

  /// The counts in words: `12 posts, 3 files`.
  var words: String {
    let words = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    return words.isEmpty ? "nothing" : words
  }

  func json(_ folder: String) -> [UInt8] {
    JSONWriter.bytes { writer in
      writer.object { writer in
        writer.field("folder", folder)
        writer.field("counts", counts) { writer, item in
          writer.object { writer in
            writer.field("name", item.name)
            writer.field("count", item.count)
          }
        }
        writer.field("failures", failures)
      }
    }
  }

  /// Prints the failures. Throws an error with `advice` if there are any.
  func end(_ advice: String) throws(AppError) {
    if failures.isEmpty { return }
    for failure in failures.prefix(Self.mostPrinted) { StandardOutput.complain(failure) }
    if failures.count > Self.mostPrinted { StandardOutput.complain("And \(failures.count - Self.mostPrinted) more.") }
    throw .failed("\(failures.count) \(failures.count == 1 ? "item" : "items") failed. \(advice)")
  }
}
