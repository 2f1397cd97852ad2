@_exported public import FanoutCore
@_exported public import FanoutOperators
