import QwinkleModel

/// User-defined views and rules that hide qwinks. Both are tables of rules by name.
extension ConfigReader {
  static let views = "views"
  static let hideRules = "hide-rules"
  private static let mostRules = 50

  /// Reads one rule from the `[views]` or the `[hide-rules]` table and adds it to ``config``. Returns the problem, or
  /// nil if the rule is valid.
  mutating func readRule(_ item: TOMLItem, _ toml: TOMLDocument) -> ConfigProblem? {
    let (table, name) = (item.path[0], item.path[1])
    let isView = table == Self.views
    let known = isView ? config.views : config.hideRules
    guard item.path.count == 2 else {
      let sentence = isView ? "A view is a rule: \(name) = \"boost\"." : "It is a rule: \(name) = \"boost\"."
      return toml.problem(at: item.start, sentence)
    }
    guard OwnView.isName(name) else {
      let owner = isView ? "A view's" : "A rule's"
      return toml.problem(at: item.start, "\(owner) name has letters, digits, - and _, at most 30.")
    }
    guard let value = toml.configValue(at: item.path), case .text(let text) = value else {
      return toml.problem(at: item.start, "\(name) must be a rule such as \"boost and not from:@anna\".")
    }
    guard known.count < Self.mostRules else {
      let things = isView ? "views" : "rules in [\(table)]"
      return toml.problem(at: item.start, "There are at most \(Self.mostRules) \(things).")
    }
    do throws(RuleProblem) {
      let rule = try OwnView(name: name, text: text)
      if isView { config.views.append(rule) } else { config.hideRules.append(rule) }
      return nil
    } catch {
      let place = TOMLScanner.offset(ofScalar: error.offset, inStringAt: item.value.lowerBound, of: toml.bytes)
      return toml.problem(at: place, error.sentence)
    }
  }
}
