// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient
  internal import CCurl

  /// The loop of a `CurlCarrier`'s thread, which starts new exchanges, runs libcurl, and reports
  /// outcomes.
  ///
  /// The multi handle keeps connections for later exchanges. All handles are made, used and closed
  /// by this thread alone.
  final class CurlLoop {
    private let orders: CurlOrders
    private let bell: WakeDescriptor
    private let library: CurlLibrary
    private let files: TLSFiles
    private let multi: UnsafeMutableRawPointer
    /// The transfers under way, by their handles.
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    /// Creates the loop. Returns nil if there is no memory for the multi handle.
    init?(
      _ orders: CurlOrders, _ bell: WakeDescriptor, _ library: CurlLibrary, _ files: TLSFiles
    ) {
      guard let multi = library.table.multi_init() else { return nil }
      self.multi = multi
      self.orders = orders
      self.bell = bell
      self.library = library
      self.files = files
    }

    /// Runs until the `CurlCarrier` is deallocated, a newer thread has replaced this one, libcurl
    /// fails, or the program has closed the descriptor `bell`.
    func run() {
      var failure: CInt = 0
      while failure == 0, let new = orders.take(bell) {
        for exchange in new where !exchange.hasEnded { begin(exchange) }
        for transfer in running.values {
          if transfer.exchange.isLate { transfer.exchange.end(transfer.latest) }
          if transfer.exchange.hasEnded { remove(transfer) }
        }
        var count: CInt = 0
        failure = library.table.multi_perform(multi, &count)
        endThoseDone()
        if failure == 0 { failure = wait() }
        if failure == 0 { failure = readAfterStop() }
      }
      let reason =
        failure > 0
        ? "libcurl failed (multi \(failure))" : "the program closed the client's file descriptors"
      for transfer in running.values {
        transfer.exchange.giveUp(reason)
        remove(transfer)
      }
      _ = library.table.multi_cleanup(multi)
      if failure != 0 { orders.abandon(bell, reason) }
    }

    /// Reads what the sockets of late transfers contain if this thread was stopped, as in a process
    /// that got SIGSTOP or on a computer that slept: an answer may have come in time.
    private func readAfterStop() -> CInt {
      guard
        running.values.contains(where: { $0.exchange.end + CurlTransfer.longestPause <= .now })
      else { return 0 }
      var count: CInt = 0
      let failure = library.table.multi_perform(multi, &count)
      endThoseDone()
      return failure
    }

    private func begin(_ exchange: RunningExchange) {
      let transfer: CurlTransfer
      do throws(TransportError) {
        transfer = try CurlTransfer(exchange, library, files)
      } catch {
        return exchange.end(.failure(error))
      }
      guard library.table.multi_add(multi, transfer.handle) == 0 else {
        transfer.close()
        return exchange.giveUp(TransportError.noMemory)
      }
      running[transfer.handle] = transfer
    }

    private func endThoseDone() {
      var left: CInt = 0
      while let message = library.table.multi_info(multi, &left) {
        // The message is valid only until the next call of libcurl, so its values are copied here.
        let (kind, handle, result) = (
          message.pointee.kind, message.pointee.handle, message.pointee.data.result
        )
        // The kind 1 is CURLMSG_DONE, the only kind of message.
        guard kind == 1, let handle, let transfer = running[handle] else { continue }
        // The caller is resumed first, because libcurl versions before 7.87 wait for the handle's
        // resolver when a handle is removed.
        transfer.exchange.end(transfer.outcome(result))
        remove(transfer)
      }
    }

    private func remove(_ transfer: CurlTransfer) {
      _ = library.table.multi_remove(multi, transfer.handle)
      running[transfer.handle] = nil
      transfer.close()
    }

    /// Waits for sockets, libcurl's timers and the event descriptor `bell`.
    private func wait() -> CInt {
      // The event 1 is CURL_WAIT_POLLIN: the wait ends when the descriptor is readable.
      var extra = ambient_curl_wait(descriptor: bell.number, events: 1, happened: 0)
      var count: CInt = 0
      // Waits at most a second while transfers run: an event that libcurl fails to wait for is then
      // noticed long before the exchange's time limit.
      let longest: CInt = running.isEmpty ? 1_000_000 : 1_000
      let failure = library.table.multi_wait(multi, &extra, 1, longest, &count)
      // `silence` returns false if the program has closed the descriptor `bell`. The loop then
      // fails, because each wait would return at once.
      return bell.silence() ? failure : -1
    }
  }
#endif
