// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import Synchronization

/// A program for tests: sends requests, and says how they ended.
///
/// `Fetcher TRUSTROOTS MILLISECONDS METHOD URL COUNT PARALLEL`: so many requests, each with that
/// limit, from so many tasks; `-` means the system's certificates. Prints each outcome with how
/// often it was, then by how many milliseconds an exchange was later than its limit at most, then
/// the most memory that the process had, in KiB.
@main enum Fetcher {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 7, let limit = Int(words[2]), let url = URL(string: words[4]),
      let count = Int(words[5]), let parallel = Int(words[6])
    else {
      print("Fetcher TRUSTROOTS MILLISECONDS METHOD URL COUNT PARALLEL")
      exit(64)
    }
    let client: CollectorClient
    do throws(CollectorError) {
      client = try CollectorClient(trustRoots: words[1] == "-" ? nil : words[1])
    } catch {
      print(error)
      exit(3)
    }
    let body = words[3] == "POST" ? Array("an event\n".utf8) : []
    let request = OutgoingRequest(words[3], url, body: body)
    let tally = Tally()
    await withTaskGroup { group in
      for task in 0..<parallel {
        let share = count / parallel + (task < count % parallel ? 1 : 0)
        group.addTask {
          for _ in 0..<share {
            await tally.fetch(
              request, ExchangeLimits(duration: .milliseconds(limit)), client)
          }
        }
      }
    }
    tally.show()
    // getrusage(2) would count the memory of the process that started this one, too.
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    print(peak.filter(\.isNumber))
  }
}

/// How exchanges ended.
private final class Tally: Sendable {
  private let outcomes = Guarded<[String: Int]>([:])
  /// By how many milliseconds one was later than its limit.
  private let latest = Atomic<Int>(0)

  func fetch(_ request: OutgoingRequest, _ limits: ExchangeLimits, _ client: CollectorClient) async
  {
    let end = ContinuousClock.now + limits.duration
    let outcome: String
    do throws(TransportError) {
      let answer = try await client.exchange(request, limits)
      outcome = "status \(answer.status), \(answer.body.count) bytes\(answer.isCut ? ", cut" : "")"
    } catch {
      outcome = "\(error.outcome): \(error)"
    }
    latest.max(Int((ContinuousClock.now - end) / .milliseconds(1)), ordering: .relaxed)
    outcomes.withLock { $0[outcome, default: 0] += 1 }
  }

  func show() {
    for (outcome, count) in outcomes.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      print("\(count) \(outcome)")
    }
    print(latest.load(ordering: .relaxed))
  }
}
