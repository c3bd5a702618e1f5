import OnDemandResources
import QwinkleModel

extension ResourceTag {
  /// The pictures of a qwink, as lists show them.
  static func pictures(of qwink: Qwink) -> ResourceTag { ResourceTag("qwink \(qwink.originalID.rawValue)") }

  /// One of them, at full size.
  static func picture(_ index: Int, of qwink: Qwink) -> ResourceTag {
    ResourceTag("picture \(index + 1) of qwink \(qwink.originalID.rawValue)")
  }

  /// Somebody's avatar.
  static func avatar(of qwinker: Qwinker) -> ResourceTag { ResourceTag("avatar @\(qwinker.handle)") }
}
