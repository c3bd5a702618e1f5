import Terminal

/// A session as an animated SVG, which plays in a web page without a script, again and again. Each content of a row is
/// one group that CSS shows and hides, so that a typed character adds one row and not a screen. If the viewer prefers
/// reduced motion, it shows the last screen. Equal frames produce equal bytes.
public struct SVGAnimation: Sendable {
  /// A screen and the time since the start when it appeared.
  public struct Frame: Sendable {
    public var time: Duration
    public var snapshot: Snapshot

    public init(time: Duration, snapshot: Snapshot) {
      self.time = time
      self.snapshot = snapshot
    }
  }

  /// A row's content, and the times when it is visible.
  private struct Version {
    var row: Int
    var elements: [String]
    var spans: [(start: Duration, end: Duration)]
  }

  /// The last screen is visible this long before the animation begins again.
  private static let rest = Duration.seconds(3)

  private let frames: [Frame]
  private let title: String
  private let theme: SVGTheme

  /// - Parameter frames: The screens in order. The picture has room for the largest one.
  public init(_ frames: [Frame], title: String = "", theme: SVGTheme = .dark) {
    self.frames = frames
    self.title = title
    self.theme = theme
  }

  /// The SVG file, or an empty one without frames.
  public var text: String {
    guard let last = frames.last else { return "" }
    let seconds = Int(((last.time + Self.rest) / .seconds(1)).rounded(.up))
    let length = Duration.seconds(seconds)
    var styles: [String] = []
    var elements: [String] = []
    for (number, version) in versions(length: length).enumerated() where !version.elements.isEmpty {
      let isConstant = version.spans.count == 1 && version.spans[0] == (.zero, length)
      if !isConstant { styles.append(style(of: version, number, length: length)) }
      elements.append(isConstant ? "<g>" : #"<g class="r v\#(number)">"#)
      elements += version.elements + ["</g>"]
    }
    let shared = ".r{visibility:hidden;animation:\(seconds)s step-end infinite}"
    // Only the size of this screen is drawn.
    let room = Snapshot(size: size, cells: [])
    return SVGPicture(room, title: title, theme: theme).text(
      of: elements, style: "\n" + ([shared] + styles).joined(separator: "\n") + "\n")
  }

  /// The rows and columns of the largest screens.
  private var size: Size {
    let sizes = frames.map(\.snapshot.size)
    return Size(rows: sizes.map(\.rows).max() ?? 0, columns: sizes.map(\.columns).max() ?? 0)
  }

  /// Returns the contents of all rows. A screen may have fewer rows than the largest one.
  private func versions(length: Duration) -> [Version] {
    var versions: [Version] = []
    var known: [[String]: Int] = [:]
    for row in 0..<size.rows {
      for (index, frame) in frames.enumerated() {
        let start = index == 0 ? .zero : frame.time
        let end = index + 1 < frames.count ? frames[index + 1].time : length
        let isInFrame = row < frame.snapshot.size.rows
        let elements = isInFrame ? SVGPicture(frame.snapshot, theme: theme).elements(row: row) : []
        guard let place = known[elements], versions[place].row == row else {
          known[elements] = versions.count
          versions.append(Version(row: row, elements: elements, spans: [(start, end)]))
          continue
        }
        let last = versions[place].spans.count - 1
        if versions[place].spans[last].end == start {
          versions[place].spans[last].end = end
        } else {
          versions[place].spans.append((start, end))
        }
      }
    }
    return versions
  }

  private func style(of version: Version, _ number: Int, length: Duration) -> String {
    var steps = version.spans[0].start > .zero ? ["0%{visibility:hidden}"] : []
    for span in version.spans {
      steps.append("\(percent(span.start, of: length))%{visibility:visible}")
      if span.end < length { steps.append("\(percent(span.end, of: length))%{visibility:hidden}") }
    }
    let isLast = version.spans.last?.end == length
    let still = isLast ? "@media(prefers-reduced-motion){.v\(number){visibility:visible;animation:none}}" : ""
    return ".v\(number){animation-name:k\(number)}@keyframes k\(number){\(steps.joined())}\(still)"
  }

  /// Returns a percentage with three decimals.
  private func percent(_ time: Duration, of length: Duration) -> String {
    let thousandths = Int((time / length * 100_000).rounded())
    let decimals = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
  }
}
