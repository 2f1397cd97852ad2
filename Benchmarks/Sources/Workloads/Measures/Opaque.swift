/// A function that the optimiser does not see through.
@inline(never)
@_optimize(none)
func opaque<Function>(_ function: Function) -> Function { function }
