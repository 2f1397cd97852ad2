@_exported public import FanoutCore
