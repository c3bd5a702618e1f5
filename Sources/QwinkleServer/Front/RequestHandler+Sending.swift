import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension RequestHandler {
  /// Longest response that isn't counted in the budget, in bytes.
  private static let shortAnswer = 4096

  /// Writes a response to the connection. If the response exceeds the client's budget, writes an error response instead
  /// and closes the connection. `pending` is nil if no request could be read.
  func send(_ response: WrittenResponse, _ pending: PendingRequest?) -> EventLoopFuture<Void> {
    guard let context else { return front.group.any().makeFailedFuture(ChannelError.ioOnClosedChannel) }
    let share: Share?
    do throws(Refusal) {
      share = try self.share(of: response, to: pending)
    } catch {
      isLast = true
      return send(error.response.written(), pending)
    }
    let fields = response.head.headerFields
    isLast = isLast || pending?.closes == true || fields[.connection] == "close" || front.traffic.isEnding
    var headers = HTTPHeaders(fields)
    headers.replaceOrAdd(name: "Date", value: front.date.now)
    headers.replaceOrAdd(name: "Server", value: "Qwinkle")
    if isLast { headers.replaceOrAdd(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(
      statusCode: response.head.status.code, reasonPhrase: response.head.status.reasonPhrase)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    var borrowed: (handle: NIOFileHandle, file: OpenFile)?
    if pending?.head.method == .head {
      // The header states the length, but no body follows.
    } else if let part = response.file {
      // The system copies the file to the connection.
      let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: part.whole.descriptor)
      let region = FileRegion(
        fileHandle: handle, readerIndex: part.range.lowerBound, endIndex: part.range.upperBound)
      context.write(wrapOutboundOut(.body(.fileRegion(region))), promise: nil)
      borrowed = (handle, part.whole)
    } else if !response.body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
    }
    state = .sending
    deadlines.enter(.sending(response.count))
    let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    sent.assumeIsolated().whenSuccess { self.sent() }
    if let share { sent.whenComplete { _ in share.release() } }
    if let borrowed {
      sent.assumeIsolated().whenComplete { _ in
        // Take the descriptor from NIO's handle, because `file` owns the descriptor and closes it.
        withExtendedLifetime(borrowed.file) { _ = try? borrowed.handle.takeDescriptorOwnership() }
      }
    }
    return sent
  }

  /// Returns a share that counts a long response in the client's budget until the response is written. Returns nil for
  /// a short response, or for part of a file, which isn't in memory.
  ///
  /// - Throws: ``Refusal`` if a client sends a read request while it has too many unread responses. Responses to writes
  ///   are always sent, because the writes have been committed.
  private func share(of response: WrittenResponse, to pending: PendingRequest?) throws(Refusal) -> Share? {
    guard response.file == nil, response.body.count > Self.shortAnswer else { return nil }
    let (budget, client) = (front.service.budget, pending?.client ?? peer)
    var bytes = response.body.count
    // Count no more than one client's limit, so that a response of any length can be sent if the client has no other
    // unread responses.
    if case .held(let ofOne, _) = budget.limit(of: .responseBytes) { bytes = min(bytes, ofOne) }
    do throws(Refusal) {
      return try budget.take(.responseBytes, bytes, for: client)
    } catch {
      if let method = pending?.head.method, method != .get, method != .head { return nil }
      throw error
    }
  }
}
