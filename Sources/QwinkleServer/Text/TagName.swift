import Foundation

/// Tags are compared without regard to case and to how accents are composed.
enum TagName {
  /// What a tag is found by. Given without `#`.
  static func folded(_ name: String) -> String {
    let lowered = name.lowercased()
    return lowered.utf8.allSatisfy { $0 < 0x80 } ? lowered : lowered.precomposedStringWithCanonicalMapping
  }
}
