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

    /// The reason if the system has no further thread.
    package static var noThread: String { "cannot start a thread" }

    package func start(_ exchange: RunningExchange) {
      switch orders.add(exchange) {
      case .added: return
      case .first(let bell):
        let isStarted = SystemThread.startIfPossible { [orders, library, files] in
          guard let loop = CurlLoop(orders, bell, library, files) else {
            return orders.abandon(bell, TransportError.noMemory)
          }
          loop.run()
        }
        if !isStarted { orders.abandon(bell, Self.noThread) }
      case .impossible(let error):
        exchange.giveUp("cannot open a file descriptor: \(error)")
      }
    }

    package func cancel(_ exchange: RunningExchange) { orders.ring() }
  }
#endif
