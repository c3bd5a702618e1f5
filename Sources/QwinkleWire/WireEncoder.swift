public import QwinkleModel

/// Writes what is sent, for both ends: a client's requests and a service's answers. JSON in UTF-8.
///
/// ``WireDecoder`` reads the same models back from what this writes, dates to the millisecond.
public enum WireEncoder {
  /// An array of statuses.
  public static func qwinks(_ qwinks: [Qwink]) -> [UInt8] {
    JSONWriter.bytes { $0.array(qwinks) { StatusEntity.write($1, to: &$0) } }
  }

  /// One status.
  public static func qwink(_ qwink: Qwink) -> [UInt8] {
    JSONWriter.bytes { StatusEntity.write(qwink, to: &$0) }
  }

  /// One account; with `source` as plain text where it is one's own (CredentialAccount).
  public static func qwinker(_ qwinker: Qwinker, ownNote: String? = nil) -> [UInt8] {
    JSONWriter.bytes { AccountEntity.write(qwinker, ownNote: ownNote, to: &$0) }
  }

  /// A context.
  public static func thread(_ thread: QwinkThread) -> [UInt8] {
    JSONWriter.bytes { ContextEntity.write(thread, to: &$0) }
  }

  /// An instance of the first version of that entity.
  public static func serverInfoV1(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV1Entity.write(info, to: &$0) }
  }

  /// An instance of the second version.
  public static func serverInfoV2(_ info: ServerInfo) -> [UInt8] {
    JSONWriter.bytes { InstanceV2Entity.write(info, to: &$0) }
  }

  /// An error's body: `{"error": message}`.
  public static func error(_ message: String) -> [UInt8] {
    JSONWriter.bytes { ErrorEntity.write(message, to: &$0) }
  }

  /// What POST statuses takes, as JSON. The idempotency key goes into a header, not here.
  public static func entry(_ entry: Entry) -> [UInt8] {
    JSONWriter.bytes { EntryEntity.write(entry, to: &$0) }
  }
}
