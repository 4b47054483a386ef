// The changes of a table as they happen.
import { streamEvents, type Event } from '../../out/typescript/index.js';
import type { Client } from '../../out/typescript/client/index.js';

/**
 * Each change once, in the order of the versions, until `signal` is aborted. A connection that is
 * lost is opened anew after the last version that came (`Last-Event-ID`); an app that was killed
 * goes on with the version that it has stored.
 */
export async function* changes(
  client: Client,
  sessionId: string,
  signal: AbortSignal,
  since?: number,
): AsyncGenerator<Event> {
  while (!signal.aborted) {
    const { stream } = await streamEvents({
      client,
      path: { session_id: sessionId },
      headers: since === undefined ? {} : { 'Last-Event-ID': String(since) },
      signal,
      sseDefaultRetryDelay: 1000,
    });
    for await (const event of stream) {
      since = event.version;
      yield event;
    }
  }
}
