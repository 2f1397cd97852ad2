enum ClosureContext { static func objects(of closure: Any) -> [AnyObject] { [] } }
