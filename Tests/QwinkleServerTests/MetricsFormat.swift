import Foundation
import Testing

@testable import QwinkleServer

/// Metrics in Prometheus' text format, version 0.0.4, read by a parser that accepts no deviation.
struct MetricsFormat {
  struct Malformed: Error {
    let line: String
    let reason: String
  }

  struct Sample: Hashable {
    var name: String
    var labels: [String: String]
  }

  private(set) var values: [Sample: Double] = [:]
  private(set) var kinds: [String: String] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Malformed(line: String(text.suffix(80)), reason: "the last line is open") }
    var (family, help) = ("", "")
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let match = line.wholeMatch(of: #/# HELP ([a-z_]+) \S.*\./#) {
        help = String(match.1)
      } else if let match = line.wholeMatch(of: #/# TYPE ([a-z_]+) (counter|gauge|histogram)/#) {
        family = String(match.1)
        guard help == family, kinds[family] == nil else { throw Malformed(line: line, reason: "HELP must precede it") }
        kinds[family] = String(match.2)
      } else {
        try add(line, to: family)
      }
    }
    try checkHistograms()
  }

  private mutating func add(_ line: String, to family: String) throws {
    let label = #/([a-z_]+)="((?:[^"\\\n]|\\[\\"n])*)"/#
    guard let match = line.wholeMatch(of: #/([a-z_]+)(?:\{(.+)\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)/#),
      let value = Double(match.3)
    else { throw Malformed(line: line, reason: "not a sample") }
    let name = String(match.1)
    let suffixes = kinds[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    guard suffixes.contains(where: { family + $0 == name }) else {
      throw Malformed(line: line, reason: "belongs to no metric before it")
    }
    var labels: [String: String] = [:]
    if let list = match.2 {
      let found = list.matches(of: label)
      guard found.map({ String($0.0) }).joined(separator: ",") == list else {
        throw Malformed(line: line, reason: "malformed labels")
      }
      for one in found { labels[String(one.1)] = String(one.2) }
      guard labels.count == found.count else { throw Malformed(line: line, reason: "a label occurs twice") }
    }
    guard values.updateValue(value, forKey: Sample(name: name, labels: labels)) == nil else {
      throw Malformed(line: line, reason: "occurs twice")
    }
  }

  /// Checks that the buckets of each histogram are cumulative and end with the count.
  private func checkHistograms() throws {
    for (family, kind) in kinds where kind == "histogram" {
      let buckets = values.filter { $0.key.name == "\(family)_bucket" }
      let groups = Dictionary(grouping: buckets) { $0.key.labels.filter { $0.key != "le" } }
      for (labels, group) in groups {
        let bounds = group.map { (bound: $0.key.labels["le"] ?? "", count: $0.value) }
        let sorted = bounds.sorted { Self.number($0.bound) < Self.number($1.bound) }
        let count = values[Sample(name: "\(family)_count", labels: labels)]
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.count <= $1.count }), sorted.last?.bound == "+Inf",
          sorted.last?.count == count
        else { throw Malformed(line: "\(family) \(labels)", reason: "the buckets aren't cumulative") }
      }
    }
  }

  private static func number(_ bound: String) -> Double { bound == "+Inf" ? .infinity : Double(bound) ?? .nan }

  /// The value of a sample, or nil if it doesn't exist.
  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? { values[Sample(name: name, labels: labels)] }
}
