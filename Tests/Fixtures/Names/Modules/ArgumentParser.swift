// Names of public types of this module that are near Ambient's. The types are empty.
public struct ArgumentHelp {}
public struct CommandConfiguration {}
public struct DefaultAsFlagParsingStrategy {}
public struct Option {}
public struct OptionGroup {}
public struct ValidationError {}
