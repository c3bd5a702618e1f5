import Terminal

/// Decodes the bytes of a terminal into keys, pastes and replies. Bytes may arrive in pieces of any size, with pauses
/// of any length. The decoder waits for the end of a sequence, so that no part of a sequence is read as typed keys.
/// Pauses matter in two cases: after an escape, which `finish()` then returns as a key, and in a paste (`stall()`).
///
/// ncurses' own reader is not used. It reads one byte at a time, blocks for its escape delay, loses characters with a
/// malformed or late byte, and returns late replies as typed keys.
struct KeyDecoder {
  private let sequences: KeySequences
  private var pending: [UInt8] = []
  private var paste: PasteReader?
  /// The sequence that is being skipped.
  private var skipped: SkippedSequence?
  /// Set if the next bytes may continue an escape that arrived before a pause. That escape was decoded as a key, or as
  /// the end of a skipped sequence.
  private var late: LateSequence?
  /// Whether the next key is dropped, because it is the rest of a sequence whose escape was already decoded before a
  /// pause.
  private var swallowsKey = false

  static let escape: UInt8 = 0x1B
  /// Bytes that continue a sequence after its escape, or end a string.
  static let continuations = Array("[]OP_^X\\".utf8)

  init(sequences: KeySequences) {
    self.sequences = sequences
  }

  /// Whether the pending bytes are an escape that may be a key or the start of a sequence. If no more bytes arrive
  /// soon, `finish()` returns the escape as a key.
  var awaitsMore: Bool { paste == nil && !pending.isEmpty && pending.allSatisfy { $0 == Self.escape } }

  /// Whether a paste is incomplete. If the terminal never ends the paste, the user can end it with ^C after `stall()`
  /// has been called.
  var isPasting: Bool { paste != nil }

  /// Whether the bytes so far end inside a sequence or a paste. False if they end in a single escape, which may be a
  /// key.
  var isInsideSequence: Bool { skipped != nil || paste != nil || (pending.first == Self.escape && !awaitsMore) }

  /// Whether the next bytes may continue an escape that arrived before a pause. The decoder recognizes these bytes only
  /// if they arrive in one piece.
  var mayContinueLate: Bool { late != nil }

  /// Called after a long pause in a paste. From now on ^C discards the paste, until more of the paste arrives.
  mutating func stall() { paste?.isStalled = true }

