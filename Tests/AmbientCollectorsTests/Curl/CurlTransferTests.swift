// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import CCurl
  import CHostile
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import AmbientCollectors

  @Suite struct `Transfers by libcurl` {
    private func client(_ change: (inout ambient_curl) -> Void) throws -> CollectorClient {
      var table = try CurlLibrary.system().table
      change(&table)
      return CollectorClient(CurlCarrier(CurlLibrary(table)))
    }

    @Test
    func `an HTTP transfer fails if libcurl refuses a required option but not an optional one`()
      async
    {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer(always: .answer(200))
        let url = try #require(URL(string: server.url))
        let table = try CurlLibrary.system().table
        func failure(_ option: CurlOption) async throws -> TransportError? {
          let library = CurlLibrary(hostile_refusing_curl(table, option.rawValue))
          let client = CollectorClient(
            CurlCarrier(
              library,
              TLSFiles(
                trustRoots: "/authorities.pem", certificate: ClientCertificate(path: "/a.pem"))))
          do throws(TransportError) {
            _ = try await client.exchange(
              OutgoingRequest("POST", url, body: [1]), ExchangeLimits(duration: Patience.short))
            return nil
          } catch { return error }
        }
        let needed: [CurlOption] = [
          .noProgress, .followLocation, .verifyPeer, .freshConnect, .forbidReuse, .verifyHost,
          .httpVersion, .noSignal, .connectTimeout, .protocols, .pathAsIs, .suppressConnectHeaders,
          .onBodyContext, .url, .words, .fields, .onLineContext, .customRequest,
          .onProgressContext, .authorities, .copiedBody, .onBody, .onLine, .onSocket, .onProgress,
          .onSocketContext,
          .bodySize, .certificate, .key, .resumption,
        ]
        for option in needed {
          let error = try await failure(option)
          #expect(error?.outcome == .unsent)
          #expect(error?.reason.hasSuffix(" \(option)") == true)
          // libcurl's own words.
          #expect(error?.detail.contains("option") == true, "\(error?.detail ?? "")")
        }
        #expect(server.requests.isEmpty)
        let others: [CurlOption] = [
          .disallowUser, .http09, .quickExit, .authoritiesFolder, .onRequest, .onRequestContext,
          .authoritiesAge, .proxyAuthorities, .proxyAuthoritiesFolder,
        ]
        for option in others { #expect(try await failure(option) == nil, "\(option)") }
        #expect(server.requests.count == others.count)
      }
    }

    @Test
    func `if libcurl can't report when sending starts, a failed transfer's outcome is unknown`()
      async
    {
      await #expect(processExitsWith: .success) {
        let closing = try LoopbackServer(always: .close)
        let refusing = try LoopbackServer(always: .answer(200))
        refusing.refuse()
        let table = try CurlLibrary.system().table
        for option in [CurlOption.onRequest, .onRequestContext, .http09] {
          let library = CurlLibrary(hostile_refusing_curl(table, option.rawValue))
          let client = CollectorClient(CurlCarrier(library))
          #expect(
            await client.outcome(closing.url, isRepeatable: false)
              == "unknown: \(TransportError.unanswered)", "\(option)")
          #expect(
            await client.outcome(refusing.url) == "unsent: \(TransportError.refused)", "\(option)")
        }
      }
    }

    @Test func `every libcurl error code gives an HTTP transfer a reason and an outcome`() async {
      await #expect(processExitsWith: .success) {
        let closing = try LoopbackServer(always: .close)
        let refusing = try LoopbackServer(always: .answer(200))
        refusing.refuse()
        let table = try CurlLibrary.system().table
        func error(_ code: CInt, _ url: String) async throws -> TransportError? {
          let client = CollectorClient(
            CurlCarrier(CurlLibrary(hostile_curl_with_result(table, code))))
          let request = OutgoingRequest("POST", try #require(URL(string: url)), body: [1])
          do throws(TransportError) {
            _ = try await client.exchange(request, ExchangeLimits(duration: Patience.short))
            return nil
          } catch { return error }
        }
        for code in 1...99 as ClosedRange<CInt> {
          let before = try await error(code, refusing.url)
          precondition(before?.outcome == .unsent && before?.reason.isEmpty == false, "\(code)")
          // The server has received all of it, whatever libcurl says then.
          let after = try await error(code, closing.url)
          precondition(after?.outcome == .unknown && after?.reason.isEmpty == false, "\(code)")
          precondition(after?.isLateWhileSending == false && before?.isLateWhileSending == false)
        }
        precondition(closing.requests.count == 99)
      }
    }

    @Test func `an HTTP transfer counts as unsent if libcurl runs out of memory`() async throws {
      let server = try LoopbackServer(always: .answer(200))
      for broken in [
        try client { $0.multi_init = { nil } }, try client { $0.easy_init = { nil } },
        try client { $0.list_append = { _, _ in nil } },
        try client { $0.multi_add = { _, _ in 3 } },
      ] {
        for _ in 0..<2 {
          let outcome = await broken.outcome(server.url)
          #expect(outcome == "unsent: \(TransportError.noMemory)")
        }
      }
      #expect(server.requests.isEmpty)
    }

    @Test func `an HTTP transfer ends with an error if libcurl's multi functions fail`()
      async throws
    {
      let server = try LoopbackServer(always: .hang)
      let failing = try client { $0.multi_perform = { _, _ in 2 } }
      for _ in 0..<2 {
        #expect(await failing.outcome(server.url) == "unsent: libcurl failed (multi 2)")
      }
      let blind = try client { $0.multi_wait = { _, _, _, _, _ in 4 } }
      for _ in 0..<2 {
        #expect(await blind.outcome(server.url).hasSuffix(": libcurl failed (multi 4)"))
      }
    }

    @Test func `the error for a garbled HTTP response includes libcurl's message`() async throws {
      let garbled = "HTTP/1.1 300 So\r\nTransfer-Encoding: chunked\r\n\r\nwhat?\r\n"
      let server = try LoopbackServer(always: .steps([bytes(garbled), .close]))
      let url = try #require(URL(string: server.url))
      let error = await #expect(throws: TransportError.self) {
        try await Network.curl.client().exchange(
          OutgoingRequest("GET", url, body: []), ExchangeLimits(duration: Patience.short))
      }
      #expect(error?.reason == TransportError.malformed)
      #expect(error?.detail.isEmpty == false)
    }

    @Test func `all libcurl handles and lists are freed after HTTP transfers that succeed or fail`()
      async throws
    {
      let server = try LoopbackServer { _, request in
        request.target == "/hang" ? .hang : .answer(200)
      }
      let refusing = try LoopbackServer(always: .answer(200))
      refusing.refuse()
      // The test may have run before, and have left its last client to its thread.
      #expect(await Patience.waitIdly { Taken.all == [0, 0, 0] })
      do {
        let client = try client(Taken.count)
        for _ in 0..<2 { #expect(await client.outcome(server.url) == "200 ") }
        let late = await client.outcome(server.url + "hang", limit: .milliseconds(50))
        #expect(late.hasSuffix(" 0.05 seconds"))
        #expect(await client.outcome(refusing.url) == "unsent: \(TransportError.refused)")
        // The next exchange finds none of the earlier ones.
        #expect(await client.outcome(server.url) == "200 ")
        #expect(await Patience.waitIdly { Taken.handles.load(ordering: .relaxed) == 0 })
        #expect(Taken.multis.load(ordering: .relaxed) == 1)
      }
      #expect(await Patience.waitIdly { Taken.all == [0, 0, 0] }, "\(Taken.all)")
      // A transfer without memory for its header fields.
      do {
        let client = try client {
          Taken.count(&$0)
          $0.list_append = { _, _ in nil }
        }
        #expect(await client.outcome(server.url) == "unsent: \(TransportError.noMemory)")
      }
      #expect(await Patience.waitIdly { Taken.all == [0, 0, 0] }, "\(Taken.all)")
      // Those that are under way when libcurl fails, and those that it does not take.
      let failing = try client {
        Taken.count(&$0)
        $0.multi_perform = { _, _ in 2 }
      }
      #expect(await failing.outcome(server.url) == "unsent: libcurl failed (multi 2)")
      let broken = try client {
        Taken.count(&$0)
        $0.multi_add = { _, _ in 3 }
      }
      #expect(await broken.outcome(server.url) == "unsent: \(TransportError.noMemory)")
      #expect(await Patience.waitIdly { Taken.handles.load(ordering: .relaxed) == 0 })
      #expect(await Patience.waitIdly { Taken.all == [0, 1, 0] }, "\(Taken.all)")
      withExtendedLifetime(broken) {}
    }
  }

  /// Counts what is taken from libcurl and not given back, for the clients of one test.
  private enum Taken {
    static let handles = Atomic<Int>(0)
    static let multis = Atomic<Int>(0)
    static let lists = Atomic<Int>(0)
    private static let whole = (try? CurlLibrary.system())?.table

    static var all: [Int] {
      [
        handles.load(ordering: .relaxed), multis.load(ordering: .relaxed),
        lists.load(ordering: .relaxed),
      ]
    }

    static func count(_ table: inout ambient_curl) {
      table.easy_init = {
        Taken.handles.add(1, ordering: .relaxed)
        return Taken.whole?.easy_init()
      }
      table.easy_cleanup = { handle in
        Taken.handles.subtract(1, ordering: .relaxed)
        Taken.whole?.easy_cleanup(handle)
      }
      table.multi_init = {
        Taken.multis.add(1, ordering: .relaxed)
        return Taken.whole?.multi_init()
      }
      table.multi_cleanup = { multi in
        Taken.multis.subtract(1, ordering: .relaxed)
        return Taken.whole?.multi_cleanup(multi) ?? 0
      }
      table.list_append = { list, text in
        if list == nil { Taken.lists.add(1, ordering: .relaxed) }
        return Taken.whole?.list_append(list, text)
      }
      table.list_free = { list in
        if list != nil { Taken.lists.subtract(1, ordering: .relaxed) }
        Taken.whole?.list_free(list)
      }
    }
  }
#endif
