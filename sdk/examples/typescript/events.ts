// The changes of a table as they happen.
import { setTimeout as pause } from 'node:timers/promises';

import { streamEvents, type Event } from '../../out/typescript/index.js';
import type { Client } from '../../out/typescript/client/index.js';
import { PASSING, refusal, retryAfterMs } from './connection.js';

const PAUSE_MS = 1000;

/**
 * Each change once, in the order of the versions, until `signal` is aborted. A connection that is
 * lost is opened anew after the last version that came (`Last-Event-ID`); an app that was killed
 * goes on with the version that it has stored. A refusal is thrown.
 */
export async function* changes(
  client: Client,
  sessionId: string,
  signal: AbortSignal,
  since?: number,
): AsyncGenerator<Event> {
  const { fetch = globalThis.fetch } = client.getConfig();
  while (!signal.aborted) {
    // The generated stream tells no status, and would open itself anew whatever it is.
    let answer: Response | undefined;
    const { stream } = await streamEvents({
      client,
      path: { session_id: sessionId },
      headers: since === undefined ? {} : { 'Last-Event-ID': String(since) },
      // Given the signal itself it cancels what may be broken already, which nobody could catch.
      fetch: async (input, init) => (answer = await fetch(input, { ...init, signal })),
      sseMaxRetryAttempts: 1,
    });
    for await (const event of stream) {
      since = event.version;
      yield event;
    }
    await refuse(answer);
    const wait = Math.max(retryAfterMs(answer), PAUSE_MS);
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

/** Throws what is the service's last word. */
async function refuse(answer: Response | undefined): Promise<void> {
  if (!answer || answer.ok || PASSING.includes(answer.status)) return;
  throw refusal(await answer.json().catch(() => undefined), answer.status);
}
