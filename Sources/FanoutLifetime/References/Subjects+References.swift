package import Fanout
internal import FanoutEngine

extension SubjectSubscriber: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}
