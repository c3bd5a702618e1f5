import SafeText

/// The report of `qwinkle doctor`. It contains no secret and no text of a qwink.
struct DoctorReport {
  struct Section {
    let title: String
    var lines: [Line] = []

    mutating func add(_ name: String, _ value: String, problem: String? = nil) {
      lines.append(Line(name: name, value: value, problem: problem))
    }
  }

  struct Line {
    let name: String
    let value: String
    /// The problem and its remedy.
    var problem: String?
  }

  var sections: [Section] = []

  var problemCount: Int { sections.flatMap(\.lines).count { $0.problem != nil } }

  /// The report, with one fact per line. Problems begin with `!`.
  var text: String {
    let width = sections.flatMap(\.lines).map(\.name.count).max() ?? 0
    var lines: [String] = []
    for section in sections where !section.lines.isEmpty {
      lines.append(section.title)
      for line in section.lines {
        let padding = String(repeating: " ", count: width - line.name.count)
        lines.append("  \(line.name)\(padding)  \(SafeText.line(line.value))")
        if let problem = line.problem { lines.append("! \(SafeText.line(problem))") }
      }
      lines.append("")
    }
    switch problemCount {
    case 0: lines.append("No problems found.")
    case 1: lines.append("1 problem found.")
    default: lines.append("\(problemCount) problems found.")
    }
    return lines.joined(separator: "\n")
  }
}
