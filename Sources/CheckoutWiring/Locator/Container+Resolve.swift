public import Ambient
internal import Dispatch

extension Container {
  /// Finds a service that is made without arguments.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    // The usual case first, with as little generic code as possible.
    if let pointer = kept(ObjectIdentifier(service)) {
      return Cell<Service>.service(in: pointer)
    }
    return try resolve(service, for: Asker(making: nil, place: place))
  }

  private func kept(_ service: ObjectIdentifier) -> UnsafeRawPointer? {
    guard let pointer = shortcut.pointer else { return nil }
    // Valid: it is kept as long as this container, which our caller uses.
    return Unmanaged<Cells>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      $0.kept[service]?._withUnsafeGuaranteedRef { $0.pointer }
    }
  }

  /// Makes a service with arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    try resolve(
      service, with: repeat each arguments, for: Asker(making: nil, place: place))
  }

  /// Finds a service: as it is registered, from a factory that also answers for its type, or from
  /// one of the resolvers.
  func resolve<Service: Sendable>(
    _ service: Service.Type, for asker: Asker
  ) throws(ResolutionError) -> Service {
    if let cell = cell(service) { return try resolve(cell, for: asker) }
    if let cell = wideCell(service) {
      if let found = try cell.find(in: self, for: asker) as? Service { return found }
      throw asker.error(.unkept(makes: cell.name), service)
    }
    guard let resolver = resolver(service) else { throw asker.error(.missing, service) }
    return try asker.pass { () throws(ResolutionError) in
      try resolver.resolve(service, at: asker.place)
    }
  }

  /// The service of that cell.
  func resolve<Service: Sendable>(
    _ cell: Cell<Service>, for asker: Asker
  ) throws(ResolutionError) -> Service {
    // Noted before it is looked at: a replacement in between then knows whom it concerns.
    if let sharing = asker.making?.sharing { cells.making.note(cell, dependent: sharing) }
    if let shared = cell.shared { return shared }
    try asker.checkCycle(cell)
    switch cell.recipe {
    case .instance(let instance):
      return instance
    case .factory(let factory, .eachTime):
      let resolution = Resolution(self, asker.making, cell)
      return try asker.attempt(Service.self) { try factory.make(resolution) }
    case .factory(let factory, .oncePerResolution):
      if let answer = asker.making?.answer(cell) { return answer }
      let resolution = Resolution(self, asker.making, cell, isShared: true)
      let made = try asker.attempt(Service.self) { try factory.make(resolution) }
      return resolution.answer(cell, made) ?? made
    case .factory(let factory, .once):
      return try shared(cell, asker) { resolution in
        let service = try factory.make(resolution)
        return (service, { cell.keep(service) })
      }
    case .weak(let make):
      return try shared(cell, asker) { resolution in
        let (service, remembered) = try make(resolution)
        return (service, { cell.remember(remembered) })
      }
    case .arguments(let factory):
      throw asker.error(
        .wrongArguments(expected: factory.arguments, given: []), Service.self)
    }
  }

  /// Makes a service with arguments.
  func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, for asker: Asker
  ) throws(ResolutionError) -> Service {
    guard let cell = cell(service) else {
      guard let resolver = resolver(service) else { throw asker.error(.missing, service) }
      return try asker.pass { () throws(ResolutionError) in
        try resolver.resolve(service, with: repeat each arguments, at: asker.place)
      }
    }
    var expected: [String] = []
    if case .arguments(let factory) = cell.recipe {
      try asker.checkCycle(cell)
      if let factory = factory as? ArgumentFactory<Service, repeat each Argument> {
        let resolution = Resolution(self, asker.making, cell)
        return try asker.attempt(service) {
          try factory.body(resolution, repeat each arguments)
        }
      }
      expected = factory.arguments
    }
    let given = names(repeat (each Argument).self)
    throw asker.error(.wrongArguments(expected: expected, given: given), service)
  }

  /// The shared service, made by whoever comes first.
  private func shared<Service: Sendable>(
    _ cell: Cell<Service>, _ asker: Asker,
    _ make: (Resolution) throws -> (service: Service, share: () -> Void)
  ) throws(ResolutionError) -> Service {
    let making = cells.making
    let awaited = asker.making?.awaited
    while true {
      if let service = cell.shared { return service }
      switch making.step(cell, for: awaited) {
      case .take:
        continue
      case .make:
        var share: (() -> Void)?
        defer { making.finish(cell, for: awaited, share: share) }
        return try asker.attempt(Service.self) {
          let made = try make(
            Resolution(self, asker.making, cell, isShared: true, isAwaited: true))
          share = made.share
          return made.service
        }
      case .wait(let end):
        end.wait()
        making.stopWaiting(awaited, for: cell)
      case .cycle(let cells):
        let path = (awaited.map { [$0.name] } ?? []) + cells.map(\.name)
        throw asker.error(.cycle(path), Service.self)
      }
    }
  }
}
