/// The next step for the operator of a server that no one has used yet.
enum ServeNextStep {
  /// - Parameters:
  ///   - socket: The path of the socket for the users of this host, if any.
  ///   - isStandard: Whether clients find the socket without an option.
  ///   - options: Options to append to commands of `serve`.
  static func words(socket: String?, isStandard: Bool, options: String) -> String {
    if let socket {
      return "Next, as any user of this host: qwinkle\(isStandard ? "" : " --socket \(ShellWord.word(socket))")"
    }
    return """
      No one can sign in yet. Next, in another terminal: qwinkle serve add-user NAME\(options)
      For all users of this host, without passwords: qwinkle serve --socket PATH\(options)
      """
  }
}
