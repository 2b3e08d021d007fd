// Names of public types of this module that are near Ambient's. The types are empty.
public struct ClientBootstrap {}
public struct MultiThreadedEventLoopGroup {}
