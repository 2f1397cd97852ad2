// `@unchecked Sendable` invariant: a cancellable of Combine may be cancelled from any thread.

#if canImport(Combine) || canImport(OpenCombine)
  public import FanoutCore

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension CombineSubscribers.Demand {
    /// The same demand as Fanout's type.
    public var fanout: FanoutCore.Subscribers.Demand {
      max.map { .max($0) } ?? .unlimited
    }
  }

  extension FanoutCore.Subscribers.Demand {
    /// The same demand as Combine's type.
    public var combine: CombineSubscribers.Demand {
      max.map { .max($0) } ?? .unlimited
    }
  }

  extension CombineSubscribers.Completion {
    /// The same completion as Fanout's type.
    public var fanout: FanoutCore.Subscribers.Completion<Failure> {
      switch self {
      case .finished: .finished
      case .failure(let error): .failure(error)
      }
    }
  }

  extension FanoutCore.Subscribers.Completion {
    /// The same completion as Combine's type.
    public var combine: CombineSubscribers.Completion<Failure> {
      switch self {
      case .finished: .finished
      case .failure(let error): .failure(error)
      }
    }
  }

  extension CombineCancellable {
    /// An owner of this activity in Fanout, which cancels it when asked to or when deallocated.
    public var fanout: FanoutCore.AnyCancellable {
      FanoutCore.AnyCancellable(CombineActivity(base: self))
    }
  }

  extension FanoutCore.Cancellable {
    /// An owner of this activity in Combine, which cancels it when asked to or when deallocated.
    public var combine: CombineAnyCancellable {
      CombineAnyCancellable { cancel() }
    }
  }

  /// An activity of Combine's as one of Fanout's.
  private struct CombineActivity: FanoutCore.Cancellable, @unchecked Sendable {
    let base: any CombineCancellable

    func cancel() { base.cancel() }
  }
#endif
