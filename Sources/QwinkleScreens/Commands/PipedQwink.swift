import FoundationEssentials
public import QwinkleConfig
public import QwinkleModel
import QwinkleStore
import SafeText

/// The input of a custom command for a qwink. The qwink's text and JSON are passed by standard input only. They are
/// never part of a command line or of the environment, where a shell could run them as code.
public enum PipedQwink {
  /// Returns the bytes for standard input.
  public static func input(_ kind: OwnCommand.Input, of qwink: Qwink) -> [UInt8] {
    switch kind {
    case .text: Array((qwink.text.plainText + "\n").utf8)
    case .json: Array((qwink.restorableText + "\n").utf8)
    case .picture: Array(pictures(of: qwink).map { $0 + "\n" }.joined().utf8)
    case .url: Array(((address(of: qwink) ?? "") + "\n").utf8)
    }
  }

  /// Returns the environment variables with the qwink's id, author and address. Omits values that contain characters
  /// other than letters, digits and harmless punctuation, that a command would parse as options, or that are too long.
  public static func environment(of qwink: Qwink) -> [String: String] {
    var values = ["QWINKLE_ID": qwink.originalID.rawValue, "QWINKLE_AUTHOR": qwink.author.handle]
    values["QWINKLE_URL"] = address(of: qwink)
    return values.filter { _, value in
      !value.isEmpty && !value.hasPrefix("-") && value.utf8.count < 2000 && value.utf8.allSatisfy(isHarmless)
    }
  }

  /// Returns the addresses of the qwink's media, leaving out invalid ones.
  static func pictures(of qwink: Qwink) -> [String] {
    qwink.attachments.compactMap { $0.url.flatMap { WebAddress($0)?.target } }
  }

  private static func address(of qwink: Qwink) -> String? { qwink.url.flatMap { WebAddress($0)?.target } }

  private static func isHarmless(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || ":/@._%+=-,".utf8.contains(byte)
  }
}
