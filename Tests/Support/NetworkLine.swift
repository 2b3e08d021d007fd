// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// A line of the network between a client and a server of this machine, with a speed and an end. It
/// passes on the bytes of each connection, in both directions.
package final class NetworkLine: Sendable {
  /// What happens to a connection after the last byte that its client may send.
  package enum End: Sendable {
    /// Nothing more passes to the server.
    case stall
    case close
    /// Resets the connection of the client (RST).
    case reset
    /// The client receives this text, and nothing more passes to the server. A reset may follow.
    case answer(String, thenReset: Bool = false)
  }

  /// What the threads of the line share with it. They keep it, so that they end after the line.
  fileprivate final class State: Sendable {
    let isClosed = Atomic<Bool>(false)
    let passed = Atomic<Int>(0)
  }

  fileprivate struct Way: Sendable {
    let server: Int
    let bytesPerSecond: Int
    let last: Int
    let end: End
    let state = State()
  }

  package let port: Int
  private let listener: Int32
  private let way: Way

  /// Creates a line to a server.
  ///
  /// - Parameters:
  ///   - server: The port of the server.
  ///   - bytesPerSecond: The speed in the direction to the server.
  ///   - last: The number of bytes of a connection that pass to the server before the end.
  ///   - end: What happens then.
  package init(
    to server: Int, bytesPerSecond: Int = .max, until last: Int = .max, then end: End = .stall
  ) throws {
    way = Way(server: server, bytesPerSecond: bytesPerSecond, last: last, end: end)
    (listener, port) = try LoopbackServer.bound(0)
    // Connections inherit this small buffer, so that a client can pass little more than has come.
    var room: Int32 = 16_384
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    guard listen(listener, 64) == 0 else { throw CocoaError(.fileReadUnknown) }
    Thread { [listener, way] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        Thread { way.join(client) }.start()
      }
      Foundation.close(listener)
    }.start()
  }

  deinit {
    way.state.isClosed.store(true, ordering: .relaxed)
    shutdown(listener, Int32(SHUT_RDWR))
  }

  package var url: String { "http://127.0.0.1:\(port)/" }
  /// The number of bytes that have passed to the server.
  package var bytes: Int { way.state.passed.load(ordering: .relaxed) }
}

extension NetworkLine.Way {
  /// Connects the client to the server, until the line ends.
  fileprivate func join(_ client: Int32) {
    guard let other = connected else {
      close(client)
      return
    }
    let back = Thread { Self.pass(from: other, to: client) }
    back.start()
    var left = last
    // A piece takes a hundredth of a second.
    var piece = [UInt8](repeating: 0, count: min(65_536, max(16, bytesPerSecond / 100)))
    while left > 0 {
      let count = recv(client, &piece, min(piece.count, left), 0)
      guard count > 0, LoopbackServer.write(Array(piece[..<count]), other) else { break }
      state.passed.add(count, ordering: .relaxed)
      left -= count
      if bytesPerSecond < .max { usleep(UInt32(count * 1_000_000 / bytesPerSecond)) }
    }
    if left == 0 {
      switch end {
      case .stall: waitForEnd()
      case .close: break
      case .reset: LoopbackServer.makeReset(client)
      case .answer(let text, let isReset):
        let isWritten = LoopbackServer.write(Array(text.utf8), client)
        if isReset { LoopbackServer.makeReset(client) } else if isWritten { waitForEnd() }
      }
    }
    shutdown(other, Int32(SHUT_RDWR))
    while !back.isFinished { usleep(100) }
    close(other)
    close(client)
  }

  private func waitForEnd() {
    while !state.isClosed.load(ordering: .relaxed) { usleep(1_000) }
  }

  private var connected: Int32? {
    guard let (other, _) = try? LoopbackServer.bound(0) else { return nil }
    var address = LoopbackServer.address(server)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isConnected { close(other) }
    return isConnected ? other : nil
  }

  private static func pass(from source: Int32, to target: Int32) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(source, &piece, piece.count, 0)
      guard count > 0, LoopbackServer.write(Array(piece[..<count]), target) else { break }
    }
    shutdown(target, Int32(SHUT_WR))
  }
}
