// Names of public types of this module that are near Ambient's. The types are empty.
public struct FileChunks {}
public struct FileHandle {}
public struct FileHandleProtocol {}
public struct FileInfo {}
public struct FileSystem {}
public struct FileSystemError {}
public struct FileType {}
public struct SystemFileHandle {}
