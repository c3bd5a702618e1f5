/// Builds Prometheus' text format, version 0.0.4:
/// <https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>.
struct MetricsText {
  enum Kind: String { case counter, gauge, histogram }

  /// The Content-Type of the format.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds a metric without labels.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some Numeric) {
    begin(name, kind, help)
    add(sample: name, [], value)
  }

  /// Adds a metric with a sample for each value of a label.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, by label: String, _ samples: [(String, Int)]
  ) {
    begin(name, kind, help)
    for (labelValue, value) in samples { add(sample: name, [(label, labelValue)], value) }
  }

  /// Starts a metric. Its samples must follow at once.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func add(sample name: String, _ labels: [(String, String)], _ value: some Numeric) {
    let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  /// Adds the samples of a histogram. `counts` has one more element than `bounds`, for values above all bounds.
  mutating func add(
    histogram name: String, _ labels: [(String, String)], _ histogram: Metrics.Histogram
  ) {
    var total = 0
    let bounds = Metrics.Histogram.bounds.map { "\($0)" } + ["+Inf"]
    for (bound, count) in zip(bounds, histogram.counts) {
      total += count
      add(sample: "\(name)_bucket", labels + [("le", bound)], total)
    }
    add(sample: "\(name)_sum", labels, histogram.sum)
    add(sample: "\(name)_count", labels, total)
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
