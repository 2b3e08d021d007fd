#if !canImport(Darwin)
  internal import Ambient
  internal import CCurl
  internal import Foundation
  internal import Synchronization

  /// Carries requests by libcurl, on its own thread, which begins with the first exchange.
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

  /// The queue between callers and a carrier's thread. libcurl is never called under its lock.
  final class CurlOrders: Sendable {
    enum Addition {
      case added
      /// There is no thread yet: the caller must start one.
      case first(EventDescriptor)
      case impossible(SystemError)
    }

    private struct State {
      var new: [RunningExchange] = []
      /// Wakes the thread; nil if there is no thread.
      var bell: EventDescriptor?
      var isClosed = false
    }

    private let state = Guarded(State())

    func add(_ exchange: RunningExchange) -> Addition {
      state.withLock { state in
        // Removes abandoned exchanges: a stuck thread takes none from the queue, so their bodies
        // would pile up.
        state.new.removeAll(where: \.hasEnded)
        if let bell = state.bell, bell.ring() {
          state.new.append(exchange)
          return .added
        }
        do throws(SystemError) {
          let bell = try EventDescriptor()
          state.new.append(exchange)
          state.bell = bell
          return .first(bell)
        } catch {
          return .impossible(error)
        }
      }
    }

    func ring() { state.withLock { _ = $0.bell?.ring() } }

    /// Ends the thread. Called when the carrier is deallocated: no caller awaits an exchange then.
    func close() {
      state.withLock { state in
        state.isClosed = true
        _ = state.bell?.ring()
      }
    }

    /// Takes the new exchanges; nil if the thread with that bell must end, because the carrier is
    /// gone or another thread has replaced this one.
    func take(_ bell: EventDescriptor) -> [RunningExchange]? {
      state.withLock { state in
        guard state.bell === bell, !state.isClosed else { return nil }
        defer { state.new = [] }
        return state.new
      }
    }

    /// Fails the new exchanges, since the thread cannot go on; the next exchange starts a new
    /// thread.
    func abandon(_ bell: EventDescriptor, _ reason: String) {
      let left = state.withLock { state -> [RunningExchange] in
        guard state.bell === bell else { return [] }
        defer { (state.new, state.bell) = ([], nil) }
        return state.new
      }
      for exchange in left { exchange.giveUp(reason) }
    }
  }

  /// An eventfd: a counter of the system that a thread can wait for together with sockets.
  final class EventDescriptor: Sendable {
    let number: CInt

    init() throws(SystemError) {
      number = ambient_event_open()
      guard number >= 0 else { throw SystemError(number: errno) }
    }

    /// Whether the program has closed the descriptor, so that `deinit` must not close it again.
    private let isGone = Atomic<Bool>(false)

    deinit { if !isGone.load(ordering: .relaxed) { close(number) } }

    /// Ends the current or the next wait for the descriptor; false if the program has closed it, as
    /// a daemon that closes all descriptors does.
    func ring() -> Bool { isThere(ambient_event_ring(number)) }

    /// Resets the counter; false if the program has closed the descriptor.
    func silence() -> Bool { isThere(ambient_event_silence(number)) }

    private func isThere(_ succeeds: Bool) -> Bool {
      if !succeeds { isGone.store(true, ordering: .relaxed) }
      return succeeds
    }
  }
#endif
