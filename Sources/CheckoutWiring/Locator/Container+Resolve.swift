internal import Ambient
internal import Dispatch

extension Container {
  /// Finds a service for the one that is being made in `parent`.
  func resolve<Service: Sendable>(
    _ service: Service.Type, for parent: Resolution?, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    let cell = try cell(service, parent, place)
    // Noted before it is looked at: a replacement in between then knows whom it concerns.
    if let sharing = parent?.sharing { table.instances.note(cell, dependent: sharing) }
    if let shared = cell.shared { return shared }
    if let path = parent?.path(from: cell) {
      throw error(.cycle(path + [cell.name]), service, parent, place)
    }
    switch cell.content {
    case .instance(let instance):
      return instance
    case .factory(let factory, .eachTime):
      let resolution = Resolution(self, parent, cell)
      return try attempt(service, parent, place) { try factory.make(resolution) }
    case .factory(let factory, .oncePerResolution):
      if let answer = parent?.answer(cell) { return answer }
      let resolution = Resolution(self, parent, cell, isShared: true)
      let made = try attempt(service, parent, place) { try factory.make(resolution) }
      return resolution.answer(cell, made)
    case .factory(let factory, .once):
      return try shared(cell, parent, place) { resolution in
        let box = Box(try factory.make(resolution))
        return Made(service: box.service, kept: box) { cell.publish(box) }
      }
    case .weak(let memory):
      return try shared(cell, parent, place, memory.make)
    case .arguments(let factory):
      throw error(
        .wrongArguments(expected: factory.arguments, given: []), service, parent, place)
    }
  }

  /// Makes a service with arguments for the one that is being made in `parent`.
  func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, for parent: Resolution?,
    at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    let cell = try cell(service, parent, place)
    var expected: [String] = []
    if case .arguments(let factory) = cell.content {
      if let path = parent?.path(from: cell) {
        throw error(.cycle(path + [cell.name]), service, parent, place)
      }
      if let factory = factory as? ArgumentFactory<Service, repeat each Argument> {
        let resolution = Resolution(self, parent, cell)
        do { return try factory.body(resolution, repeat each arguments) } catch {
          throw wrap(error, service, parent, place)
        }
      }
      expected = factory.arguments
    }
    let given = names(repeat (each Argument).self)
    throw error(.wrongArguments(expected: expected, given: given), service, parent, place)
  }

  /// The shared service, made by whoever comes first.
  private func shared<Service: Sendable>(
    _ cell: Cell<Service>, _ parent: Resolution?, _ place: SourcePlace,
    _ make: (Resolution) throws -> Made<Service>
  ) throws(ResolutionError) -> Service {
    let instances = table.instances
    let asker = parent?.awaited
    while true {
      if let service = cell.shared ?? cell.memory?.recall() { return service }
      switch instances.step(cell, for: asker) {
      case .take:
        continue
      case .make:
        let resolution = Resolution(self, parent, cell, isShared: true, isAwaited: true)
        do {
          let made = try make(resolution)
          instances.finish(cell, for: asker, made)
          return made.service
        } catch {
          instances.finish(cell, for: asker, nil)
          throw wrap(error, Service.self, parent, place)
        }
      case .wait(let semaphore):
        semaphore.wait()
        instances.stopNeeding(cell, asker)
      case .cycle(let cells):
        let path = (asker.map { [$0.name] } ?? []) + cells.map(\.name)
        throw error(.cycle(path), Service.self, parent, place)
      }
    }
  }
}

extension Container {
  /// The cell of a registered service.
  func cell<Service: Sendable>(
    _ service: Service.Type, _ parent: Resolution?, _ place: SourcePlace
  ) throws(ResolutionError) -> Cell<Service> {
    guard let cell = table.cell(service) else {
      throw error(.missing, service, parent, place)
    }
    return cell
  }

  /// Runs a factory; what it throws says which service failed.
  func attempt<Service>(
    _ service: Service.Type, _ parent: Resolution?, _ place: SourcePlace,
    _ body: () throws -> Service
  ) throws(ResolutionError) -> Service {
    do { return try body() } catch { throw wrap(error, service, parent, place) }
  }

  /// The error of a factory: that of a service it needs stays as it is.
  func wrap<Service>(
    _ error: any Error, _ service: Service.Type, _ parent: Resolution?, _ place: SourcePlace
  ) -> ResolutionError {
    error as? ResolutionError ?? self.error(.failed(error), service, parent, place)
  }

  func error<Service>(
    _ reason: ResolutionError.Reason, _ service: Service.Type, _ parent: Resolution?,
    _ place: SourcePlace
  ) -> ResolutionError {
    ResolutionError(
      reason: reason, service: "\(service)", askedBy: parent?.path ?? [], place: place)
  }
}
