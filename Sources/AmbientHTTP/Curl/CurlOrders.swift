#if !canImport(Darwin)
  internal import Ambient

  /// The queue between callers and a carrier's thread. The queue's lock is never held during a call
  /// of libcurl.
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
#endif
