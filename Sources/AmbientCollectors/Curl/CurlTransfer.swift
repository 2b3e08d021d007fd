// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  internal import Ambient
  internal import CCurl
  internal import Foundation

  /// Performs one exchange with a libcurl handle. An instance is used only on the thread of its
  /// ``CurlLoop``.
  final class CurlTransfer {
    let exchange: RunningExchange
    /// libcurl's handle. Valid until ``close()``, which is called after the handle was removed from
    /// the multi handle.
    let handle: UnsafeMutableRawPointer
    private let library: CurlLibrary
    private var table: ambient_curl
    private var reader: AnswerReader
    /// Header fields of the request, which the handle uses until it is closed.
    private var fields: UnsafeMutableRawPointer?
    /// The handle's buffer for error texts: CURL_ERROR_SIZE bytes, used until the handle is closed.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
    /// The `errno` of the last attempt to open a socket; 0 if it succeeded. The handle writes to it
    /// until the handle is closed.
    private let socketError = UnsafeMutablePointer<CInt>.allocate(capacity: 1)

    /// The instant from which the progress callback ends the transfer.
    private var end: ContinuousClock.Instant
    /// The instant of the last call of the progress callback.
    private var latestProgress = ContinuousClock.now

    /// Whether libcurl calls `onRequest` when a request begins.
    private var isToldOfSending = false
    /// The largest number of bytes of the body that one attempt has passed to the network. libcurl
    /// makes a second attempt if a reused connection ends without an answer.
    private var sentBytes: Int64 = 0
    /// The number of attempts that libcurl has reported by `onRequest`.
    private var attempts = 0

    /// - Throws: ``TransportError`` with the outcome `unsent`, if there is no memory, or if libcurl
    ///   refuses an option.
    init(
      _ exchange: RunningExchange, _ library: CurlLibrary, _ files: TLSFiles
    ) throws(TransportError) {
      guard let handle = library.table.easy_init() else { throw Self.noMemory }
      self.exchange = exchange
      self.handle = handle
      self.library = library
      table = library.table
      end = exchange.end
      reader = AnswerReader(limit: exchange.limits.answerBytes)
      words.initialize(repeating: 0, count: 256)
      socketError.initialize(to: 0)
      do throws(TransportError) {
        try setUp(files)
      } catch {
        close()
        throw error
      }
    }

    private static var noMemory: TransportError {
      TransportError(.unsent, TransportError.noMemory)
    }

    /// The pause between two calls of the progress callback after which libcurl may have to read an
    /// answer that came in time: the process may have been stopped.
    static var longestPause: Duration { .milliseconds(500) }
    /// The time for reading after such a pause. It is shorter than the time after which
    /// `CollectorClient` gives up.
    private static var readingTime: Duration { .milliseconds(50) }

    /// Whether the progress callback ends the transfer because of its limit.
    private func isOver(at now: ContinuousClock.Instant) -> Bool {
      if now - latestProgress > Self.longestPause { end = max(end, now + Self.readingTime) }
      latestProgress = now
      return end <= now
    }

    func close() {
      table.easy_cleanup(handle)
      table.list_free(fields)
      words.deallocate()
      socketError.deallocate()
    }

    // MARK: - Options

    private func setUp(_ files: TLSFiles) throws(TransportError) {
      let request = exchange.request
      let left = max(.milliseconds(1), exchange.end - .now)
      let milliseconds = Int(left / .milliseconds(1)) + 1
      let settings: [(CurlOption, Int)] = [
        // These settings forbid signals, redirects, and all protocols but HTTP and HTTPS (3). They
        // select HTTP/1.1 (2), and hide the headers of a proxy's answer to CONNECT.
        (.noSignal, 1), (.protocols, 3), (.followLocation, 0), (.httpVersion, 2),
        (.verifyPeer, 1), (.verifyHost, 2), (.suppressConnectHeaders, 1), (.pathAsIs, 1),
        // libcurl gets a limit for connecting: it divides this time among the addresses of a host,
        // and blocks no longer than this time during a SOCKS handshake. libcurl gets no limit for
        // the whole exchange, which `CurlLoop` limits.
        (.connectTimeout, milliseconds), (.noProgress, 0),
        (.freshConnect, request.isRepeatable ? 0 : 1), (.forbidReuse, request.isRepeatable ? 0 : 1),
      ]
      for (option, value) in settings { try set(option, value) }
      // The results are ignored: older versions lack these options, which are not essential.
      for option: CurlOption in [.disallowUser, .quickExit] { _ = number(option, 1) }
      _ = number(.http09, 0)
      try set(.url, request.url.absoluteString)
      try set(.customRequest, request.method)
      try setBody(request)
      try setFields(request)
      try setReceivers()
      try setFiles(files)
    }

    private func setFiles(_ files: TLSFiles) throws(TransportError) {
      // To read the system's authorities takes libcurl a twentieth of a second for each connection.
      // So it keeps them for ten minutes, in versions that keep them at all.
      _ = number(.authoritiesAge, files.trustRoots == nil ? 600 : 0)
      if let certificate = files.certificate {
        try set(.certificate, certificate.path)
        try set(.key, certificate.key)
      }
      guard let trustRoots = files.trustRoots else { return }
      try set(.authorities, trustRoots)
      // A resumed session of TLS 1.3 would not be checked by authorities that have changed. Newer
      // versions of libcurl resume sessions of other handles.
      try set(.resumption, 0)
      // The results are ignored: a libcurl without these options has no TLS to proxies.
      _ = trustRoots.withCString { pointer(.proxyAuthorities, $0) }
      // Without these options, the system's folder of authorities is trusted in addition to the
      // file. Not every TLS library has such a folder, so the results are ignored.
      for option: CurlOption in [.authoritiesFolder, .proxyAuthoritiesFolder] {
        _ = pointer(option, nil)
      }
    }

    private func setBody(_ request: OutgoingRequest) throws(TransportError) {
      if request.method == "HEAD" { return try set(.noBody, 1) }
      if request.body.isEmpty, !["POST", "PUT", "PATCH"].contains(request.method) { return }
      // Valid: libcurl copies the body before the call returns. For zero bytes, the address does
      // not matter.
      let (sized, copied) = request.body.withUnsafeBytes { bytes in
        (
          ambient_curl_set_size(
            &table, handle, CurlOption.bodySize.rawValue, Int64(bytes.count)),
          ambient_curl_set_pointer(
            &table, handle, CurlOption.copiedBody.rawValue,
            bytes.baseAddress ?? UnsafeRawPointer(words))
        )
      }
      try check(.bodySize, sized)
      try check(.copiedBody, copied)
    }

    private func setFields(_ request: OutgoingRequest) throws(TransportError) {
      let names = Set(request.headers.keys.map { $0.lowercased() })
      // A line without a value prevents libcurl from adding that field itself. With its `Expect`,
      // libcurl would wait for the status 100 before it sends a long body. With its
      // `Content-Type`, libcurl would declare every body to be a form.
      var lines = ["Expect:"]
      if !names.contains("content-type") { lines.append("Content-Type:") }
      if !names.contains("user-agent") {
        lines.append("User-Agent: Ambient/\(AmbientVersion.current)")
      }
      // libcurl requires a semicolon, not a colon, after the name of a field without a value.
      lines += request.headers.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
      for line in lines {
        guard let longer = table.list_append(fields, line) else { throw Self.noMemory }
        fields = longer
      }
      try set(.fields, fields)
    }

    private func setReceivers() throws(TransportError) {
      // Valid: the loop retains this object until the handle is closed.
      let context = Unmanaged.passUnretained(self).toOpaque()
      // libcurl calls `onRequest` from version 7.80 on. An older version does not tell when it
      // begins to send, so the exchange is marked as sending from its start.
      isToldOfSending =
        ambient_curl_set_observer(&table, handle, CurlOption.onRequest.rawValue, Self.onRequest)
        == 0 && pointer(.onRequestContext, context) == 0
      if !isToldOfSending { exchange.noteSending() }
      try set(.words, words)
      for option: CurlOption in [.onLineContext, .onBodyContext, .onProgressContext] {
        try set(option, context)
      }
      try check(
        .onLine, ambient_curl_set_receiver(&table, handle, CurlOption.onLine.rawValue, Self.onLine))
      try check(
        .onBody, ambient_curl_set_receiver(&table, handle, CurlOption.onBody.rawValue, Self.onBody))
      try check(
        .onProgress,
        ambient_curl_set_progress(&table, handle, CurlOption.onProgress.rawValue, Self.onProgress))
      try set(.onSocketContext, socketError)
      try check(
        .onSocket,
        ambient_curl_set_closing_sockets(&table, handle, CurlOption.onSocket.rawValue))
    }

    private func check(_ option: CurlOption, _ result: CInt) throws(TransportError) {
      guard result != 0 else { return }
      throw TransportError(
        .unsent, "libcurl rejected the option \(option)",
        detail: TransportError.words(library.words(result)))
    }

    private func number(_ option: CurlOption, _ value: Int) -> CInt {
      ambient_curl_set_number(&table, handle, option.rawValue, value)
    }

    private func pointer(_ option: CurlOption, _ pointer: UnsafeRawPointer?) -> CInt {
      ambient_curl_set_pointer(&table, handle, option.rawValue, pointer)
    }

    private func set(_ option: CurlOption, _ value: Int) throws(TransportError) {
      try check(option, number(option, value))
    }

    private func set(
      _ option: CurlOption, _ pointer: UnsafeRawPointer?
    ) throws(TransportError) {
      try check(option, self.pointer(option, pointer))
    }

    /// Sets a text, which libcurl copies.
    private func set(_ option: CurlOption, _ text: String) throws(TransportError) {
      try check(option, text.withCString { pointer(option, $0) })
    }

    // MARK: - Callbacks

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      // Valid: `context` is the object that `setReceivers` passed to the handle, and the loop
      // retains the object until the handle is closed.
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private typealias Receiver =
      @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    // A receiver returns the number of bytes that were passed to it. If it returns another number,
    // libcurl ends the transfer.
    private static let onLine: Receiver = { bytes, size, count, context in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer(context)?.reader.take(line: line) == true ? size * count : -1
    }

    private static let onBody: Receiver = { bytes, size, count, context in
      let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer(context)?.reader.take(body: body) == true ? size * count : -1
    }

    private static let onRequest:
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, CInt,
        CInt
      ) -> CInt = { context, _, _, _, _ in
        guard let transfer = transfer(context) else { return 0 }
        transfer.attempts += 1
        // The server may have received the whole body of an earlier attempt.
        if transfer.attempts > 1 { transfer.sentBytes = .max }
        transfer.exchange.noteSending()
        return 0
      }

    /// libcurl calls this function repeatedly during the transfer, even while a proxy sends an
    /// endless answer to CONNECT. The result 1 ends the transfer.
    private static let onProgress:
      @convention(c) (UnsafeMutableRawPointer?, Int64, Int64, Int64, Int64) -> CInt = {
        context, _, _, _, sentBytes in
        guard let transfer = transfer(context) else { return 1 }
        transfer.sentBytes = max(transfer.sentBytes, sentBytes)
        return transfer.exchange.hasEnded || transfer.isOver(at: .now) ? 1 : 0
      }

    // MARK: - Outcome

    /// The outcome of a transfer that is ended now because its time limit has passed. 28 is
    /// libcurl's result for a timeout.
    var latest: RunningExchange.Outcome { outcome(28) }

    /// The outcome of a transfer that ended with libcurl's result `code`.
    func outcome(_ code: CInt) -> RunningExchange.Outcome {
      if let stop = reader.stop {
        switch stop {
        case .enough: return reader.answer.map { .success($0) } ?? .failure(failure(code))
        case .garbled: return .failure(.noHTTP(scheme: exchange.request.url.scheme))
        case .tooLong:
          return .broken(
            TransportError(.unknown, CurlFailure.longHeader), reader.answer)
        }
      }
      if code == 0, let answer = reader.answer { return .success(answer) }
      return .broken(
        failure(code), reader.answer,
        isUndecided: CurlFailure.late.contains(code) || isBodyPartial)
    }

    private func failure(_ code: CInt) -> TransportError {
      // 0x20_000C is REQUEST_SIZE, the number of bytes of sent requests, including requests to a
      // proxy.
      let hasSent = number(0x20_000C) > 0
      let isSending = isToldOfSending ? exchange.isSending : hasSent
      // The pointer is valid: `words` is the buffer of 256 bytes that this object allocated, and
      // libcurl ends each text in it with a zero.
      let said = String(cString: words)
      // The pointer is valid until the handle is closed.
      let hasNoFile = [EMFILE, ENFILE].contains(socketError.pointee)
      let failure = CurlFailure(
        code: code, words: said, proxyStatus: number(0x20_0016),
        systemError: hasNoFile ? Int(socketError.pointee) : number(0x20_0019),
        proxyVerdict: number(0x20_002F), hasSent: hasSent, isSending: exchange.isSending,
        hasBegun: reader.hasBegun, url: exchange.request.url)
      let isPartial = isBodyPartial && !reader.hasBegun
      let isSent = isSending && !isPartial && !(failure.isRefusal && isFirst)
      guard let (reason, isDetailed) = failure.reason else {
        return TransportError(
          isSent ? .unknown : .unsent, "libcurl failed (\(code))",
          detail: TransportError.words(library.words(code)))
      }
      let isLate = CurlFailure.late.contains(code)
      var error = TransportError(
        isSent ? .unknown : .unsent, isLate ? exchange.lateness : reason,
        detail: isDetailed ? TransportError.words(said) : "")
      let isPartlySent = isSending && isPartial && sentBytes > 0
      error.isLateWhileSending = isLate && isPartlySent
      error.isCutWhileSending = !isLate && !failure.isRefusal && isPartlySent
      return error
    }

    /// Whether the request is the first of its connection, and libcurl has not repeated it.
    private var isFirst: Bool {
      // 0x20_001A is NUM_CONNECTS, the number of connections that were made for the request.
      attempts == 1 && number(0x20_001A) > 0 && !reader.hasBegun
    }

    /// Whether the body was never passed to the network as a whole. The server knows the length of
    /// the body, so it cannot have acted on a part unless it has begun to answer.
    private var isBodyPartial: Bool {
      // 0x60_0007 is SIZE_UPLOAD_T, which libcurl has from version 7.55 on.
      let last = ambient_curl_size(&table, handle, 0x60_0007)
      sentBytes = max(sentBytes, last < 0 ? .max : last)
      return sentBytes < exchange.request.body.count
    }

    /// curl_easy_getinfo
    private func number(_ info: CInt) -> Int { ambient_curl_number(&table, handle, info) }
  }
#endif
