/// A service that forwards everything to its members, which are other services. Example:
/// ``MultiLog``.
///
/// When a context with an `InstallationObserver` installs or removes a group, each of the members
/// counts as installed or removed instead of the group. A shutdown stops the members instead of the
/// group.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}
