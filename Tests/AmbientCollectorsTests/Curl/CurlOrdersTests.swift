// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import Foundation
  import Testing

  @testable import AmbientCollectors

  @Suite struct `Work queue of libcurl's thread` {
    private let orders = CurlOrders()

    private func makeExchange() throws -> RunningExchange {
      let url = try #require(URL(string: "http://127.0.0.1/"))
      return RunningExchange(
        OutgoingRequest("GET", url, body: []), ExchangeLimits(), until: .now + .seconds(600))
    }

    /// Adds an exchange; the descriptor of the thread that must be started for it, if any.
    private func start(_ exchange: RunningExchange) -> WakeDescriptor? {
      if case .first(let bell) = orders.add(exchange) { bell } else { nil }
    }

    private func taken(_ bell: WakeDescriptor) -> [ObjectIdentifier]? {
      orders.take(bell)?.map(ObjectIdentifier.init)
    }

    /// Whether the next wait for the descriptor ends at once.
    private func isRung(_ bell: WakeDescriptor) -> Bool {
      var wait = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
      return poll(&wait, 1, 0) == 1
    }

    @Test
    func `CurlOrders hands each exchange that hasn't ended to libcurl's thread once`()
      throws
    {
      let exchanges = try (0..<3).map { _ in try makeExchange() }
      let bell = try #require(start(exchanges[0]))
      #expect(!isRung(bell))
      #expect(taken(bell) == [ObjectIdentifier(exchanges[0])])
      #expect(taken(bell) == [])
      #expect(start(exchanges[1]) == nil && isRung(bell))
      #expect(bell.silence() && !isRung(bell))
      orders.ring()
      #expect(isRung(bell))
      exchanges[1].giveUp("it is over")
      #expect(start(exchanges[2]) == nil)
      #expect(taken(bell) == [ObjectIdentifier(exchanges[2])])
    }

    @Test func `CurlOrders.abandon gives up only the exchanges of the abandoned libcurl thread`()
      throws
    {
      let (first, second) = (try makeExchange(), try makeExchange())
      let bell = try #require(start(first))
      let other = try WakeDescriptor()
      orders.abandon(other, "it is another's")
      #expect(!first.hasEnded && taken(other) == nil)
      orders.abandon(bell, "it is broken")
      #expect(first.hasEnded && taken(bell) == nil)
      // The next one asks for a new thread, which takes no exchange that was given up.
      let next = try #require(start(second))
      #expect(next !== bell && taken(next) == [ObjectIdentifier(second)])
    }

    @Test func `CurlOrders.close wakes libcurl's thread and tells the thread to end`() throws {
      let bell = try #require(start(makeExchange()))
      #expect(!isRung(bell))
      orders.close()
      #expect(taken(bell) == nil && isRung(bell))
    }

    @Test func `a WakeDescriptor has a number above 2 even if the standard streams are closed`()
      async
    {
      await #expect(processExitsWith: .success) {
        for number: CInt in 0...2 { close(number) }
        let bell = try WakeDescriptor()
        #expect(bell.number > 2)
        #expect(bell.ring() && bell.silence())
      }
    }
  }
#endif
