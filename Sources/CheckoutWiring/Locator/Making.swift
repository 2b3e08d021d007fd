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

  /// What the thread is making, if anything.
  static var current: Making? { Thread.current.threadDictionary[key] as? Making }

  /// The names of the services.
  var path: [String] { cells.map { "\($0.registration.key)" } }

  /// Makes the service of a cell, for the innermost service that the thread is making.
  static func make(
    _ cell: Cell, _ service: Any.Type, _ request: ServiceRequest,
    _ body: () throws -> any Sendable
  ) throws(ResolutionError) -> any Sendable {
    let values = Thread.current.threadDictionary
    let making = values[key] as? Making ?? Making()
    if let start = making.cells.firstIndex(where: { $0 === cell }) {
      throw request.error(.cycle(making.path[start...] + ["\(cell.registration.key)"]), service)
    }
    let isShared = cell.registration.lifetime == .oncePerResolution
    if isShared, let answer = making.answers[ObjectIdentifier(cell)] { return answer }
    values[key] = making
    making.cells.append(cell)
    let result = Result(catching: body)
    making.cells.removeLast()
    if making.cells.isEmpty { values[key] = nil }
    switch result {
    case .success(let made):
      if isShared { making.answers[ObjectIdentifier(cell)] = made }
      return made
    case .failure(let error):
      throw error as? ResolutionError ?? request.error(.failed(error), service)
    }
  }
}
