#if !canImport(Darwin)
  internal import Ambient

  /// A carrier that sends requests by libcurl, on a separate thread that starts with the first
  /// exchange.
  package final class CurlCarrier: Carrier {
    private let library: CurlLibrary
    private let authorities: String?
    private let orders = CurlOrders()

    package init(_ library: CurlLibrary, authorities: String? = nil) {
      self.library = library
      self.authorities = authorities
    }

    deinit { orders.close() }

    package func start(_ exchange: RunningExchange) {
      switch orders.add(exchange) {
      case .added: return
      case .first(let bell):
        let isStarted = SystemThread.startIfPossible { [orders, library, authorities] in
          guard let loop = CurlLoop(orders, bell, library, authorities) else {
            return orders.abandon(bell, "there is no memory for it")
          }
          loop.run()
        }
        if !isStarted { orders.abandon(bell, "the system has no further thread for it") }
      case .impossible(let error):
        exchange.giveUp("the system has no further file for it: \(error)")
      }
    }

    package func cancel(_ exchange: RunningExchange) { orders.ring() }
  }
#endif
