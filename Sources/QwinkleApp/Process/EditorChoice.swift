import Foundation

/// Which editor a text is opened in.
enum EditorChoice {
  /// Looked for in this order if the environment names none.
  static let usual = ["editor", "nano", "vi"]

  /// `chosen` if it is not empty, or the command that `VISUAL` or `EDITOR` names, or else the first usual editor in a
  /// folder of `PATH`; nil if there is none.
  static func command(in environment: [String: String], chosen: String = "") -> String? {
    let named = [chosen, environment["VISUAL"], environment["EDITOR"]].compactMap {
      $0?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let command = named.first(where: { !$0.isEmpty }) { return command }
    // An empty part means the current folder, where an editor could be anybody's.
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return usual.first { name in folders.contains { isProgram("\($0)/\(name)") } }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}
