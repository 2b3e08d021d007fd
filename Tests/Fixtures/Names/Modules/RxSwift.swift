// Names of public types of this module that are near Ambient's. The types are empty.
public struct Event {}
public struct EventConvertible {}
public struct VirtualTimeComparison {}
public struct VirtualTimeConverterType {}
public struct VirtualTimeScheduler {}
