// Names of public types of this module that are near Ambient's. The types are empty.
public struct DateGenerator {}
public struct DependencyContext {}
public struct DependencyValues {}
