// Requests to the service, and their errors in plain words.

// An error whose message can be shown: what is wrong, and what to do.
export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export async function send(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
  } catch (error) {
    throw new Refusal(
      error.name === "TimeoutError"
        ? "The service does not answer. Try again in a moment."
        : "There is no connection to the service. Try again in a moment.", 0);
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refusal(answer.error ?? `The service said ${response.status}. Try again.`, response.status);
}

// Why an event stream is refused, which EventSource does not tell; nothing if it is not, or there is no connection.
export async function refusal(path) {
  const asking = new AbortController();
  try {
    const response = await fetch(path, { signal: asking.signal });
    if (response.ok) return null;
    return new Refusal((await response.json()).error, response.status);
  } catch {
    return null;
  } finally {
    asking.abort();
  }
}

// Shows an error beside what caused it, or hides it.
export function tell(element, error) {
  const text = error ? error.message : "";
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !error;
}
