import Terminal

/// Turns the bytes of a terminal into keys and pastes. Bytes come in pieces of any size; a piece that ends inside a key waits for
/// the next one, or for `finish()`.
///
/// ncurses' own reader is not used: it takes one byte at a time, stands still for its escape delay, loses characters of which a
/// byte is bad or late, and passes the terminal's late answers on as if they had been typed.
struct KeyDecoder {
  /// Pastes are cut here.
  static let pasteLimit = 1 << 20

  private let sequences: KeySequences
  private var pending: [UInt8] = []
  private var paste: Paste?
  private var answers: [TerminalAnswer] = []

  private struct Paste {
    var bytes: [UInt8] = []
    /// The last bytes, which may be the beginning of the end mark.
    var tail: [UInt8] = []
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  init(sequences: KeySequences) {
    self.sequences = sequences
  }

  /// Whether what has come ends inside an escape sequence: if nothing more comes soon, `finish()` tells what it was.
  var awaitsMore: Bool { pending.first == Self.escape }

  /// Whether a paste has begun and not ended: if nothing more comes for long, `finishPaste()` ends it.
  var isPasting: Bool { paste != nil }

  /// What the terminal has answered since the last call.
  mutating func takeAnswers() -> [TerminalAnswer] {
    defer { answers = [] }
    return answers
  }

  /// Ends a paste whose end was lost, so that keys are keys again.
  mutating func finishPaste() -> [TerminalEvent] {
    guard let paste else { return [] }
    self.paste = nil
    return [.paste(Self.text(ofPaste: paste.bytes + paste.tail))]
  }

  /// What `bytes` complete.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending.append(contentsOf: bytes)
    return decodePending(isFinal: false)
  }

  /// What the bytes that wait are, as no more belong to them.
  mutating func finish() -> [TerminalEvent] {
    decodePending(isFinal: true)
  }

  // MARK: Taking pieces off the front

  /// What the bytes at a place are: so many bytes, and the key if they are one.
  private enum Piece {
    case key(Key, Int)
    case mouse(MouseEvent, Int)
    case answer(TerminalAnswer, Int)
    case ignored(Int)
    case text(Int)
    case pasteBegin(Int)
    case incomplete
  }

