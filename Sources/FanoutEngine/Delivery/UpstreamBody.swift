/// The receiving end of a link that does its own delivering: nothing but its source, which is accepted
/// once and let go of at cancel and at the end.
public final class UpstreamBody: ReceiverBody {
}
