/// Texts that are part of the program. They are embedded, so that the binary can be copied anywhere.
public enum QwinkleResources {
  /// The keymap, in the form that `Keymap(text:)` reads.
  public static var keymap: String { String(decoding: PackageResources.keymap_txt, as: UTF8.self) }

  /// The qwinks that greet a newcomer, oldest first, parted by lines `---`.
  public static var welcome: String { String(decoding: PackageResources.welcome_txt, as: UTF8.self) }
}
