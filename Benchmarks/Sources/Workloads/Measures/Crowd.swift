/// Subscribers of which one after another leaves, in an order that is the same in every run.
final class Crowd<Member> {
  var members: [Member]
  private var state: UInt64 = 88_172_645_463_325_252

  init(_ members: [Member]) { self.members = members }

  func anyIndex() -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(members.count))
  }
}
