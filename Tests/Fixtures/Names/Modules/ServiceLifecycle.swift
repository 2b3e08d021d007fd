// Names of public types of this module that are near Ambient's. The types are empty.
public struct Service {}
public struct ServiceGroup {}
public struct ServiceGroupConfiguration {}
public struct ServiceGroupError {}
