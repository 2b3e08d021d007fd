/// A service that forwards everything to its members, which are other services. Example:
/// ``MultiLog``.
///
/// When a group is installed in, or removed from, a scope or the process, each of its members
/// counts as installed or removed. A shutdown stops the members instead of the group.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}
