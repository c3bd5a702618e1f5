import Dispatch
import LibC
import Synchronization
import Terminal

/// Decodes pictures in a child process, one at a time. The first picture starts the child, and a new child replaces one
/// that failed. Can be called from any isolation.
public final class PictureDecoder: Sendable {
  private struct Child {
    var process: pid_t
    var input: Int32
    var output: Int32
  }

  /// Timeout for each read or write, in milliseconds.
  private static let patience: Int32 = 20_000

  /// The child's abilities and permissions, as determined by the child itself.
  public struct Confinement: Hashable, Sendable {
    public var decodes: Bool
    public var draws: Bool
    public var hasLimits: Bool
    public var hasFilter: Bool
    /// Whether the child succeeded when it tried to open a file. The properties below report its attempts to create a
    /// socket, to start a process and to allocate 200 MB.
    public var opensFiles: Bool
    public var makesSockets: Bool
    public var startsProcesses: Bool
    public var takesMemory: Bool
  }

  private let command: [String]
  private let child = Mutex<Child?>(nil)
  private let queue = DispatchQueue(label: "qwinkle.pictures")
  private let starts = Mutex(0)

  /// - Parameter command: The command that starts the child. The default is this program itself.
  public init(command: [String] = ["/proc/self/exe", PictureChild.argument]) {
    self.command = command
  }

  deinit {
    if let child = child.withLock({ $0 }) { Self.end(child) }
  }

  /// The id of the running child process, if any.
  public var process: Int32? { child.withLock { $0?.process } }

  /// Number of processes started so far.
  public var startCount: Int { starts.withLock { $0 } }

