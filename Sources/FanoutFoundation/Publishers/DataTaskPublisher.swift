public import FanoutCore
internal import FanoutEngine
internal import FanoutOperators
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

#if !canImport(Combine)
  extension URLSession {
    /// A publisher of the result of a data task: the data and the response, or the failure.
    ///
    /// Every subscriber has a task of its own, so two subscribers make two requests.
    /// `share(replay: .latest)` makes one serve many, and those that come later too. Of a `share()`
    /// without a replay a subscriber that comes between the result and its end gets the end alone.
    ///
    /// - Demand: the task is created and started at the first request. There is one value, so more
    ///   demand has no effect.
    /// - Completion: `.finished` follows the value. A response with an HTTP status that says an
    ///   error is a value too.
    /// - Failure: the task's error.
    /// - Cancel: cancels the task, on the session's delegate queue. Nothing is delivered for a
    ///   cancel. A task for a data URL, which ends as soon as it begins, is left to its end.
    /// - Concurrency: the value and the completion are delivered on the session's delegate queue.
    /// - Ownership: the session keeps the task, and the task the subscription, and so the
    ///   subscriber, until the task has ended or is cancelled.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutFoundation
    /// import Foundation
    ///
    /// #if canImport(FoundationNetworking)
    ///   import FoundationNetworking
    /// #endif
    ///
    /// // No server listens at this port.
    /// guard let address = URL(string: "http://127.0.0.1:1/") else { exit(1) }
    /// let isOver = DispatchSemaphore(value: 0)
    /// let download = URLSession.shared.dataTaskPublisher(for: address)
    ///   .map { data, _ in "\(data.count) bytes" }
    ///   .catch { error in Just(error.code == .cannotConnectToHost ? "no server" : "\(error)") }
    ///   .sink(receiveCompletion: { _ in isOver.signal() }, receiveValue: { print($0) })
    /// isOver.wait()
    /// download.cancel()
    /// // Prints:
    /// // no server
    /// ```
    public struct DataTaskPublisher: Publisher, Sendable {
      /// The data of the response, and the response itself.
      public typealias Output = (data: Data, response: URLResponse)
      /// The error of the task.
      public typealias Failure = URLError

      /// The request that each task makes.
      public let request: URLRequest
      /// The session that the tasks belong to.
      public let session: URLSession

      /// Creates a publisher of the result of a data task.
      ///
      /// - Parameters:
      ///   - request: The request that each task makes.
      ///   - session: The session that the tasks belong to.
      public init(request: URLRequest, session: URLSession) {
        self.request = request
        self.session = session
      }

      /// Attaches the specified subscriber, which gets a task of its own at its first request.
      ///
      /// - Parameter subscriber: The subscriber to attach.
      public func receive<S: Subscriber>(subscriber: S)
      where S.Input == Output, S.Failure == Failure {
        Publishers.Callback<Output, Failure> { [request, session] receiveValue, finish in
          DataTask(request, of: session) { result in
            if case .success(let value) = result { receiveValue(value) }
            finish(result.completion)
          }
        } remove: {
          $0.cancel()
        }.receive(subscriber: subscriber, name: "DataTaskPublisher")
      }
    }

    /// Creates a publisher that loads the specified address.
    ///
    /// - Parameter url: The address to load.
    /// - Returns: A publisher of the data and the response.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
      dataTaskPublisher(for: URLRequest(url: url))
    }

    /// Creates a publisher that makes the specified request.
    ///
    /// - Parameter request: The request to make.
    /// - Returns: A publisher of the data and the response.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
      DataTaskPublisher(request: request, session: self)
    }
  }

  extension Result {
    /// The completion behind the value, or in its place.
    fileprivate var completion: Subscribers.Completion<Failure> {
      switch self {
      case .success: .finished
      case .failure(let error): .failure(error)
      }
    }
  }

  /// A data task that runs from the start.
  private final class DataTask: Sendable {
    typealias Loaded = Result<URLSession.DataTaskPublisher.Output, URLError>

    private let task: URLSessionDataTask
    private let delegateQueue: OperationQueue
    private let outcome: Outcome

    init(
      _ request: URLRequest, of session: URLSession,
      whenLoaded: @escaping @Sendable (Loaded) -> Void
    ) {
      let outcome = Outcome()
      task = session.dataTask(with: request) { data, response, error in
        if let cancelled = outcome.end() { return cancelled.waitForCancel(after: error) }
        guard error == nil, let response else {
          return whenLoaded(.failure(error as? URLError ?? URLError(.unknown)))
        }
        whenLoaded(.success((data ?? Data(), response)))
      }
      self.outcome = outcome
      delegateQueue = session.delegateQueue
      task.resume()
    }

    /// Cancels the task, on the session's delegate queue, unless its end has come.
    ///
    /// A task for a data URL ends as soon as it begins. Foundation stops the program if the cancel
    /// comes between, so there is none.
    func cancel() {
      guard task.originalRequest?.url?.scheme != "data" else { return }
      delegateQueue.addOperation { [self] in
        guard outcome.isOpen else { return }
        task.cancel()
        // It is too late if Foundation has the end already.
        if task.state == .canceling { outcome.cancel(task) }
      }
    }

    /// The first of two events of a task: its end or its cancel.
    private final class Outcome: Sendable {
      private enum State {
        case running
        case cancelled(URLSessionDataTask)
        case ended
      }

      private let state = Lock<State>(.running)

      /// Whether neither has come.
      var isOpen: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
      }

      /// Notes the cancel of the task.
      func cancel(_ task: URLSessionDataTask) { state.withLock { $0 = .cancelled(task) } }

      /// Notes the end; returns the task if its cancel came first.
      func end() -> URLSessionDataTask? {
        state.withLock { state in
          defer { state = .ended }
          guard case .cancelled(let task) = state else { return nil }
          return task
        }
      }
    }
  }

  extension URLSessionDataTask {
    /// Waits, inside the handler of a cancelled task, until nothing more is said of the cancel.
    ///
    /// Foundation reports a cancel twice in a row, on a queue of the task's, and stops the program
    /// if the task's handler returned before that.
    ///
    /// - Parameter error: The error that the handler got.
    fileprivate func waitForCancel(after error: (any Error)?) {
      var last = error
      // The task ended otherwise at the moment of the cancel. If the session's cache has only just
      // answered, the cancel still waits for its turn, and the task's error says when it has had
      // it. Foundation reads and writes that error without a lock. The pause comes first so that
      // the read falls behind the write, and the last error is kept so that it is not freed while
      // read.
      while (last as? URLError)?.code != .cancelled {
        Thread.sleep(forTimeInterval: 0.001)
        let next = self.error
        last = next
      }
      // Waits for the task's queue, and does nothing else, because the task is cancelled already.
      cancel()
    }
  }
#endif
