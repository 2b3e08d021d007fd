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
