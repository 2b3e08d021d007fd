/// A service that forwards everything to other services, its members, as ``MultiLog`` does.
///
/// Its places count as places of its members, and a shutdown stops the members instead of the
/// group.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}
