// Names of public types of this module that are near Ambient's. The types are empty.
public struct HTTPClientRequestPart {}
public struct HTTPClientResponsePart {}
public struct HTTPHeaders {}
public struct HTTPMethod {}
public struct HTTPPart {}
public struct HTTPRequestHead {}
public struct HTTPResponseHead {}
public struct HTTPResponseStatus {}
public struct HTTPVersion {}
