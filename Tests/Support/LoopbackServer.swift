// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

/// A small HTTP server on the loopback address, made from plain sockets. A script decides how it
/// answers each request.
package final class LoopbackServer: Sendable {
  /// The server's reaction to a request.
  package enum Action: Sendable {
    case answer(Int, headers: [String: String] = [:], body: String = "")
    /// Ends the connection in the middle of an answer.
    case reset
    /// Ends the connection without an answer.
    case close
    /// Sends no answer, and waits until the client closes the connection.
    case hang
    /// Sends an answer whose body arrives byte by byte, at this interval.
    case drip(milliseconds: Int)
    /// Sends an answer with a body of this many bytes.
    case flood(Int)
    /// Sends a text that is not HTTP.
    case rubbish(String)
    /// Takes the steps in turn; then the connection continues with its next request.
    case steps([Step])
  }

  /// An action on a connection.
  package enum Step: Sendable, CustomStringConvertible {
    case send([UInt8])
    /// Sends the same bytes again and again, with a pause between, until the client disconnects.
    case sendForEver([UInt8], microseconds: UInt32 = 0)
    /// Sends nothing more, and waits until the client closes the connection.
    case hang
    case close
    /// Resets the connection (RST), so that data on its way to the client is lost.
    case reset

    /// A short description for the test runner, because the bytes may be thousands.
    package var description: String {
      switch self {
      case .send(let bytes): "\(bytes.count) bytes"
      case .sendForEver(let bytes, _): "\(bytes.count) bytes again and again"
      case .hang: "hang"
      case .close: "close"
      case .reset: "reset"
      }
    }
  }

  package struct Request: Sendable {
    package let method: String
    package let target: String
    package let headers: [String: String]
    /// The raw body. `body` is the same as text, decompressed.
    package let bytes: [UInt8]
    package let body: String

    package var lines: [String] { body.split(separator: "\n").map(String.init) }
  }

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    /// The socket that accepts connections; nil while the server refuses them.
    var listener: Int32?
  }

  package let port: Int
  /// A socket that is bound to the port and never listens. It keeps the port from other programs
  /// while the server refuses connections.
  private let reservation: Int32
  private let isClosed = Atomic<Bool>(false)
  private let state = Guarded(State())
  /// The number of bytes that `flood` and `sendForEver` have sent.
  private let sent = Atomic<Int>(0)
  private let script: @Sendable (Int, Request) -> Action

  /// Starts a server. `script` gets the number of each request, from 0, and returns its action.
  package init(_ script: @escaping @Sendable (Int, Request) -> Action) throws {
    self.script = script
    (reservation, port) = try Self.bound(0)
    try listen()
  }

  /// A new socket that is bound to the port; 0 for any free one.
  static func bound(_ port: Int) throws -> (socket: Int32, port: Int) {
    #if canImport(Glibc)
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      // Apple's systems have no SOCK_CLOEXEC, and the kinds of sockets are plain numbers there.
      let socket = socket(AF_INET, SOCK_STREAM, 0)
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    #endif
    var isShared: Int32 = 1
    setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The port at the loopback address.
  static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// Starts to accept connections; can be called again after ``refuse()``.
  package func listen() throws {
    let listener = try Self.bound(port).socket
    guard Foundation.listen(listener, 64) == 0 else { throw CocoaError(.fileReadUnknown) }
    state.withLock { $0.listener = listener }
    Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed only on this thread: if another thread closed it, another server's listener
          // could get the same descriptor, and this thread would accept connections of that server.
          Foundation.close(listener)
          return
        }
        Thread { [weak self] in self?.serve(connection) }.start()
      }
    }.start()
  }

  /// Starts a server that answers every request in the same way.
  package convenience init(always action: Action) throws { try self.init { _, _ in action } }

  /// Starts a server that takes the actions of the list in turn, and then answers with 200.
  package convenience init(_ actions: [Action]) throws {
    try self.init { number, _ in number < actions.count ? actions[number] : .answer(200) }
  }

  deinit { close() }

  package func close() {
    refuse()
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    Foundation.close(reservation)
  }

  /// Ends all connections, and refuses new ones.
  package func refuse() {
    state.withLock { state in
      guard let listener = state.listener else { return }
      state.listener = nil
      shutdown(listener, Int32(SHUT_RDWR))
      // Under the lock, so that no thread closes one of them meanwhile and its descriptor is reused
      // for something else.
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  package var url: String { "http://127.0.0.1:\(port)/" }
  package var requests: [Request] { state.withLock { $0.requests } }
  /// The number of open connections.
  package var connections: Int { state.withLock { $0.connections.count } }
  package var floodBytes: Int { sent.load(ordering: .relaxed) }

  private func serve(_ connection: Int32) {
    state.withLock { _ = $0.connections.insert(connection) }
    defer {
      state.withLock { _ = $0.connections.remove(connection) }
      Foundation.close(connection)
    }
    var rest: [UInt8] = []
    while let request = RequestReader.read(connection, &rest) {
      let number = state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
      guard act(script(number, request), connection) else { return }
    }
    // The usual answer of servers to bytes that are not HTTP.
    if !rest.isEmpty { _ = write("HTTP/1.1 400 So\r\nContent-Length: 0\r\n\r\n", connection) }
  }

  /// Answers a request; returns whether the connection stays open.
  private func act(_ action: Action, _ connection: Int32) -> Bool {
    switch action {
    case .answer(let status, let headers, let body):
      var head = "HTTP/1.1 \(status) So\r\n"
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      if status != 204 { head += "Content-Length: \(body.utf8.count)\r\n" }
      return write(head + "\r\n" + (status == 204 ? "" : body), connection)
    case .reset:
      _ = write("HTTP/1.1 200 So\r\nContent-Length: 1000\r\n\r\nhalf", connection)
      return take(.reset, connection)
    case .close: return false
    case .hang:
      waitForEnd(connection)
      return false
    case .drip(let milliseconds):
      guard write("HTTP/1.1 200 So\r\nContent-Length: 100000\r\n\r\n", connection) else {
        return false
      }
      while write("x", connection) { usleep(UInt32(milliseconds) * 1_000) }
      return false
    case .flood(let count):
      let piece = String(repeating: "x", count: 65_536)
      var left = count
      guard write("HTTP/1.1 200 So\r\nContent-Length: \(count)\r\n\r\n", connection) else {
        return false
      }
      while left > 0, write(String(piece.prefix(left)), connection) {
        left -= min(left, piece.utf8.count)
        sent.add(piece.utf8.count, ordering: .relaxed)
      }
      return false
    case .rubbish(let text):
      _ = write(text, connection)
      return false
    case .steps(let steps): return steps.allSatisfy { take($0, connection) }
    }
  }

  /// Takes a step; returns whether the connection stays open.
  private func take(_ step: Step, _ connection: Int32) -> Bool {
    switch step {
    case .send(let bytes): return Self.write(bytes, connection)
    case .sendForEver(let bytes, let microseconds):
      while Self.write(bytes, connection) {
        sent.add(bytes.count, ordering: .relaxed)
        if microseconds > 0 { usleep(microseconds) }
      }
      return false
    case .hang:
      waitForEnd(connection)
      return false
    case .close: return false
    case .reset:
      Self.makeReset(connection)
      return false
    }
  }

  /// Lets the end of the connection be a reset (RST).
  static func makeReset(_ connection: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  private func waitForEnd(_ connection: Int32) {
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private func write(_ text: String, _ connection: Int32) -> Bool {
    Self.write(Array(text.utf8), connection)
  }

  /// Writes all bytes to a socket; returns false if the connection has ended.
  static func write(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        // Valid: the pointer refers to the array's bytes, and is used only within the closure.
        let count = send(
          connection, bytes.baseAddress.map { $0 + done }, bytes.count - done,
          Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }
}