  private mutating func decodePending(isFinal: Bool) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    let bytes = pending
    var index = 0
    reading: while index < bytes.count {
      if paste != nil {
        index = readPaste(bytes, from: index, into: &events)
        continue
      }
      switch piece(bytes[index...], isFinal: isFinal) {
      case .key(let key, let count):
        events.append(.key(key))
        index += count
      case .mouse(let event, let count):
        events.append(.mouse(event))
        index += count
      case .answer(let answer, let count):
        // Nobody asks so often that more than a few could be waited for.
        if answers.count < 16 { answers.append(answer) }
        index += count
      case .ignored(let count):
        index += count
      case .text(let count):
        appendText(bytes[index..<(index + count)], to: &events)
        index += count
      case .pasteBegin(let count):
        paste = Paste()
        index += count
      case .incomplete:
        break reading
      }
    }
    pending = Array(bytes[index...])
    return events
  }

  private func piece(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Piece {
    let first = bytes[bytes.startIndex]
    if first == Self.escape { return escapePiece(bytes, isFinal: isFinal) }
    if first < 0x20 || first == 0x7F { return .key(KeySequences.control(first), 1) }
    let run = bytes.prefix { $0 >= 0x20 && $0 != 0x7F }
    // A character may be cut at the end of what has come.
    let cut = !isFinal && run.endIndex == bytes.endIndex ? Self.cutCharacter(at: run) : 0
    return run.count == cut ? .incomplete : .text(run.count - cut)
  }

  private func escapePiece(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Piece {
    let incomplete: Piece = isFinal ? .key(Key(.escape), 1) : .incomplete
    guard bytes.count > 1 else { return incomplete }
    if let known = describedPiece(bytes) { return known }
    if !isFinal, sequences.isBeginning(bytes) { return .incomplete }
    let second = bytes[bytes.startIndex + 1]
    switch second {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      guard bytes.count > 2 else { return isFinal ? metaPiece(bytes) : .incomplete }
      return second == UInt8(ascii: "[") ? controlSequence(bytes, isFinal: isFinal) : applicationSequence(bytes)
    case UInt8(ascii: "]"), UInt8(ascii: "P"):
      return answer(bytes, isFinal: isFinal) ?? metaPiece(bytes)
    case Self.escape:
      // Some terminals put an escape before the sequence of a key for Alt.
      guard bytes.count > 2 else { return incomplete }
      guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(bytes[bytes.startIndex + 2]) else {
        return .key(Key(.escape), 1)
      }
      switch escapePiece(bytes.dropFirst(), isFinal: isFinal) {
      case .key(let key, let count) where count > 2: return .key(Key(key.code, key.modifiers.union(.meta)), count + 1)
      case .incomplete: return .incomplete
      default: return .key(Key(.escape), 1)
      }
    default:
      return metaPiece(bytes, isFinal: isFinal)
    }
  }

  /// A key that the terminal's description has.
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

  /// ESC and a character: the character with Alt.
  private func metaPiece(_ bytes: ArraySlice<UInt8>, isFinal: Bool = true) -> Piece {
    let rest = bytes.dropFirst()
    let second = rest[rest.startIndex]
    if second < 0x20 || second == 0x7F {
      let key = KeySequences.control(second)
      return .key(Key(key.code, key.modifiers.union(.meta)), 2)
    }
    var length = 1
    while length < 4, length < rest.count, Self.isContinuation(rest[rest.startIndex + length]) { length += 1 }
    if second >= 0x80, length < Self.length(second) {
      if !isFinal, length == rest.count { return .incomplete }
      return .key(Key(.escape), 1)
    }
    guard let character = String(decoding: rest.prefix(second < 0x80 ? 1 : length), as: UTF8.self).first else {
      return .key(Key(.escape), 1)
    }
    return .key(.meta(character), second < 0x80 ? 2 : 1 + length)
  }

  /// ESC `[`, parameters, a final byte.
  private func controlSequence(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Piece {
    let body = bytes.dropFirst(2)
    let parameters = body.prefix { 0x30...0x3F ~= $0 }
    let rest = body.dropFirst(parameters.count)
    let between = rest.prefix { 0x20...0x2F ~= $0 }
    let count = 2 + parameters.count + between.count
    guard let final = rest.dropFirst(between.count).first else {
      return isFinal || count > 256 ? .ignored(count) : .incomplete
    }
    guard 0x40...0x7E ~= final else { return .ignored(count) }
    if final == UInt8(ascii: "~"), parameters.elementsEqual("200".utf8) { return .pasteBegin(count + 1) }
    if let event = MouseSequence.event(final: final, parameters: parameters) { return .mouse(event, count + 1) }
    if let answer = TerminalAnswer(final: final, parameters: parameters, between: between) {
      return .answer(answer, count + 1)
    }
    guard between.isEmpty, let key = KeySequences.key(final: final, parameters: Array(parameters)) else {
      return .ignored(count + 1)
    }
    return .key(key, count + 1)
  }

  private func applicationSequence(_ bytes: ArraySlice<UInt8>) -> Piece {
    let final = bytes[bytes.startIndex + 2]
    if let key = KeySequences.applicationKey(final) { return .key(key, 3) }
    return 0x40...0x7E ~= final ? .ignored(3) : .key(.meta("O"), 2)
  }

  /// A late answer of the terminal to a question: ESC `]` or ESC `P`, then what such answers begin with, up to BEL or ESC `\`.
  private func answer(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> Piece? {
    let body = bytes.dropFirst(2)
    guard let first = body.first else { return isFinal ? nil : .incomplete }
    let beginnings = bytes[bytes.startIndex + 1] == UInt8(ascii: "]") ? "0123456789" : "0123456789>!+"
    guard beginnings.utf8.contains(first) else { return nil }
    for index in body.indices {
      if body[index] == 0x07 { return .ignored(index - bytes.startIndex + 1) }
      if body[index] == Self.escape {
        if index + 1 == body.endIndex { return isFinal ? .ignored(bytes.count) : .incomplete }
        return .ignored(index - bytes.startIndex + (body[index + 1] == UInt8(ascii: "\\") ? 2 : 0))
      }
    }
    return isFinal || body.count > 4096 ? .ignored(bytes.count) : .incomplete
  }

  // MARK: Text

  private func appendText(_ bytes: ArraySlice<UInt8>, to events: inout [TerminalEvent]) {
    for character in String(decoding: bytes, as: UTF8.self) {
      // Control characters of two bytes are nobody's key.
      if let scalar = character.unicodeScalars.first, 0x80...0x9F ~= scalar.value { continue }
      events.append(.key(.character(character)))
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The length of the character that begins with `byte`.
  private static func length(_ byte: UInt8) -> Int {
    byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
  }

  /// How many bytes at the end of `run` begin a character without completing it.
  private static func cutCharacter(at run: ArraySlice<UInt8>) -> Int {
    for back in 1...3 where back <= run.count {
      let byte = run[run.endIndex - back]
      if isContinuation(byte) { continue }
      return length(byte) > back ? back : 0
    }
    return 0
  }

  // MARK: Pastes

  /// Reads a paste on, up to its end mark. Returns the index behind what was read.
  private mutating func readPaste(_ bytes: [UInt8], from start: Int, into events: inout [TerminalEvent]) -> Int {
    guard var paste = self.paste else { return start }
    self.paste = nil
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == Self.pasteEnd[paste.tail.count] {
        paste.tail.append(byte)
        guard paste.tail.count == Self.pasteEnd.count else { continue }
        events.append(.paste(Self.text(ofPaste: paste.bytes)))
        return index
      }
      // The mark has its first byte nowhere else in it.
      paste.bytes.append(contentsOf: paste.tail)
      paste.tail.removeAll(keepingCapacity: true)
      if byte == Self.escape {
        paste.tail.append(byte)
      } else {
        paste.bytes.append(byte)
      }
      if paste.bytes.count > Self.pasteLimit + 8 { paste.bytes.removeLast(paste.bytes.count - Self.pasteLimit - 8) }
    }
    self.paste = paste
    return index
  }

  /// As it came, so that lines mostly end in a return; cut at the limit, between characters.
  private static func text(ofPaste bytes: [UInt8]) -> String {
    var end = min(bytes.count, pasteLimit)
    if end < bytes.count {
      while end > 0, isContinuation(bytes[end]) { end -= 1 }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
