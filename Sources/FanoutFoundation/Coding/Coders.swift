public import FanoutCore
public import Foundation

// On platforms with Combine these types have such conformances already, to protocols of Combine's.

extension JSONDecoder: TopLevelDecoder {}

extension JSONEncoder: TopLevelEncoder {}

extension PropertyListDecoder: TopLevelDecoder {}

extension PropertyListEncoder: TopLevelEncoder {}
