import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension RequestHandler {
  /// The most bytes of an answer that the budget doesn't count.
  private static let shortAnswer = 4096
  /// A client's budget has room for one answer of any length.
  private static let mostCountedBytes = 1 << 20

  /// Writes a response to the connection. `asked` is nil if no request could be read.
  func send(_ response: WrittenResponse, _ asked: Asked?) -> EventLoopFuture<Void> {
    guard let context else { return front.group.any().makeFailedFuture(ChannelError.ioOnClosedChannel) }
    var share: Share?
    if response.file == nil, response.body.count > Self.shortAnswer {
      do throws(Refusal) {
        let bytes = min(response.body.count, Self.mostCountedBytes)
        share = try front.service.budget.take(.responseBytes, bytes, for: asked?.client ?? peer)
      } catch {
        isLast = true
        return send(error.response.written(), asked)
      }
    }
    let fields = response.head.headerFields
    isLast = isLast || asked?.closes == true || fields[.connection] == "close" || front.traffic.isEnding
    var headers = HTTPHeaders(fields)
    headers.replaceOrAdd(name: "Date", value: front.date.now)
    headers.replaceOrAdd(name: "Server", value: "Qwinkle")
    if isLast { headers.replaceOrAdd(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(
      statusCode: response.head.status.code, reasonPhrase: response.head.status.reasonPhrase)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    var borrowed: (handle: NIOFileHandle, file: OpenFile)?
    if asked?.head.method == .head {
      // The length of a body, and no body.
    } else if let part = response.file {
      // The system copies it to the connection.
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
        // The descriptor stays the file's, which closes it.
        withExtendedLifetime(borrowed.file) { _ = try? borrowed.handle.takeDescriptorOwnership() }
      }
    }
    return sent
  }
}
