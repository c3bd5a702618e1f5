import Foundation

/// Chooses the program in which the user edits text.
enum EditorChoice {
  /// Editors to try in this order if neither the user's configuration nor the environment names one.
  static let usual = ["editor", "nano", "vi"]

  /// Returns `chosen` if it isn't empty, else the command in `VISUAL` or `EDITOR`, else the first usual editor in a
  /// folder of `PATH`, if any.
  static func command(in environment: [String: String], chosen: String = "") -> String? {
    let named = [chosen, environment["VISUAL"], environment["EDITOR"]].compactMap {
      $0?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let command = named.first(where: { !$0.isEmpty }) { return command }
    // Ignore empty components: they mean the current folder, where a stranger could have put a program called `editor`.
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return usual.first { name in folders.contains { isProgram("\($0)/\(name)") } }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
