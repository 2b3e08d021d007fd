import Ambient
import Checkout
import Foundation
import TestSupport

/// A program for tests: a buyer's device.
///
/// - `add FOLDER SKU UNTIL [URL]` waits for the file UNTIL, and adds one of a product to the basket
///   in a folder, whose service is at an address, or out of reach.
/// - `meet URL SECONDS` adds a product to a basket in memory, brings it together with that of the
///   service, and says what was logged of the service, how many are in the basket, and how many
///   KiB of memory it took beside what the program had before.
@main enum BasketWriter {
  static func main() async throws {
    let words = CommandLine.arguments
    let log = LogRecorder()
    Log.instance = log
    switch words[1] {
    case "add":
      while access(words[4], F_OK) != 0 { usleep(1_000) }
      let service: any BasketService =
        words.count > 5
        ? HTTPBasketService(url: URL(string: words[5])!, timeout: 60) : UnreachableService()
      try await client(FileBasketStore(folder: words[2]), service).add(SKU(words[3]))
    case "meet":
      let service = HTTPBasketService(url: URL(string: words[2])!, timeout: Double(words[3])!)
      let client = try client(MemoryBasketStore(), service)
      let before = Self.memory
      try await client.add("coffee")
      let basket = try await client.synchronize()
      let reasons = log.records.compactMap { $0.metadata["reason"] }.map { "\($0)" }
      print(reasons.joined(separator: ","), basket.lines.map(\.quantity), Self.memory - before)
    default: exit(64)
    }
  }

  private static func client(
    _ store: any BasketStore, _ service: any BasketService
  ) throws -> BasketClient {
    BasketClient(store: store, service: service, prices: try Shop.example().prices)
  }

  /// The most memory that the process has had, in KiB; not what getrusage(2) says, to which the
  /// memory of the process counts that started it.
  private static var memory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? .max
  }
}

private struct UnreachableService: BasketService {
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? { throw .unreachable("down") }
  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    throw .unreachable("down")
  }
}
