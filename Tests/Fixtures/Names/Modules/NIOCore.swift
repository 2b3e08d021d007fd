// Names of public types of this module that are near Ambient's. The types are empty.
public struct EventLoop {}
public struct EventLoopError {}
public struct EventLoopFuture {}
public struct EventLoopGroup {}
public struct EventLoopPromise {}
public struct FileDescriptor {}
public struct FileRegion {}
public struct Scheduled {}
public struct System {}
public struct TimeAmount {}
