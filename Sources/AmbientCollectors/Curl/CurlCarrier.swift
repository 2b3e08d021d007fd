// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient

  /// A carrier that sends requests by libcurl, on a separate thread that starts with the first
  /// exchange.
  package final class CurlCarrier: Carrier {
    private let library: CurlLibrary
    private let files: TLSFiles
    private let orders = CurlOrders()

    package init(_ library: CurlLibrary, _ files: TLSFiles = TLSFiles()) {
      self.library = library
      self.files = files
    }

    deinit { orders.close() }

    package func start(_ exchange: RunningExchange) {
      switch orders.add(exchange) {
      case .added: return
      case .first(let bell):
        let isStarted = SystemThread.startIfPossible { [orders, library, files] in
          guard let loop = CurlLoop(orders, bell, library, files) else {
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
