package import Fanout
internal import FanoutEngine

extension PassthroughSubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}

extension CurrentValueSubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}

extension ReplaySubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}

extension SubjectSubscriber: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension SubjectSubscriber.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("subject", subject)] }
}
