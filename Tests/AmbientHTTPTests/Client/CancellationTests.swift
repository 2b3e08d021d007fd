import AmbientHTTP
import Foundation
import TestSupport
import Testing

@Suite struct `An exchange that is given up` {
  @Test func `is borne by URLSession while its answer is a redirect`() async {
    // Foundation traps where a redirect is decided on for a task that was cancelled before.
    await #expect(processExitsWith: .success) { try await giveUpExchanges(.urlSession) }
  }

  @Test func `is borne by libcurl while its answer is a redirect`() async {
    await #expect(processExitsWith: .success) { try await giveUpExchanges(.curl) }
  }
}

/// Gives up exchanges around the moment in which their answers come.
private func giveUpExchanges(_ network: Network) async throws {
  let server = try LoopbackServer { _, _ in
    .answer(302, headers: ["Location": "http://127.0.0.1:1/elsewhere"])
  }
  let client = try network.client()
  let url = server.url
  var ended: [String: Int] = [:]
  for number in 0..<600 {
    let task = Task { await client.outcome(url) }
    // Ever longer, since a sanitizer or a busy machine makes answers late.
    try? await Task.sleep(for: .microseconds(200 + number % 40 * 25 * (1 + number / 60)))
    task.cancel()
    let outcome = await task.value
    ended[outcome.split(separator: ": ").last.map(String.init) ?? "", default: 0] += 1
  }
  precondition(Set(ended.keys).isSubset(of: ["302 ", "the exchange was given up"]), "\(ended)")
  precondition(ended.count == 2, "\(ended)")
}