  /// Returns the events and replies that `bytes` complete.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> DecodedInput {
    pending.append(contentsOf: bytes)
    if paste?.isStalled == true, pending.allSatisfy({ $0 == 0x03 }) {
      paste = nil
      pending = []
      return DecodedInput()
    }
    if let late {
      self.late = nil
      if late.continues(in: pending) {
        pending.insert(Self.escape, at: 0)
        swallowsKey = true
      }
    }
    return decodePending()
  }

  /// Called after a short pause. Returns pending escapes as keys, unless a sequence is being skipped.
  mutating func finish() -> [TerminalEvent] {
    guard awaitsMore else { return [] }
    let count = pending.count
    pending = []
    // While a sequence is skipped, an escape is not returned as a key. Either it is the first half of the sequence's
    // terminator, or the user has pressed the key. In both cases the sequence ends, so that keys work again.
    late = skipped == nil ? .sequence : .end
    guard skipped == nil else {
      skipped = nil
      return []
    }
    return Array(repeating: .key(Key(.escape)), count: count)
  }

  /// Discards an incomplete sequence, because another program may have read the rest of it. Doesn't discard an
  /// incomplete paste.
  mutating func dropIncomplete() {
    guard paste == nil else { return }
    if pending.first == Self.escape { pending = [] }
    (skipped, late, swallowsKey) = (nil, nil, false)
  }

  // MARK: Taking pieces off the front

  /// A decoded piece of input, with its length in bytes.
  private enum Piece {
    case key(Key, Int)
    case mouse(MouseEvent, Int)
    case reply(TerminalReply, Int)
    case ignored(Int)
    /// The start of a sequence that is skipped.
    case skipped(SkippedSequence, Int)
    case text(Int)
    case pasteBegin(Int)
    case incomplete
  }

  private mutating func decodePending() -> DecodedInput {
    var input = DecodedInput()
    let bytes = pending
    var index = 0
    reading: while index < bytes.count {
      if paste != nil {
        index = readPaste(bytes, from: index, into: &input.events)
        continue
      }
      if let skipped {
        guard let end = skipped.end(in: bytes[index...]) else {
          // A trailing escape may be half of the terminator.
          index = bytes.last == Self.escape ? bytes.count - 1 : bytes.count
          break reading
        }
        self.skipped = nil
        index = end
        continue
      }
      switch piece(bytes[index...]) {
      case .key(let key, let count):
        if !swallowsKey { input.events.append(.key(key)) }
        index += count
      case .mouse(let event, let count):
        input.events.append(.mouse(event))
        index += count
      case .reply(let reply, let count):
        input.replies.append(reply)
        index += count
      case .ignored(let count):
        index += count
      case .skipped(let sequence, let count):
        skipped = sequence
        index += count
      case .text(let count):
        appendText(bytes[index..<(index + count)], to: &input.events)
        index += count
      case .pasteBegin(let count):
        paste = PasteReader()
        index += count
      case .incomplete:
        break reading
      }
      swallowsKey = false
    }
    pending = Array(bytes[index...])
    return input
  }

  private func piece(_ bytes: ArraySlice<UInt8>) -> Piece {
    let first = bytes[bytes.startIndex]
    if first == Self.escape { return escapePiece(bytes) }
    if first < 0x20 || first == 0x7F { return .key(KeySequences.control(first), 1) }
    let run = bytes.prefix { $0 >= 0x20 && $0 != 0x7F }
    // The last character may be incomplete.
    let cut = run.endIndex == bytes.endIndex ? Self.cutCharacter(at: run) : 0
    return run.count == cut ? .incomplete : .text(run.count - cut)
  }

  private func escapePiece(_ bytes: ArraySlice<UInt8>) -> Piece {
    guard bytes.count > 1 else { return .incomplete }
    if let known = describedPiece(bytes) { return known }
    if sequences.isBeginning(bytes) { return .incomplete }
    let second = bytes[bytes.startIndex + 1]
    switch second {
    case UInt8(ascii: "["): return controlSequence(bytes)
    case UInt8(ascii: "O"): return bytes.count > 2 ? applicationSequence(bytes) : .incomplete
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"): return stringPiece(bytes)
    case UInt8(ascii: "^"), UInt8(ascii: "X"): return .skipped(.string, 2)
    case Self.escape:
      // If Alt is pressed, some terminals send an escape before a key's sequence.
      guard bytes.count > 2 else { return .incomplete }
      guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[bytes.startIndex + 2]) else {
        return .key(Key(.escape), 1)
      }
      switch escapePiece(bytes.dropFirst()) {
      case .key(let key, let count) where count > 2: return .key(Key(key.code, key.modifiers.union(.meta)), count + 1)
      case .incomplete: return .incomplete
      default: return .key(Key(.escape), 1)
      }
    default:
      return metaPiece(bytes)
    }
  }

  /// Decodes a string sequence, which is a reply or is skipped.
  private func stringPiece(_ bytes: ArraySlice<UInt8>) -> Piece {
    let isReply = TerminalReply.stringStarts.contains { start in
      bytes.count < start.count ? start.starts(with: bytes) : bytes.starts(with: start)
    }
    guard isReply else { return .skipped(.string, 2) }
    let content = bytes.dropFirst(2).prefix { $0 >= 0x20 && $0 != 0x7F }
    let end = bytes[content.endIndex...]
    let count = 2 + content.count
    if end.isEmpty || end.elementsEqual([Self.escape]) {
      return count > Self.longestSequence ? .skipped(.string, 2) : .incomplete
    }
    let endLength = end.first == 0x07 ? 1 : end.starts(with: "\u{1B}\\".utf8) ? 2 : 0
    guard endLength > 0, let reply = TerminalReply(string: bytes.prefix(count)) else { return .skipped(.string, 2) }
    return .reply(reply, count + endLength)
  }

  /// Returns a key that the terminal's description contains, if `bytes` begin with its sequence.
  private func describedPiece(_ bytes: ArraySlice<UInt8>) -> Piece? {
    var count = 2
    while count <= min(bytes.count, 16) {
      let start = bytes.prefix(count)
      if let key = sequences.key(named: start) { return .key(key, count) }
      guard sequences.isBeginning(start) else { return nil }
      count += 1
    }
    return nil
  }

  /// Decodes ESC and a character, which terminals send for the character with Alt.
  private func metaPiece(_ bytes: ArraySlice<UInt8>) -> Piece {
    let rest = bytes.dropFirst()
    let second = rest[rest.startIndex]
    if second < 0x20 || second == 0x7F {
      let key = KeySequences.control(second)
      return .key(Key(key.code, key.modifiers.union(.meta)), 2)
    }
    var length = 1
    while length < 4, length < rest.count, Self.isContinuation(rest[rest.startIndex + length]) { length += 1 }
    if second >= 0x80, length < Self.length(second) {
      return length == rest.count ? .incomplete : .key(Key(.escape), 1)
    }
    guard let character = String(decoding: rest.prefix(second < 0x80 ? 1 : length), as: UTF8.self).first else {
      return .key(Key(.escape), 1)
    }
    return .key(.meta(character), second < 0x80 ? 2 : 1 + length)
  }

  /// Decodes ESC `[`, parameters, and a final byte.
  private func controlSequence(_ bytes: ArraySlice<UInt8>) -> Piece {
    let body = bytes.dropFirst(2)
    let parameters = body.prefix { 0x30...0x3F ~= $0 }
    let rest = body.dropFirst(parameters.count)
    let between = rest.prefix { 0x20...0x2F ~= $0 }
    let count = 2 + parameters.count + between.count
    guard let final = rest.dropFirst(between.count).first else {
      return count > Self.longestSequence ? .skipped(.control, count) : .incomplete
    }
    guard 0x40...0x7E ~= final else { return .ignored(count) }
    if final == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) { return .pasteBegin(count + 1) }
    if parameters.isEmpty, between.isEmpty, let length = Self.lengthBehindFinal(final) {
      guard bytes.count >= count + 1 + length else { return .incomplete }
      let tail = bytes.dropFirst(count + 1).prefix(length)
      return MouseSequence.event(final: final, places: tail).map { .mouse($0, count + 1 + length) }
        ?? .ignored(count + 1 + length)
    }
    if let event = MouseSequence.event(final: final, parameters: parameters) { return .mouse(event, count + 1) }
    if let reply = TerminalReply(final: final, parameters: parameters, between: between) {
      return .reply(reply, count + 1)
    }
    guard between.isEmpty, let key = KeySequences.key(final: final, parameters: Array(parameters)) else {
      return .ignored(count + 1)
    }
    return .key(key, count + 1)
  }

  private static let longestSequence = 256

  /// Returns the number of bytes after the final byte of a sequence that predates the standard, or nil for other
  /// sequences. These sequences are X10's mouse reports, in which arbitrary bytes follow, and the Linux console's
  /// function keys.
  private static func lengthBehindFinal(_ final: UInt8) -> Int? {
    switch final {
    case UInt8(ascii: "M"): 3
    case UInt8(ascii: "["): 1
    default: nil
    }
  }

  /// Decodes ESC `O` and a letter. Between them, some terminals send numbers for modifiers.
  private func applicationSequence(_ bytes: ArraySlice<UInt8>) -> Piece {
    let body = bytes.dropFirst(2)
    let numbers = body.prefix { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ";") }
    let count = 2 + numbers.count
    guard let final = body.dropFirst(numbers.count).first else {
      return count > Self.longestSequence ? .skipped(.control, count) : .incomplete
    }
    guard 0x40...0x7E ~= final else { return .ignored(count) }
    guard numbers.isEmpty, let key = KeySequences.applicationKey(final) else { return .ignored(count + 1) }
    return .key(key, count + 1)
  }

  // MARK: Text

  private func appendText(_ bytes: ArraySlice<UInt8>, to events: inout [TerminalEvent]) {
    for character in String(decoding: bytes, as: UTF8.self) {
      // No key sends a C1 control character.
      if let scalar = character.unicodeScalars.first, 0x80...0x9F ~= scalar.value { continue }
      events.append(.key(.character(character)))
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// Returns the length of a character from its first byte.
  private static func length(_ byte: UInt8) -> Int {
    byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
  }

  /// Returns the number of bytes at the end of `run` that begin an incomplete character.
  private static func cutCharacter(at run: ArraySlice<UInt8>) -> Int {
    for back in 1...3 where back <= run.count {
      let byte = run[run.endIndex - back]
      if isContinuation(byte) { continue }
      return length(byte) > back ? back : 0
    }
    return 0
  }

  // MARK: Pastes

  /// Continues to read a paste, up to its end mark. Returns the index after the last byte read.
  private mutating func readPaste(_ bytes: [UInt8], from start: Int, into events: inout [TerminalEvent]) -> Int {
    guard var paste = self.paste else { return start }
    self.paste = nil
    let (end, isWhole) = paste.read(bytes[start...])
    if isWhole { events.append(.paste(paste.text)) } else { self.paste = paste }
    return end
  }
}
