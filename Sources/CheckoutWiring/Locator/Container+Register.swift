internal import Ambient

extension Container {
  /// A container that gives out that instance.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, _ instance: Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    adding(service, .instance(instance), fileID, line)
  }

  /// A container that makes the service by a closure.
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, _ scope: ServiceScope = .eachTime,
    fileID: String = #fileID, line: UInt = #line,
    make: @escaping @Sendable (Resolution) throws -> Service
  ) -> Container {
    adding(service, .factory(ClosureFactory(body: make), scope), fileID, line)
  }

  /// A container that makes the service by a factory.
  public func register<Service: Sendable>(
    _ factory: some ServiceFactory<Service>, _ scope: ServiceScope = .eachTime,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    adding(Service.self, .factory(factory, scope), fileID, line)
  }

  /// A container that makes the service from one argument or several, each time.
  public func register<Service: Sendable, First: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    fileID: String = #fileID, line: UInt = #line,
    with make: @escaping @Sendable (Resolution, First, repeat each Argument) throws -> Service
  ) -> Container {
    adding(
      service, .arguments(ArgumentFactory<Service, First, repeat each Argument>(body: make)),
      fileID, line)
  }

  /// A container that makes an object and shares it while somebody holds it.
  ///
  /// - Parameter convert: Turns the object into the service, as in `{ $0 }` for a protocol that it
  ///   conforms to. It must hold the object, or the service is shared with nobody.
  public func register<Service: Sendable, Object: AnyObject & Sendable>(
    _ service: Service.Type = Service.self,
    weak make: @escaping @Sendable (Resolution) throws -> Object,
    as convert: @escaping @Sendable (Object) -> Service,
    fileID: String = #fileID, line: UInt = #line
  ) -> Container {
    adding(service, .weak(ObjectFactory(make: make, convert: convert)), fileID, line)
  }

  private func adding<Service: Sendable>(
    _ service: Service.Type, _ recipe: Recipe<Service>, _ fileID: String, _ line: UInt
  ) -> Container {
    let place = SourcePlace(fileID: fileID, line: line)
    return Container(registrations + [Registration(service, recipe, place)])
  }
}
