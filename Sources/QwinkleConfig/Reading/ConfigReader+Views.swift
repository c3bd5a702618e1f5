import QwinkleModel

/// User-defined views.
extension ConfigReader {
  static let views = "views"
  private static let mostViews = 50

  /// Reads one view from the `[views]` table and adds it to ``config``. Returns the problem, or nil if the view is
  /// valid.
  mutating func readView(_ item: TOMLItem, _ toml: TOMLDocument) -> ConfigProblem? {
    let name = item.path[1]
    guard item.path.count == 2 else { return toml.problem(at: item.start, "A view is a rule: \(name) = \"boost\".") }
    guard OwnView.isName(name) else {
      return toml.problem(at: item.start, "A view's name has letters, digits, - and _, at most 30.")
    }
    guard let value = toml.configValue(at: item.path), case .text(let text) = value else {
      return toml.problem(at: item.start, "\(name) must be a rule such as \"boost and not from:@anna\".")
    }
    guard config.views.count < Self.mostViews else {
      return toml.problem(at: item.start, "There are at most \(Self.mostViews) views.")
    }
    do throws(RuleProblem) {
      config.views.append(try OwnView(name: name, text: text))
      return nil
    } catch {
      let place = TOMLScanner.offset(ofScalar: error.offset, inStringAt: item.value.lowerBound, of: toml.bytes)
      return toml.problem(at: place, error.sentence)
    }
  }
}
