import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `The network` {
  @Test func `bears exchanges that are given up while the answer is a redirect`() async {
    // Foundation traps where a redirect is decided on for a task that was cancelled before.
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _, _ in
        .answer(302, headers: ["Location": "http://127.0.0.1:1/elsewhere"])
      }
      let transport = URLSessionTransport()
      guard let url = URL(string: "http://127.0.0.1:\(server.port)/") else { return }
      var ended: [String: Int] = [:]
      for number in 0..<600 {
        let task = Task { () -> String in
          do {
            let answer = try await transport.exchange(
              OutgoingRequest("POST", url, body: []), ExchangeLimits())
            return "\(answer.status)"
          } catch {
            return "\(error)"
          }
        }
        // Around the moment in which the answer comes.
        try? await Task.sleep(for: .microseconds(200 + number % 40 * 25))
        task.cancel()
        ended[await task.value, default: 0] += 1
      }
      precondition(Set(ended.keys).isSubset(of: ["302", "the exchange was given up"]), "\(ended)")
      precondition(ended.count == 2, "\(ended)")
    }
  }
}
