import Foundation

/// Folds tag names, so that comparisons ignore case and the composition of accents.
enum TagName {
  /// Returns the form of a tag for storage and search. `name` has no `#`.
  static func folded(_ name: String) -> String {
    let lowered = name.lowercased()
    return lowered.utf8.allSatisfy { $0 < 0x80 } ? lowered : lowered.precomposedStringWithCanonicalMapping
  }
}
