internal import Foundation

/// The services that a thread is making, the outermost first.
///
/// A factory runs to its end on the thread that asks, so the thread knows which service asks, also
/// where a factory asks a container that it has captured. A task-local value would follow the tasks
/// that a factory starts, and find circles where there are none.
final class Making {
  private static let key = "CheckoutWiring.Making"

  private var cells: [Cell] = []
  private var answers: [ObjectIdentifier: any Sendable] = [:]

  /// What the thread is making; it stays with the thread, since it is dear to put there.
  static var current: Making {
    let values = Thread.current.threadDictionary
    if let making = values[key] as? Making { return making }
    let making = Making()
    values[key] = making
    return making
  }

  /// The names of the services.
  var path: [String] { cells.map { "\($0.registration.key)" } }

  /// Makes the service of a cell, for the innermost service that the thread is making.
  func make(
    _ cell: Cell, _ service: Any.Type, _ request: ServiceRequest,
    _ body: () throws -> any Sendable
  ) throws(ResolutionError) -> any Sendable {
    if let start = cells.firstIndex(where: { $0 === cell }) {
      throw request.error(.cycle(path[start...] + ["\(cell.registration.key)"]), service)
    }
    let isShared = cell.registration.lifetime == .oncePerResolution
    if isShared, let answer = answers[ObjectIdentifier(cell)] { return answer }
    cells.append(cell)
    let result = Result(catching: body)
    cells.removeLast()
    if isShared, case .success(let made) = result { answers[ObjectIdentifier(cell)] = made }
    if cells.isEmpty { answers = [:] }
    do { return try result.get() } catch {
      throw error as? ResolutionError ?? request.error(.failed(error), service)
    }
  }
}
