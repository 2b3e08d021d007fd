import Ambient
import AmbientTesting
import AmbientVirtualTime

/// Whether the library's own copy of AmbientTesting can show the time of its scopes.
@_cdecl("clock_library_has_clocks")
public func hasClocks() -> Bool { VirtualTime.hasSystemClocks }
