import QwinkleModel

/// User-defined layouts.
extension ConfigReader {
  static let layouts = "layouts"
  static let width = "width"
  private static let mostLayouts = 50
  private static let validWidths = 20...1000

  /// Whether `path` is the path of a table for layouts.
  static func isLayoutTable(_ path: [String]) -> Bool { path == [layouts] || path == [layouts, width] }

  /// Reads one item of the `[layouts]` table and adds it to ``config``. Returns the problem, or nil if the item is
  /// valid.
  mutating func readLayout(_ item: TOMLItem, _ toml: TOMLDocument) -> ConfigProblem? {
    let name = item.path[1]
    if name == Self.width { return readWidth(item, toml) }
    guard item.path.count == 2 else { return toml.problem(at: item.start, "A layout is a text: \(name) = \"home\".") }
    guard OwnLayout.isName(name) else {
      return toml.problem(at: item.start, OwnLayout.nameRule)
    }
    guard let value = toml.configValue(at: item.path), case .text(let text) = value else {
      return toml.problem(at: item.start, "\(name) must be a layout such as \"home*60 | messages*40\".")
    }
    guard config.layouts.count < Self.mostLayouts else {
      return toml.problem(at: item.start, "There are at most \(Self.mostLayouts) layouts.")
    }
    do throws(LayoutProblem) {
      config.layouts.append(try OwnLayout(name: name, text: text))
      return nil
    } catch {
      let scalars = text.prefix(error.offset).unicodeScalars.count
      let place = TOMLScanner.offset(ofScalar: scalars, inStringAt: item.value.lowerBound, of: toml.bytes)
      return toml.problem(at: place, error.sentence)
    }
  }

  private mutating func readWidth(_ item: TOMLItem, _ toml: TOMLDocument) -> ConfigProblem? {
    guard item.path.count == 3, let columns = Int(item.path[2]), String(columns) == item.path[2],
      Self.validWidths.contains(columns)
    else {
      return toml.problem(
        at: item.start,
        "A width is \(Self.validWidths.lowerBound) to \(Self.validWidths.upperBound) columns: 100 = \"garden\".")
    }
    guard let value = toml.configValue(at: item.path), case .text(let name) = value else {
      return toml.problem(at: item.start, "\(columns) must be the name of a layout.")
    }
    config.layoutWidths.append(LayoutWidth(columns: columns, name: name))
    return nil
  }

  /// Returns a problem for each width whose layout doesn't exist, and removes the width. Call after all layouts are
  /// read, because a width can precede its layout.
  mutating func checkWidths(_ toml: TOMLDocument) -> [ConfigProblem] {
    let known = ReadyLayout.allCases.map(\.rawValue) + config.layouts.map(\.name)
    let unknown = config.layoutWidths.filter { !known.contains($0.name) }
    config.layoutWidths.removeAll { unknown.contains($0) }
    config.layoutWidths.sort { $0.columns < $1.columns }
    return unknown.compactMap { width in
      let item = toml.items.first { $0.path == [Self.layouts, Self.width, "\(width.columns)"] }
      let nearest = NearestWord.find(width.name, among: known).map { " Did you mean \($0)?" } ?? ""
      return item.map { toml.problem(at: $0.value.lowerBound, "No layout “\(width.name)”.\(nearest)") }
    }
  }
}
