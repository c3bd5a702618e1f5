import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@MainActor
@Suite(.bounded) struct DownloadServiceTests {
  @Test func `a download reports start, progress, result and finish in order`() async {
    let transport = ScriptedTransport { request in
      request.didReceive?(5, 10)
      request.didReceive?(10, 10)
      return .json(pageBody("2", "1"))
    }
    let bench = Bench(transport)
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    #expect(bench.delegate.words(for: identifier) == ["started"])
    #expect(bench.ledger.inProgress == ["download of public"])
    await bench.delegate.finished(identifier)

    let words = bench.delegate.words(for: identifier)
    #expect(words.first == "started")
    #expect(words.suffix(2) == ["downloaded", "finished"])
    #expect(words.dropFirst().dropLast(2).allSatisfy { $0 == "received" })
    #expect(bench.delegate.qwinkIDs == ["2", "1"])
    guard case .received(let bytes, let expected) = bench.delegate.events[words.count - 3].event else {
      Issue.record("no progress before the answer")
      return
    }
    #expect(bytes == 10)
    #expect(expected == 10)
    await bench.ledger.settle()
    #expect(transport.requests.count == 1)
  }

  @Test func `a 401 reports needed authentication before failing and finishing`() async {
    let bench = Bench(ScriptedTransport { _ in .json(WireEncoder.error("The access token is invalid"), status: 401) })
    let identifier = await bench.run(.timeline(.home, limit: 20))
    #expect(bench.delegate.words(for: identifier) == ["started", "needsAuthentication", "failed", "finished"])
    #expect(
      bench.delegate.errors == [.needsAuthentication(host: "tilde.example", message: "The access token is invalid")])
  }

  @Test func `equal concurrent requests share one exchange and notify their own delegates`() async {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.whenOpen()
      return .json(pageBody("1"))
    }
    let bench = Bench(transport)
    let other = DelegateRecorder()
    let first = bench.service.start(.publicTimeline, delegate: bench.delegate)
    let second = bench.service.start(.publicTimeline, delegate: other)
    let different = bench.service.start(.timeline(.local, limit: 40), delegate: other)
    #expect(first != second)
    #expect(bench.ledger.inProgress.count == 2)
    gate.open()
    await bench.delegate.finished(first)
    await other.finished(second)
    await other.finished(different)
    #expect(transport.requests.count == 2)
    #expect(bench.delegate.wordsButProgress(for: first) == ["started", "downloaded", "finished"])
    #expect(other.wordsButProgress(for: second) == ["started", "downloaded", "finished"])
    #expect(bench.delegate.words(for: second).isEmpty)
    #expect(other.words(for: first).isEmpty)
  }

  @Test func `a request repeated after its response is fetched again`() async {
    let transport = ScriptedTransport { _ in .json(pageBody("1")) }
    let bench = Bench(transport)
    var again: DownloadIdentifier?
    bench.delegate.didHear = { [unowned bench = bench.service, unowned delegate = bench.delegate] _, event in
      if case .downloaded = event, again == nil { again = bench.start(.publicTimeline, delegate: delegate) }
    }
    let first = await bench.run(.publicTimeline)
    bench.delegate.didHear = nil
    if let again { await bench.delegate.finished(again) }
    #expect(transport.requests.count == 2)
    #expect(bench.delegate.wordsButProgress(for: first) == ["started", "downloaded", "finished"])
    #expect(again.map { bench.delegate.wordsButProgress(for: $0) } == ["started", "downloaded", "finished"])
  }

  @Test func `a request started after a write or marked unshared gets its own exchange`() async {
    let gate = Gate()
    let transport = ScriptedTransport { request in
      if request.head.method == .get { await gate.whenOpen() }
      return request.head.method == .get ? .json(pageBody("1")) : .json(WireEncoder.qwink(.sample()))
    }
    let bench = Bench(transport, token: "secret")
    let before = bench.service.start(.publicTimeline, delegate: bench.delegate)
    let fresh = bench.service.start(Request.publicTimeline.unshared, delegate: bench.delegate)
    await bench.delegate.finished(bench.service.start(.post(.sample()), delegate: bench.delegate))
    let after = bench.service.start(.publicTimeline, delegate: bench.delegate)
    let joined = bench.service.start(.publicTimeline, delegate: bench.delegate)
    gate.open()
    for identifier in [before, fresh, after, joined] { await bench.delegate.finished(identifier) }
    #expect(transport.requests.count { $0.head.method == .get } == 3)
  }

  @Test func `equal posts are sent separately`() async {
    let transport = ScriptedTransport { _ in .json(WireEncoder.qwink(.sample())) }
    let bench = Bench(transport, token: "secret")
    let first = bench.service.start(.post(.sample()), delegate: bench.delegate)
    let second = bench.service.start(.post(.sample()), delegate: bench.delegate)
    await bench.delegate.finished(first)
    await bench.delegate.finished(second)
    #expect(transport.requests.count == 2)
  }

  @Test func `cancelling a download reports only its finish and stops the exchange`() async {
    let asked = Gate()
    let bench = Bench(
      ScriptedTransport { request in
        asked.open()
        throw await request.untilCancelled()
      })
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    await asked.whenOpen()
    bench.service.cancel(identifier)
    #expect(bench.delegate.words(for: identifier) == ["started", "finished"])
    await bench.ledger.settle()
    bench.service.cancel(identifier)
    #expect(bench.delegate.words(for: identifier) == ["started", "finished"])
  }

  @Test func `cancelling one of two shared downloads leaves the other intact`() async {
    let gate = Gate()
    let bench = Bench(
      ScriptedTransport { _ in
        await gate.whenOpen()
        return .json(pageBody("1"))
      })
    let first = bench.service.start(.publicTimeline, delegate: bench.delegate)
    let second = bench.service.start(.publicTimeline, delegate: bench.delegate)
    bench.service.cancel(first)
    gate.open()
    await bench.delegate.finished(second)
    #expect(bench.delegate.words(for: first) == ["started", "finished"])
    #expect(bench.delegate.wordsButProgress(for: second) == ["started", "downloaded", "finished"])
  }

  @Test func `delegates are not retained`() async {
    let gate = Gate()
    let bench = Bench(
      ScriptedTransport { _ in
        await gate.whenOpen()
        return .json(pageBody("1"))
      })
    weak var gone: DelegateRecorder?
    do {
      let delegate = DelegateRecorder()
      gone = delegate
      bench.service.start(.publicTimeline, delegate: delegate)
    }
    #expect(gone == nil)
    gate.open()
    await bench.ledger.settle()
  }

  @Test func `a download ends at the next progress after its delegate is released`() async {
    let gate = Gate()
    let bench = Bench(
      ScriptedTransport { request in
        await gate.whenOpen()
        request.didReceive?(1, nil)
        throw await request.untilCancelled()
      })
    bench.service.start(.publicTimeline, delegate: DelegateRecorder())
    #expect(!bench.ledger.isEmpty)
    gate.open()
    await bench.ledger.settle()
  }

  @Test func `a download without its delegate ends when another download starts`() async {
    let bench = Bench(
      ScriptedTransport { request in
        if request.url.contains("local") { return .json(pageBody("1")) }
        throw await request.untilCancelled()
      })
    bench.service.start(.publicTimeline, delegate: DelegateRecorder())
    await bench.run(.timeline(.local, limit: 40))
    #expect(bench.ledger.isEmpty)
  }

  @Test func `a post continues after its delegate is released`() async {
    let gate = Gate()
    let answered = Gate()
    let transport = ScriptedTransport { _ in
      await gate.whenOpen()
      if !Task.isCancelled { answered.open() }
      return .json(WireEncoder.qwink(.sample()))
    }
    let bench = Bench(transport, token: "secret")
    bench.service.start(.post(.sample()), delegate: DelegateRecorder())
    bench.service.cancel(bench.service.start(.publicTimeline, delegate: bench.delegate))
    gate.open()
    await bench.ledger.settle()
    #expect(answered.isOpen)
  }

  @Test func `instance info falls back to v1 when v2 is missing`() async {
    let transport = ScriptedTransport { request in
      request.head.path == "/api/v1/instance"
        ? .json(WireEncoder.serverInfoV1(ServerInfo(title: "Old", domain: "tilde.example")))
        : .text("<html>", status: 404)
    }
    let bench = Bench(transport)
    let identifier = await bench.run(.serverInfo)
    #expect(bench.delegate.wordsButProgress(for: identifier) == ["started", "downloaded", "finished"])
    #expect(bench.delegate.answer(ServerInfo.self)?.title == "Old")
    #expect(transport.requests.map(\.head.path) == ["/api/v2/instance", "/api/v1/instance"])
  }

  @Test func `requests with different response types do not share a response`() async {
    let transport = ScriptedTransport { _ in .json(WireEncoder.qwinker(.sample("alice"), ownNote: "")) }
    let bench = Bench(transport, token: "secret")
    let me = bench.service.start(.ownAccount, delegate: bench.delegate)
    let profile = bench.service.start(.ownProfile, delegate: bench.delegate)
    await bench.delegate.finished(me)
    await bench.delegate.finished(profile)
    #expect(transport.requests.count == 2)
    #expect(bench.delegate.answer(OwnAccount.self)?.qwinker.userName == "alice")
    #expect(bench.delegate.answer(OwnProfile.self) != nil)
  }

  @Test func `a delegate of the service is notified of each download before the download's own delegate`() async {
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.whenOpen()
      return .json(pageBody("1"))
    }
    let bench = Bench(transport)
    let (all, owner) = (DelegateRecorder(), DelegateRecorder())
    bench.service.addDelegate(all)
    var heard: [String] = []
    all.didHear = { heard.append("all: \($1.word)") }
    owner.didHear = { heard.append("owner: \($1.word)") }
    let first = bench.service.start(.publicTimeline, delegate: owner)
    let second = bench.service.start(.publicTimeline, delegate: owner)
    gate.open()
    await bench.ledger.settle()
    for index in stride(from: 0, to: heard.count - 1, by: 2) {
      #expect(heard[index].hasPrefix("all: "))
      #expect(heard[index + 1] == heard[index].replacing("all: ", with: "owner: "))
    }
    for identifier in [first, second] {
      #expect(all.wordsButProgress(for: identifier) == ["started", "downloaded", "finished"])
      #expect(owner.wordsButProgress(for: identifier) == ["started", "downloaded", "finished"])
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `a delegate of the service is notified of the end of a download without owner`() async {
    let gate = Gate()
    let bench = Bench(
      ScriptedTransport { _ in
        await gate.whenOpen()
        return .json(pageBody("1"))
      })
    let all = DelegateRecorder()
    bench.service.addDelegate(all)
    var owner: DelegateRecorder? = DelegateRecorder()
    let identifier = owner.map { bench.service.start(.publicTimeline, delegate: $0) }
    owner = nil
    gate.open()
    await bench.ledger.settle()
    // The next download removes the abandoned one.
    await bench.delegate.finished(bench.service.start(.publicTimeline, delegate: bench.delegate))
    #expect(identifier.map { all.words(for: $0).last } == "finished")
  }

  @Test func `the transport is created at the first request off the main actor`() async {
    let made = Gate()
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example"), ledger: ActivityLedger(),
      transport: {
        made.open()
        return ScriptedTransport { _ in .json(pageBody("1")) }
      })
    #expect(!made.isOpen)
    let delegate = DelegateRecorder()
    let identifier = service.start(.publicTimeline, delegate: delegate)
    #expect(!made.isOpen)
    await delegate.finished(identifier)
    #expect(made.isOpen)
  }

  @Test func `shutting down ends pending downloads and then the transport`() async {
    let asked = Gate()
    let transport = ScriptedTransport { request in
      asked.open()
      throw await request.untilCancelled()
    }
    let bench = Bench(transport)
    let identifier = bench.service.start(.publicTimeline, delegate: bench.delegate)
    await asked.whenOpen()
    await bench.service.shutDown()
    #expect(bench.delegate.words(for: identifier) == ["started", "finished"])
    #expect(bench.ledger.isEmpty)
    #expect(transport.shutDownCount == 1)
  }

  @Test func `an invalid server address fails with a message`() async {
    let transport = ScriptedTransport { _ in .json(pageBody("1")) }
    for url in ["", "tilde.example", "ftp://tilde.example", "https://", "https://a b/", "http://x:99999"] {
      let bench = Bench(transport, at: url)
      await bench.run(.publicTimeline)
      #expect(bench.delegate.errors.count == 1)
      #expect(bench.delegate.errors.first?.sentence.isEmpty == false)
    }
    #expect(transport.requests.isEmpty)
  }
}
