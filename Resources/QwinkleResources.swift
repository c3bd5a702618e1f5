/// Texts that are part of the program. They are embedded, so that the binary can be copied anywhere.
public enum QwinkleResources {
  /// The keymap, in the form that `Keymap(text:)` reads.
  public static var keymap: String { String(decoding: PackageResources.keymap_txt, as: UTF8.self) }

  /// The ready keymap with this name, in the form of a user's `keys.txt`; nil if there is none.
  public static func keymap(named name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "vi": PackageResources.vi_txt
      case "emacs": PackageResources.emacs_txt
      case "arrows": PackageResources.arrows_txt
      case "toot": PackageResources.toot_txt
      case "tut": PackageResources.tut_txt
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The theme with this name, in the form of a user's `theme.txt`; nil if there is none.
  public static func theme(named name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "night": PackageResources.night_txt
      case "forest": PackageResources.forest_txt
      case "ember": PackageResources.ember_txt
      case "paper": PackageResources.paper_txt
      case "day": PackageResources.day_txt
      case "sand": PackageResources.sand_txt
      case "contrast": PackageResources.contrast_txt
      case "mono": PackageResources.mono_txt
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The qwinks that greet a newcomer, oldest first, parted by lines `---`. One that begins with the line
  /// `# Not in a served timeline` is about the reader's own machine.
  public static var welcome: String { String(decoding: PackageResources.welcome_txt, as: UTF8.self) }
}
