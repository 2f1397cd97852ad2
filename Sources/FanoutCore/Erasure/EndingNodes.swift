internal import FanoutEngine

extension Subscribers.Sink: EndingNode {
  package var hasEnded: Bool { stage.isClosed }
}

extension Subscribers.Assign: EndingNode {
  package var hasEnded: Bool { stage.isClosed }
}

extension WeakAssign: EndingNode {
  package var hasEnded: Bool { stage.isClosed }
}
