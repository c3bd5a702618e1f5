import Foundation

/// Compares tags regardless of case and of how accents are composed.
enum TagName {
  /// The form by which a tag is stored and found. `name` has no `#`.
  static func folded(_ name: String) -> String {
    let lowered = name.lowercased()
    return lowered.utf8.allSatisfy { $0 < 0x80 } ? lowered : lowered.precomposedStringWithCanonicalMapping
  }
}