  /// Decodes the picture file in `bytes`.
  ///
  /// - Throws: ``PictureError``. If the child crashes or stops responding, the next picture starts a new child.
  @concurrent public func picture(
    from bytes: [UInt8], _ order: PictureOrder
  ) async throws(PictureError) -> Picture {
    guard bytes.count <= PictureFrames.mostBytes else { throw .tooManyPixels }
    let result: Result<Picture, PictureError> = await withCheckedContinuation { continuation in
      queue.async {
        let result: Result<Picture, PictureError>
        do throws(PictureError) {
          result = .success(try self.made(from: bytes, order))
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Returns the blurhash of the picture file in `bytes`.
  ///
  /// - Throws: ``PictureError``.
  @concurrent public func blurhash(of bytes: [UInt8]) async throws(PictureError) -> String {
    guard bytes.count <= PictureFrames.mostBytes else { throw .tooManyPixels }
    let text = String(decoding: try await answer(.blurhash, bytes), as: UTF8.self)
    // Check the answer, because a malicious picture may have taken control of the child.
    guard Blurhash(text) != nil else { throw .failed }
    return text
  }

  private func answer(_ form: PictureOrder.Form, _ bytes: [UInt8]) async throws(PictureError) -> [UInt8] {
    let result: Result<[UInt8], PictureError> = await withCheckedContinuation { continuation in
      queue.async {
        let result: Result<[UInt8], PictureError>
        do throws(PictureError) {
          result = .success(try self.answer(to: PictureOrder(form, room: .zero), bytes: bytes).bytes)
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Returns the child's abilities and permissions. For tests.
  @concurrent public func confinement() async throws(PictureError) -> Confinement {
    let bytes = try await answer(.probe, [])
    guard bytes.count == 24 else { throw .failed }
    let values = (0..<6).map { PictureFrames.number(bytes, at: 4 * $0) }
    return Confinement(
      decodes: values[0] & 1 != 0, draws: values[0] & 2 != 0, hasLimits: values[1] & 1 != 0,
      hasFilter: values[1] & 2 != 0, opensFiles: values[2] == 0, makesSockets: values[3] == 0,
      startsProcesses: values[4] == 0, takesMemory: values[5] == 0)
  }

  /// Terminates the child process, if it is running, after it has answered the requests queued so far. Returns
  /// immediately. The next picture starts a new child.
  public func rest() {
    queue.async { self.endChild() }
  }

  // MARK: On the queue

  private func made(from bytes: [UInt8], _ order: PictureOrder) throws(PictureError) -> Picture {
    let (size, part, answer) = try answer(to: order, bytes: bytes)
    var picture: Picture
    switch order.form {
    case .sixel:
      let most = order.pixels(of: size)
      guard let sides = SixelText.size(of: answer[...]), sides.width <= most.width, sides.height <= most.height else {
        endChild()
        throw .failed
      }
      picture = Picture(PixelPicture(size: size, sixel: answer))
    case .pixels, .file:
      // Reject a PNG of another size. The terminal decodes it again, and a malicious picture may have taken control of
      // the child.
      let expected = order.pixels(of: size)
      guard let header = PictureHeader(answer), header.format == .png, header.width == expected.width,
        header.height == expected.height
      else {
        endChild()
        throw .failed
      }
      picture = Picture(PixelPicture(size: size, png: answer))
    case .cells, .probe, .blurhash:
      guard let cells = PictureFrames.cells(answer, size: size) else {
        endChild()
        throw .failed
      }
      picture = Picture(size: size, cells: cells)
    }
    picture.part = part
    return picture
  }

  private func answer(
    to order: PictureOrder, bytes: [UInt8]
  ) throws(PictureError) -> (size: Size, part: PicturePart, bytes: [UInt8]) {
    let child = try runningChild()
    guard Self.write(PictureFrames.head(of: order, byteCount: bytes.count), to: child.input),
      Self.write(bytes, to: child.input),
      let head = Self.read(PictureFrames.answerLength, from: child.output),
      let answer = PictureFrames.answer(from: head), answer.byteCount <= PictureFrames.mostBytes,
      answer.size.rows <= PictureOrder.largest.rows, answer.size.columns <= PictureOrder.largest.columns,
      let bytes = Self.read(answer.byteCount, from: child.output)
    else {
      endChild()
      throw .failed
    }
    if let error = answer.error { throw error }
    return (answer.size, answer.part, bytes)
  }

  private func runningChild() throws(PictureError) -> Child {
    if let running = child.withLock({ $0 }) { return running }
    guard let started = Self.start(command) else { throw .unavailable }
    child.withLock { $0 = started }
    starts.withLock { $0 += 1 }
    return started
  }

  private func endChild() {
    let ended = child.withLock { child in
      defer { child = nil }
      return child
    }
    if let ended { Self.end(ended) }
  }

  // MARK: The process

  private static func start(_ command: [String]) -> Child? {
    guard let input = makePipe() else { return nil }
    guard let output = makePipe() else {
      for end in input { close(end) }
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGPROF, SIGINT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Use a separate process group, so that Ctrl-C in the terminal doesn't reach the child.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let arguments = command.map { strdup($0) } + [nil]
    // The child needs only the text encoding from the environment.
    let variables = [strdup("LC_ALL=C.UTF-8"), strdup("PATH=/usr/bin:/bin"), nil]
    defer { for word in arguments + variables { free(word) } }
    var process = pid_t()
    let error = posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
    close(input[0])
    close(output[1])
    guard error == 0 else {
      close(input[1])
      close(output[0])
      return nil
    }
    return Child(process: process, input: input[1], output: output[0])
  }

  private static func makePipe() -> [Int32]? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func end(_ child: Child) {
    close(child.input)
    close(child.output)
    kill(child.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    // Block SIGPIPE, so that writing to a child that has exited doesn't end the program.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGPIPE)
    var former = sigset_t()
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { forgetPipeSignal(blocked, restoring: &former) }
    var done = 0
    while done < bytes.count {
      guard waits(for: file, POLLOUT) else { return false }
      // Write no more than a pipe accepts at once, so that only `poll`, which has a timeout, blocks.
      let count = min(bytes.count - done, 4096)
      let part = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { systemWrite(file, $0 + done, count) } ?? 0
      }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { return false }
      done += part
    }
    return true
  }

  private static func forgetPipeSignal(_ blocked: sigset_t, restoring former: inout sigset_t) {
    var blocked = blocked
    var pending = sigset_t()
    sigpending(&pending)
    if sigismember(&pending, SIGPIPE) == 1, sigismember(&former, SIGPIPE) == 0 {
      var signal: Int32 = 0
      sigwait(&blocked, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  private static func read(_ count: Int, from file: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      guard waits(for: file, POLLIN) else { return nil }
      let part = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { systemRead(file, $0 + done, count - done) } ?? 0
      }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { return nil }
      done += part
    }
    return bytes
  }

  private static func waits(for file: Int32, _ event: Int32) -> Bool {
    var entry = pollfd(fd: file, events: Int16(event), revents: 0)
    while true {
      let count = poll(&entry, 1, patience)
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }
}
