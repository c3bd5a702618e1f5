import LibC
import QwinkleWire
import SafeText

/// Counts the items of an export or import, and lists the failures.
@MainActor
final class ArchiveReport {
  /// Maximum number of failures printed, and stored for JSON. A hostile archive has any number of them.
  private static let mostPrinted = 50
  private static let mostStored = 1000

  /// Numbers by the name of the items, in order.
  private var counts: [(name: String, count: Int)] = []
  private var failures: [String] = []
  private(set) var failureCount = 0
  private let showsProgress: Bool

  /// - Parameter showsProgress: Whether progress is printed, if standard error is a terminal.
  init(showsProgress: Bool) {
    self.showsProgress = showsProgress && isatty(STDERR_FILENO) == 1
  }

  func count(_ name: String, _ number: Int = 1) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].count += number
    } else {
      counts.append((name, number))
    }
  }

  func fail(_ sentence: String) {
    failureCount += 1
    if failures.count < Self.mostStored { failures.append(SafeText.line(sentence)) }
  }

  func progress(_ sentence: String) { if showsProgress { StandardOutput.remark(sentence) } }

  /// The counts in words: `12 posts, 3 files`.
  var words: String {
    let words = counts.filter { $0.count > 0 }.map { "\($0.count) \(Self.name($0.name, $0.count))" }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }

  /// Returns a name such as `users in lists` in the singular if the count is 1.
  private static func name(_ name: String, _ count: Int) -> String {
    let first = name.prefix { $0 != " " }
    guard count == 1, first.hasSuffix("s") else { return name }
    return "\(first.dropLast())\(name.dropFirst(first.count))"
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
        writer.field("failures_count", failureCount)
      }
    }
  }

  /// Prints the failures. Throws an error with `advice` if there are any.
  func end(_ advice: String) throws(AppError) {
    if failureCount == 0 { return }
    for failure in failures.prefix(Self.mostPrinted) { StandardOutput.complain(failure) }
    if failureCount > Self.mostPrinted { StandardOutput.complain("And \(failureCount - Self.mostPrinted) more.") }
    throw .failed("\(failureCount) \(failureCount == 1 ? "item" : "items") failed. \(advice)")
  }
}
