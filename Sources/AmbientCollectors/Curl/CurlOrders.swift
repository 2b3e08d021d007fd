// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient

  /// A queue that passes new exchanges from the callers to the thread of a `CurlCarrier`. The
  /// queue's lock is never held during a call of libcurl.
  final class CurlOrders: Sendable {
    enum Addition {
      case added
      /// No thread of the queue can be woken, so the caller must start one with this descriptor.
      case first(WakeDescriptor)
      case impossible(SystemError)
    }

    private struct State {
      var new: [RunningExchange] = []
      /// The descriptor that wakes the thread; nil if there is no thread.
      var bell: WakeDescriptor?
      var isClosed = false
    }

    private let state = Guarded(State())

    func add(_ exchange: RunningExchange) -> Addition {
      state.withLock { state in
        // Removes exchanges that have ended. A stuck thread takes no exchanges from the queue, so
        // the bodies of ended exchanges would accumulate.
        state.new.removeAll(where: \.hasEnded)
        if let bell = state.bell, bell.ring() {
          state.new.append(exchange)
          return .added
        }
        do throws(SystemError) {
          let bell = try WakeDescriptor()
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

    /// Removes the new exchanges from the queue and returns them to the thread that `bell` wakes.
    /// Returns nil if this thread must end, because the carrier was deallocated or another thread
    /// has replaced it.
    func take(_ bell: WakeDescriptor) -> [RunningExchange]? {
      state.withLock { state in
        guard state.bell === bell, !state.isClosed else { return nil }
        defer { state.new = [] }
        return state.new
      }
    }

    /// Ends the new exchanges with a failure, because the thread that `bell` wakes cannot continue.
    /// The next exchange starts a new thread.
    func abandon(_ bell: WakeDescriptor, _ reason: String) {
      let left = state.withLock { state -> [RunningExchange] in
        guard state.bell === bell else { return [] }
        defer { (state.new, state.bell) = ([], nil) }
        return state.new
      }
      for exchange in left { exchange.giveUp(reason) }
    }
  }
#endif
