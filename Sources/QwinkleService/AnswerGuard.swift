import AsyncHTTPClient
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression

/// Validates the parts of a response before async-http-client's own handler receives them. Version 1.37 crashes on a
/// response without a final head, for example if the status is below 100, or if the response ends after `103 Early
/// Hints`. Such a response fails as malformed, and its connection is closed.
final class AnswerGuard: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  private enum Progress {
    case beforeHead, inAnswer, refused
  }

  private var progress = Progress.beforeHead

  /// Guards an HTTP/1.1 connection. Must be called on its event loop.
  static func add(toConnection channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture { try add(to: channel.pipeline.syncOperations) }
  }

  /// Guards an HTTP/2 stream. Must be called on its event loop.
  static func add(toStream channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(StreamHeadGuard(), position: .first)
      try add(to: pipeline)
    }
  }

  /// Inserts the guard before the client's own handler. That handler's type isn't public, but the decompressor directly
  /// precedes it.
  private static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    let decompressor = try pipeline.handler(type: NIOHTTPResponseDecompressor.self)
    try pipeline.addHandler(AnswerGuard(), position: .after(decompressor))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), progress) {
    case (_, .refused): return
    case (.head(let head), .beforeHead):
      guard (100...999).contains(head.status.code) else { return refuse(context) }
      // The client skips interim heads.
      if head.status.code >= 200 || head.status == .switchingProtocols { progress = .inAnswer }
    case (.body, .inAnswer): break
    case (.end, .inAnswer): progress = .beforeHead
    case (.head, .inAnswer), (.body, .beforeHead), (.end, .beforeHead): return refuse(context)
    }
    context.fireChannelRead(data)
  }

  private func refuse(_ context: ChannelHandlerContext) {
    progress = .refused
    context.fireErrorCaught(HTTPParserError.invalidStatus)
    context.close(promise: nil)
  }
}

/// Validates the status of an HTTP/2 response before NIOHTTP2 parses it, because a negative number crashes the program.
private final class StreamHeadGuard: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload

  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    if case .headers(let frame) = unwrapInboundIn(data), !Self.isFine(frame) {
      isRefused = true
      context.fireErrorCaught(HTTPParserError.invalidStatus)
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

  /// Whether every status is valid and the stream doesn't end with an interim status. If the stream ended with an
  /// interim status, the request would wait until its deadline for a final status that never comes.
  private static func isFine(_ frame: HTTP2Frame.FramePayload.Headers) -> Bool {
    frame.headers[":status"].allSatisfy { isStatus($0) && !(frame.endStream && $0.hasPrefix("1")) }
  }

  private static func isStatus(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.first != 0x30
  }
}
